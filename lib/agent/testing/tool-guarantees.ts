import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LEASE_LOST, type Todo, type ToolContext, type ToolResult } from "../tool";
import { findTool } from "../toolbox";
import { BASH_MAX_OUTPUT_CHARS } from "../tools/bash";
import type { ToolSandbox } from "./host-sandbox";

let calls = 0;

/** The guarantees of the tools, run against any sandbox whose workspace starts empty. */
export function describeTools(name: string, open: () => Promise<ToolSandbox>): void {
  describe(`tools on ${name}`, () => {
    let sandbox: ToolSandbox;
    const saved: Todo[][] = [];
    beforeAll(async () => {
      sandbox = await open();
    });
    afterAll(async () => {
      await sandbox?.close();
    });

    const call = async (tool: string, input: unknown, context: Partial<ToolContext> = {}): Promise<ToolResult> => {
      const found = findTool(tool);
      if (found === null) throw new Error(`no tool ${tool}`);
      const result = await found.execute(input, {
        provider: sandbox.provider,
        sandboxId: sandbox.sandboxId,
        toolCallId: `call-${++calls}`,
        attempt: 1,
        sameBoot: true,
        signal: new AbortController().signal,
        onOutput: () => {},
        saveTodos: async (todos) => {
          saved.push([...todos]);
        },
        ...context,
      });
      // What a tool answers is stored as JSON.
      expect(JSON.parse(JSON.stringify(result.output))).toEqual(result.output);
      return result;
    };
    const bash = (command: string) => call("bash", { command });
    const content = async (path: string) => (await sandbox.provider.readFile(sandbox.sandboxId, path)).bytes.toString();

    describe("bash", () => {
      test("returns output, error output and the exit code, also when the command fails", async () => {
        const result = await bash("echo out; echo err >&2; exit 3");
        expect(result).toMatchObject({
          ok: true,
          output: { stdout: "out\n", stderr: "err\n", exitCode: 3, timedOut: false },
        });
      });

      test("no quote, dollar or line break of the command is changed", async () => {
        const result = await bash(`x='a "b" $c'\necho "$x" \`echo 1\` $# \\\n end`);
        expect(result.output.stdout).toBe('a "b" $c 1 0 end\n');
      });

      test("runs in the workspace, or in the folder that cwd names", async () => {
        expect((await bash("mkdir -p sub && pwd")).output.stdout).toMatch(/\/workspace\n$/);
        expect((await call("bash", { command: "pwd", cwd: "sub" })).output.stdout).toMatch(/\/workspace\/sub\n$/);
      });

      test("a folder that is not there is named, and nothing runs", async () => {
        const result = await call("bash", { command: "touch /workspace/ran", cwd: "no/such" });
        expect(result).toMatchObject({ ok: false, output: { error: "not_found" } });
        expect(result.output.message).toContain("/workspace/no/such");
      });

      test("output over the limit keeps its two ends and says how much is missing", async () => {
        const result = await bash("echo first; seq 1 40000; echo last; echo problem >&2");
        const stdout = String(result.output.stdout);
        expect(stdout.length).toBeLessThan(BASH_MAX_OUTPUT_CHARS + 100);
        expect(stdout.startsWith("first\n1\n")).toBe(true);
        expect(stdout.endsWith("40000\nlast\n")).toBe(true);
        expect(stdout).toMatch(/\[… \d+ characters left out …\]/);
        expect(result.output.stderr).toBe("problem\n");
      });

      test("bytes that JSON or the database cannot hold come out as text", async () => {
        const result = await bash("printf 'a\\0b\\xff\\xf0\\x9f\\x98\\x80'");
        expect(result.output.stdout).toBe("a\u2400b\ufffd😀");
      });

      test("a command over its time is killed and says so", async () => {
        const result = await call("bash", { command: "echo before; sleep 60", timeoutMs: 400 });
        expect(result).toMatchObject({ ok: false, output: { error: "timed_out", timedOut: true, stdout: "before\n" } });
      });

      test("a second attempt attaches to the same command and tells its real result", async () => {
        const input = { command: "echo once >> attempts.txt; cat attempts.txt" };
        const toolCallId = `call-twice-${++calls}`;
        await call("bash", input, { toolCallId });
        const again = await call("bash", input, { toolCallId, attempt: 2 });
        expect(again).toMatchObject({ ok: true, output: { stdout: "once\n", exitCode: 0 } });
        expect(await content("/workspace/attempts.txt")).toBe("once\n");
      });

      test("a second attempt after a restart of the sandbox runs nothing and says that the outcome is unknown", async () => {
        const context = { attempt: 2, sameBoot: false };
        const result = await call("bash", { command: "touch must-not-exist" }, context);
        expect(result).toMatchObject({ ok: false, output: { error: "unknown_outcome" } });
        expect(await sandbox.provider.stat(sandbox.sandboxId, "/workspace/must-not-exist")).toBeNull();
      });

      test("a stop kills the command and what it started, and keeps what it said", async () => {
        const stop = new AbortController();
        const running = call(
          "bash",
          { command: "echo $$ > pid.txt; echo started; sleep 300 & wait" },
          { signal: stop.signal, onOutput: () => stop.abort() },
        );
        expect(await running).toMatchObject({
          ok: false,
          output: { error: "stopped", stopped: true, stdout: "started\n" },
        });
        // At once, not only by the harder kill that follows when a command does not listen.
        expect((await running).output.durationMs).toBeLessThan(2_500);
        expect((await bash("kill -0 $(cat pid.txt)")).output.exitCode).not.toBe(0);
      });

      test("a lost lease leaves the command running for the next owner", async () => {
        const lost = new AbortController();
        const toolCallId = `call-lease-${++calls}`;
        const input = { command: "echo started; until [ -e go ]; do sleep 0.05; done; echo ended" };
        const first = await call("bash", input, {
          toolCallId,
          signal: lost.signal,
          onOutput: () => lost.abort(LEASE_LOST),
        });
        expect(first).toMatchObject({ ok: false, output: { error: "lease_lost" } });
        await bash("touch go");
        const second = await call("bash", input, { toolCallId, attempt: 2 });
        expect(second).toMatchObject({ ok: true, output: { stdout: "started\nended\n", exitCode: 0 } });
      });

      test("a background command is left running, and one that fails at once is told", async () => {
        const toolCallId = `call-bg-${++calls}`;
        const started = await call("bash", { command: "echo up; sleep 300", background: true }, { toolCallId });
        expect(started).toMatchObject({ ok: true, output: { running: true, stdout: "up\n", exitCode: null } });
        await sandbox.provider.kill(sandbox.sandboxId, toolCallId, "SIGKILL");
        const broken = await call("bash", { command: "echo no >&2; exit 7", background: true });
        expect(broken).toMatchObject({ ok: true, output: { running: false, stderr: "no\n", exitCode: 7 } });
      });
    });

    describe("read, write and edit", () => {
      test("what was written is read back with line numbers", async () => {
        const written = await call("write", { path: "a/b/new.txt", content: "one\ntwo\n" });
        expect(written).toMatchObject({
          ok: true,
          output: { path: "/workspace/a/b/new.txt", created: true, sizeBytes: 8 },
        });
        const read = await call("read", { path: "/workspace/a/b/new.txt" });
        expect(read.output).toMatchObject({
          content: "1\tone\n2\ttwo",
          firstLine: 1,
          lastLine: 2,
          totalLines: 2,
          truncated: false,
        });
        expect((await call("write", { path: "a/b/new.txt", content: "x" })).output.created).toBe(false);
      });

      test("a long file is read page by page without a gap", async () => {
        await bash("seq 1 5000 > long.txt");
        const first = await call("read", { path: "long.txt" });
        expect(first.output).toMatchObject({ firstLine: 1, lastLine: 2000, totalLines: 5000, truncated: true });
        const last = await call("read", { path: "long.txt", offsetLine: 4999, limitLines: 10 });
        expect(last.output).toMatchObject({ content: "4999\t4999\n5000\t5000", truncated: false });
        expect(await call("read", { path: "long.txt", offsetLine: 6000 })).toMatchObject({
          ok: false,
          output: { error: "past_the_end", totalLines: 5000 },
        });
      });

      test("a line far inside a file of several megabytes is found", async () => {
        await bash("seq 1 600000 > big.txt");
        const read = await call("read", { path: "big.txt", offsetLine: 500_000, limitLines: 1 });
        expect(read.output.content).toBe("500000\t500000");
      });

      test("an empty file, a folder, a binary file and nothing are told apart", async () => {
        await bash("touch empty.txt; printf 'a\\0b' > blob.bin; printf '\\x89PNG\\0' > p.png");
        expect(await call("read", { path: "empty.txt" })).toMatchObject({
          ok: true,
          output: { content: "", totalLines: 0 },
        });
        expect(await call("read", { path: "." })).toMatchObject({ ok: false, output: { error: "is_a_directory" } });
        expect((await call("read", { path: "blob.bin" })).output.note).toContain("binary");
        expect((await call("read", { path: "p.png" })).output.note).toContain("image");
        expect(await call("read", { path: "nowhere.txt" })).toMatchObject({
          ok: false,
          output: { error: "not_found" },
        });
      });

      test.each(["/etc/passwd", "../etc/passwd", "/workspace", "/home/other/x", "/workspaces/x"])(
        "writing to %s is refused in words",
        async (path) => {
          expect(await call("write", { path, content: "x" })).toMatchObject({ ok: false });
          expect(await call("edit", { path, oldString: "a", newString: "b" })).toMatchObject({ ok: false });
        },
      );

      test("edit changes the one match, and nothing in either text is special", async () => {
        await call("write", { path: "e.txt", content: "price: .* (old)\nend\n" });
        const edited = await call("edit", { path: "e.txt", oldString: ".* (old)", newString: "$& $1 \\n" });
        expect(edited).toMatchObject({ ok: true, output: { replacements: 1, line: 1 } });
        expect(await content("/workspace/e.txt")).toBe("price: $& $1 \\n\nend\n");
      });

      test("edit keeps the mode of the file", async () => {
        await bash("printf 'echo a\\n' > run.sh; chmod 755 run.sh");
        await call("edit", { path: "run.sh", oldString: "echo a", newString: "echo b" });
        expect((await bash("./run.sh")).output.stdout).toBe("b\n");
      });

      test("edit of text that is not there names the nearest line, and of text that is there twice how often", async () => {
        await call("write", { path: "n.txt", content: "const total = sum(items);\nreturn total;\nx\nx\n" });
        const missing = await call("edit", { path: "n.txt", oldString: "const totl = sum(item);", newString: "y" });
        expect(missing).toMatchObject({ ok: false, output: { error: "no_match", nearest: [{ line: 1 }] } });
        const twice = await call("edit", { path: "n.txt", oldString: "x\n", newString: "y\n" });
        expect(twice).toMatchObject({ ok: false, output: { error: "not_unique", matches: 2, lines: [3, 4] } });
        const all = await call("edit", { path: "n.txt", oldString: "x\n", newString: "y\n", replaceAll: true });
        expect(all).toMatchObject({ ok: true, output: { replacements: 2 } });
      });

      test("an edit that a second attempt finds applied is a success and is not applied twice", async () => {
        await call("write", { path: "t.txt", content: "a\n" });
        const input = { path: "t.txt", oldString: "a", newString: "ab" };
        await call("edit", input);
        expect(await call("edit", input, { attempt: 2 })).toMatchObject({ ok: true, output: { alreadyApplied: true } });
        expect(await content("/workspace/t.txt")).toBe("ab\n");
      });

      test("a file in another encoding is refused rather than damaged", async () => {
        await bash("printf 'caf\\xe9\\n' > latin.txt");
        const edit = await call("edit", { path: "latin.txt", oldString: "caf", newString: "x" });
        expect(edit).toMatchObject({ ok: false, output: { error: "not_text" } });
      });
    });

    describe("grep and glob", () => {
      beforeAll(async () => {
        const made = await bash(
          [
            "mkdir -p repo/src/deep repo/node_modules/dep repo/ignored && cd repo && git init -q .",
            "echo ignored/ > .gitignore; echo node_modules/ >> .gitignore",
            "printf 'needle one\\nNEEDLE two\\n' > src/a.ts; echo 'needle $(touch pwned)' > src/deep/b.md",
            "echo needle > node_modules/dep/index.js; echo needle > ignored/c.txt",
            "for i in $(seq 1 30); do echo 'many here'; done > many.txt; head -c 5000 /dev/zero | tr '\\0' x > wide.txt; echo ' wide' >> wide.txt",
            "echo 'needle with space' > 'src/with space.ts'; touch -d '2020-01-01' src/a.ts",
          ].join("\n"),
        );
        expect(made.output.exitCode).toBe(0);
      });
      const hits = (result: ToolResult) =>
        (result.output.hits as { path: string; line: number; text: string }[])
          .map(({ path, line }) => `${path}:${line}`)
          .sort();

      test("grep finds lines, leaves out what git ignores, and takes a glob and a case", async () => {
        expect(hits(await call("grep", { pattern: "ne+dle", path: "repo" }))).toEqual([
          "repo/src/a.ts:1",
          "repo/src/deep/b.md:1",
          "repo/src/with space.ts:1",
        ]);
        expect(
          hits(await call("grep", { pattern: "needle", path: "repo", caseSensitive: false, glob: "a.*" })),
        ).toEqual(["repo/src/a.ts:1", "repo/src/a.ts:2"]);
        expect(hits(await call("grep", { pattern: "needle", path: "repo/src/deep/b.md" }))).toEqual([
          "repo/src/deep/b.md:1",
        ]);
      });

      test("grep searches an ignored folder when it is named, and works outside a repository", async () => {
        expect(hits(await call("grep", { pattern: "needle", path: "repo/node_modules/dep" }))).toEqual([
          "repo/node_modules/dep/index.js:1",
        ]);
        await bash("mkdir -p plain && echo needle > plain/x.txt");
        expect(hits(await call("grep", { pattern: "needle", path: "plain" }))).toEqual(["plain/x.txt:1"]);
      });

      test("grep stops at its limits and says so", async () => {
        const many = await call("grep", { pattern: "many", path: "repo" });
        expect(hits(many)).toHaveLength(10);
        expect(many.output.truncated).toBe(true);
        const wide = await call("grep", { pattern: "wide", path: "repo" });
        expect(JSON.stringify(wide.output).length).toBeLessThan(600);
      });

      test("nothing found is a success without hits; a pattern that cannot be read gets grep's own words", async () => {
        expect(await call("grep", { pattern: "no such words", path: "repo" })).toMatchObject({
          ok: true,
          output: { hits: [] },
        });
        const broken = await call("grep", { pattern: "(", path: "repo" });
        expect(broken).toMatchObject({ ok: false, output: { error: "grep_failed" } });
        expect(String(broken.output.message)).toContain("grep:");
      });

      test("no argument is read by a shell or as an option", async () => {
        expect(hits(await call("grep", { pattern: "$(touch pwned)", path: "repo" }))).toEqual([]);
        await call("glob", { pattern: "$(touch pwned)*;`touch pwned`" });
        await call("glob", { pattern: "-delete" });
        expect(await call("grep", { pattern: "--help", path: "repo" })).toMatchObject({
          ok: true,
          output: { hits: [] },
        });
        expect((await bash("find . -name pwned")).output.stdout).toBe("");
      });

      test("glob finds files at any depth, newest first, without the folders nobody asked for", async () => {
        const found = await call("glob", { pattern: "*.ts", path: "repo" });
        expect(found.output.paths).toEqual(["repo/src/with space.ts", "repo/src/a.ts"]);
        expect((await call("glob", { pattern: "src/**/*.{md,ts}", path: "repo" })).output.total).toBe(3);
        expect((await call("glob", { pattern: "*.js", path: "repo" })).output.paths).toEqual([]);
        expect((await call("glob", { pattern: "node_modules/**/*.js", path: "repo" })).output.total).toBe(1);
        expect((await call("glob", { pattern: "/workspace/repo/*.txt", limit: 1 })).output).toMatchObject({
          total: 2,
          truncated: true,
        });
        expect(await call("glob", { pattern: "*", path: "nowhere" })).toMatchObject({
          ok: false,
          output: { error: "not_found" },
        });
      });
    });

    test("todo saves the whole list, and refuses two entries with one id", async () => {
      const todos = [{ id: "1", content: "a", status: "pending" as const }];
      expect(await call("todo", { todos })).toMatchObject({ ok: true, output: { saved: 1, open: 1 } });
      expect(saved.at(-1)).toEqual(todos);
      expect(await call("todo", { todos: [...todos, ...todos] })).toMatchObject({ ok: false });
    });

    test("an unknown field is refused with its name, and nothing runs", async () => {
      const result = await call("bash", { command: "touch never", extra: 1 });
      expect(result).toMatchObject({ ok: false, output: { error: "invalid_input" } });
      expect(String(result.output.message)).toContain("extra");
    });

    test("a call whose turn was stopped before does nothing", async () => {
      const result = await call("write", { path: "never", content: "" }, { signal: AbortSignal.abort() });
      expect(result).toMatchObject({ ok: false, output: { error: "stopped" } });
    });
  });
}
