"use client";

import { createElement, memo, type ReactNode } from "react";
import { type Components, defaultRehypePlugins, Streamdown } from "streamdown";

/**
 * The only place that turns text of the agent or of a repository into markup. That text is hostile until proven
 * otherwise, so: raw HTML is shown as the text that it is, no image is ever loaded (its address would tell a
 * stranger that it was seen, and what the agent put into it), and a link shows the host that it really leads to.
 */
export const SafeMarkdown = memo(function SafeMarkdown({ text, live = false }: { text: string; live?: boolean }) {
  return (
    <Streamdown
      className="markdown"
      mode={live ? "streaming" : "static"}
      parseIncompleteMarkdown={live}
      isAnimating={live}
      rehypePlugins={SAFE_REHYPE}
      components={COMPONENTS}
      controls={false}
      linkSafety={{ enabled: false }}
    >
      {text}
    </Streamdown>
  );
});

/** Without the default `raw` step HTML is never parsed, only shown; `sanitize` is the second wall. */
const SAFE_REHYPE = Object.entries(defaultRehypePlugins).flatMap(([name, plugin]) =>
  name === "sanitize" ? [plugin] : [],
);

/** The library brings looks of its own for these; ours are the `.markdown` rules of globals.css. */
function bareTags(): Components {
  const tags = [
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "p",
    "ul",
    "ol",
    "li",
    "blockquote",
    "hr",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
  ];
  return Object.fromEntries(
    tags.map((Tag) => [Tag, ({ children }: { children?: ReactNode }) => createElement(Tag, null, children)]),
  );
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ alt }) => <span className="text-ink-faint">[image not loaded{alt ? `: ${String(alt)}` : ""}]</span>,
  pre: ({ children }) => (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className="scroll-area max-h-96 rounded-md bg-sunken p-3 font-mono text-sm"
    >
      {children}
    </pre>
  ),
  code: ({ children }) => <code>{children}</code>,
  inlineCode: ({ children }) => <code>{children}</code>,
  table: ({ children }) => (
    <div className="scroll-area">
      <table className="text-sm">{children}</table>
    </div>
  ),
  ...bareTags(),
};

/** A link to the web, with its host in words unless the text says it already; anything else stays text. */
function SafeLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const target = webTarget(href);
  if (!target) return <>{children}</>;
  const saysHost = typeof children === "string" && hostIn(children) === target.host;
  return (
    <a href={target.href} target="_blank" rel="noopener noreferrer nofollow" title={target.href}>
      {children}
      {!saysHost && <span className="text-ink-faint"> ({target.host})</span>}
    </a>
  );
}

/** The host that a text shows: of an address or by itself, and not as a part of another one. */
function hostIn(text: string): string | null {
  const words = text.trim();
  for (const address of [words, `https://${words}`]) if (URL.canParse(address)) return new URL(address).host;
  return null;
}

function webTarget(href: string | undefined): { href: string; host: string } | null {
  if (!href || !URL.canParse(href)) return null;
  const url = new URL(href);
  const isWeb = (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === "";
  return isWeb ? { href: url.href, host: url.host } : null;
}
