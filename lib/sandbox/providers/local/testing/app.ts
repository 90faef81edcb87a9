import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { createInterface, type Interface } from "node:readline";

/** An app in a process of its own, to be killed at any moment. */
export class App {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private errors = "";

  constructor(stateDir: string, launcher: readonly string[] = []) {
    const here = path.resolve("lib/sandbox/providers/local/testing");
    const script = [path.join(here, "app-process.mjs"), path.join(here, "crashing-app.ts"), stateDir];
    const node = [process.execPath, "--experimental-transform-types", "--no-warnings", ...script];
    const [program = "", ...args] = [...launcher, ...node];
    this.child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
    this.child.stderr?.on("data", (bytes: Buffer) => {
      this.errors += bytes.toString("utf8");
    });
    if (!this.child.stdout) throw new Error("the app has no output");
    const reader: Interface = createInterface({ input: this.child.stdout });
    this.lines = reader[Symbol.asyncIterator]();
  }

  /** Gives an order without waiting for it. */
  begin(operation: string, id = "", text = ""): void {
    this.child.stdin?.write(`${JSON.stringify([operation, id, text])}\n`);
  }

  /** Gives an order and waits for what it gave; throws what it threw. */
  async call(operation: string, id = "", text = ""): Promise<unknown> {
    this.begin(operation, id, text);
    const line = await this.lines.next();
    if (line.done) throw new Error(`the app ended: ${this.errors}`);
    const answer = JSON.parse(line.value) as { ok?: unknown; error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.ok;
  }

  /** `kill -9`, and waits until it is dead. */
  async crash(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const dead = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    await dead;
  }
}
