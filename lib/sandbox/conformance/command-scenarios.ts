import assert from "node:assert/strict";
import { collect, eventually, refuses, type Scenario } from "./target";

const KIB = 1024;

export const commandScenarios: readonly Scenario[] = [
  {
    name: "exec gives output, exit code and what the environment says",
    needs: [],
    async run(context) {
      const { id } = await context.create({ env: { COLOUR: "blue" } });
      const heard: string[] = [];
      const result = await context.provider.exec(id, {
        command: "echo $COLOUR $SIZE; echo trouble >&2; pwd; exit 7",
        cwd: "/home/user",
        env: { SIZE: "9" },
        onOutput: (stream, bytes) => heard.push(`${stream}:${Buffer.from(bytes)}`),
      });
      assert.equal(result.stdout.toString(), "blue 9\n/home/user\n");
      assert.equal(result.stderr.toString(), "trouble\n");
      assert.deepEqual(
        [result.exitCode, result.signal, result.timedOut, result.droppedBytes, result.error],
        [7, null, false, 0, undefined],
      );
      assert.ok(heard.join("").includes("trouble"));
    },
  },
  {
    name: "exec takes an argument vector as it is",
    needs: [],
    async run(context) {
      const { id } = await context.create();
      const result = await context.provider.exec(id, { command: ["echo", "$HOME; exit 1", "a  b"] });
      assert.equal(result.stdout.toString(), "$HOME; exit 1 a  b\n");
    },
  },
  {
    name: "exec feeds stdin and closes it",
    needs: [],
    async run(context) {
      const { id } = await context.create();
      const stdin = "x".repeat(300 * KIB);
      const result = await context.provider.exec(id, { command: ["cat"], stdin });
      assert.equal(result.stdout.toString(), stdin);
      assert.equal((await context.provider.exec(id, { command: "cat", stdin: "" })).stdout.length, 0);
    },
  },
  {
    name: "a command that cannot be started says so",
    needs: [],
    async run(context) {
      const { id } = await context.create();
      const missing = await context.provider.exec(id, { command: ["/nonexistent"] });
      assert.ok(missing.error);
      assert.notEqual(missing.exitCode, 0);
      assert.ok((await context.provider.exec(id, { command: "true", cwd: "/nonexistent" })).error);
      await context.provider.spawn(id, { commandId: "bad", command: ["/nonexistent"] });
      assert.ok((await context.follow(id, "bad")).exit.error);
    },
  },
  {
    name: "exec is killed at its deadline and by its signal",
    needs: [],
    async run(context) {
      const { id } = await context.create();
      const late = await context.provider.exec(id, { command: "echo begun; sleep 1000", timeoutMs: 300 });
      assert.deepEqual([late.timedOut, late.exitCode, late.stdout.toString()], [true, null, "begun\n"]);
      const controller = new AbortController();
      const running = context.provider.exec(id, {
        command: "echo begun; sleep 1000",
        signal: controller.signal,
        onOutput: () => controller.abort(),
      });
      await refuses(running, "transient", "aborted");
      await refuses(
        context.provider.exec(id, { command: "true", signal: AbortSignal.abort() }),
        "transient",
        "aborted",
      );
    },
  },
  {
    name: "exec keeps the first bytes of its output and counts the rest",
    needs: [],
    async run(context) {
      const { id } = await context.create();
      await context.provider.writeFile(id, "/workspace/big", `start${"x".repeat(300 * KIB)}`);
      const result = await context.provider.exec(id, { command: "cat big", outputCapBytes: 1_000 });
      assert.equal(result.stdout.length, 1_000);
      assert.equal(result.stdout.subarray(0, 5).toString(), "start");
      assert.equal(result.droppedBytes, 300 * KIB + 5 - 1_000);
    },
  },
  {
    name: "spawn starts a command once, also when it is called twice at once",
    needs: [],
    async run(context) {
      const { id } = await context.create();
      const command = { commandId: "once", command: "echo ran >> log; sleep 0.2; cat log" };
      await Promise.all([1, 2, 3, 4].map(() => context.provider.spawn(id, command)));
      assert.equal((await context.follow(id, "once")).output, "ran\n");
      await context.provider.spawn(id, command);
      assert.equal((await context.follow(id, "once")).output, "ran\n");
    },
  },
  {
    name: "every follower of a command gets the whole of it, early or late",
    needs: [],
    async run(context) {
      const { id } = await context.create();
      await context.provider.spawn(id, { commandId: "c", command: "echo a; sleep 0.2; echo b >&2; exit 4" });
      const early = await Promise.all([context.follow(id, "c"), context.follow(id, "c")]);
      const late = await context.follow(id, "c");
      for (const { output, exit } of [...early, late]) {
        assert.equal(output, "a\nb\n");
        assert.deepEqual(exit, { exitCode: 4, signal: null, timedOut: false, droppedBytes: 0 });
      }
      await refuses(context.follow(id, "unknown"), "not_found");
    },
  },
  {
    name: "a spawned command keeps the newest bytes of its output",
    needs: [],
    async run(context) {
      const { id } = await context.create();
      await context.provider.writeFile(id, "/workspace/big", `${"x".repeat(300 * KIB)}end`);
      await context.provider.spawn(id, { commandId: "c", command: "cat big", outputCapBytes: 10_000 });
      await eventually(async () => (await context.provider.commands(id))[0]?.exit);
      const { output, exit } = await context.follow(id, "c");
      assert.equal(output.length, 10_000);
      assert.ok(output.endsWith("end"));
      assert.equal(exit.droppedBytes, 300 * KIB + 3 - 10_000);
    },
  },
  {
    name: "to stop following a command does not stop the command",
    needs: [],
    async run(context) {
      const { id } = await context.create();
      await context.provider.spawn(id, { commandId: "c", command: "echo up; sleep 0.4; echo done" });
      const controller = new AbortController();
      for await (const event of context.provider.attach(id, "c", controller.signal)) {
        assert.equal(event.type, "output");
        controller.abort();
      }
      const events = [];
      for await (const event of context.provider.attach(id, "c")) events.push(event);
      assert.equal(collect(events).output, "up\ndone\n");
    },
  },
  {
    name: "kill ends a command within two seconds; unknown and ended ones are success",
    needs: [],
    async run(context) {
      const { id } = await context.create();
      for (const signal of ["SIGTERM", "SIGKILL", "SIGINT"] as const) {
        await context.provider.spawn(id, { commandId: signal, command: ["sleep", "1000"] });
        const started = Date.now();
        await context.provider.kill(id, signal, signal);
        const { exit } = await context.follow(id, signal);
        assert.ok(Date.now() - started < 2_500);
        assert.deepEqual([exit.exitCode, exit.signal], [null, signal]);
        await context.provider.kill(id, signal, signal);
      }
      await context.provider.kill(id, "unknown");
    },
  },
  {
    name: "a spawned command is killed at its deadline",
    needs: [],
    async run(context) {
      const { id } = await context.create();
      await context.provider.spawn(id, { commandId: "c", command: "sleep 1000", timeoutMs: 200 });
      assert.equal((await context.follow(id, "c")).exit.timedOut, true);
    },
  },
  {
    name: "commands reports what is needed to start a dev server again",
    needs: [],
    async run(context) {
      const { id } = await context.create();
      await context.provider.writeFile(id, "/workspace/app/x", "");
      const server = { commandId: "dev", command: "sleep 1000", cwd: "/workspace/app", background: true };
      await context.provider.spawn(id, server);
      await context.provider.spawn(id, { commandId: "short", command: ["echo", "hello", "you"] });
      await context.follow(id, "short");
      const [dev, short] = await context.provider.commands(id);
      assert.ok(dev && short);
      assert.deepEqual(
        [dev.commandId, dev.command, dev.cwd, dev.background, dev.exit],
        ["dev", "sleep 1000", "/workspace/app", true, null],
      );
      assert.deepEqual([short.command, short.background, short.exit?.exitCode], ["echo hello you", false, 0]);
      assert.ok(Math.abs(dev.startedAt.getTime() - Date.now()) < 60_000);
    },
  },
  {
    name: "kill reaches the whole process group, even one that ignores SIGTERM",
    needs: ["shell"],
    async run(context) {
      const { id } = await context.create();
      const command = "trap '' TERM; (trap '' TERM; exec sleep 1234) & echo up; while true; do sleep 0.1; done";
      await context.provider.spawn(id, { commandId: "stubborn", command });
      for await (const _event of context.provider.attach(id, "stubborn")) break;
      const started = Date.now();
      await context.provider.kill(id, "stubborn");
      assert.ok(Date.now() - started < 2_500);
      assert.equal((await context.follow(id, "stubborn")).exit.signal, "SIGKILL");
      assert.equal(await context.output(id, "pgrep -fx 'sleep 1234' || echo none"), "none\n");
    },
  },
  {
    name: "what an ended command left in the background neither delays its exit nor dies of it",
    needs: ["shell"],
    async run(context) {
      const { id } = await context.create();
      const command = "(for i in $(seq 1 20); do echo noise; sleep 0.05; done; echo survived > proof) & echo started";
      const started = Date.now();
      await context.provider.spawn(id, { commandId: "c", command });
      assert.equal((await context.follow(id, "c")).exit.exitCode, 0);
      assert.ok(Date.now() - started < 900, "the exit came before the child was done");
      await eventually(() => context.provider.stat(id, "/workspace/proof"));
    },
  },
  {
    name: "a flood of output neither fills the memory nor blocks other commands",
    needs: ["shell"],
    async run(context) {
      const { id } = await context.create();
      await context.provider.spawn(id, {
        commandId: "flood",
        command: "yes",
        outputCapBytes: 64 * KIB,
        timeoutMs: 1_500,
      });
      assert.equal(await context.output(id, "echo alive"), "alive\n");
      const { output, exit } = await context.follow(id, "flood");
      assert.ok(output.length >= 64 * KIB - 2);
      assert.ok(exit.droppedBytes > KIB * KIB && exit.timedOut);
    },
  },
];
