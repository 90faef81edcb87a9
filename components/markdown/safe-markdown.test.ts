import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { SafeMarkdown } from "@/components/markdown/safe-markdown";

const render = (text: string) => renderToStaticMarkup(createElement(SafeMarkdown, { text }));

describe("formatted text of the agent", () => {
  it("never loads an image", () => {
    for (const text of [
      "![x](https://evil.example/p.png)",
      '<img src="https://evil.example/p.png">',
      "![x][r]\n\n[r]: https://evil.example/p.png",
    ]) {
      expect(render(text)).not.toMatch(/<img|src="/);
    }
    expect(render("![a cat](https://evil.example/p.png)")).toContain("image not loaded: a cat");
  });

  it("shows raw HTML as the text that it is", () => {
    const hostile =
      '<script>alert(1)</script><iframe src="//e"></iframe><div onclick="x()" style="position:fixed">hi</div>';
    expect(render(`before\n\n${hostile}\n\nafter ${hostile}`)).not.toMatch(/<script|<iframe|<div onclick|style="/);
    expect(render(`before\n\n${hostile}\n\nafter`)).toContain("after");
  });

  it("shows the host that a link leads to and opens it without a way back", () => {
    const html = render("[github.com/login](https://evil.example/login)");
    expect(html).toContain("(evil.example)");
    expect(html).toMatch(/rel="noopener noreferrer nofollow"/);
    expect(html).toMatch(/target="_blank"/);
    // A text that only contains the host does not say it.
    expect(render("[https://www.paypal.example/x](https://pal.example/x)")).toContain("(pal.example)");
    for (const text of ["https://pal.example/x", "pal.example", "pal.example/login"])
      expect(render(`[${text}](https://pal.example/x)`)).not.toContain("(pal.example)");
  });

  it("makes no link of what is not a plain web address", () => {
    for (const href of [
      "javascript:alert(1)",
      "data:text/html,x",
      "/api/sessions",
      "https://user:pw@evil.example",
      "vbscript:x",
    ]) {
      expect(render(`[x](${href})`)).not.toContain("href");
    }
  });

  it("renders code, lists and tables", () => {
    const html = render("```ts\nconst a = 1;\nconst b = 2;\n```\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |");
    expect(html).toContain("const a = 1;\nconst b = 2;");
    expect(html).toMatch(/<li/);
    expect(html).toMatch(/<table/);
  });
});
