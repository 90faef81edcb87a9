import assert from "node:assert/strict";
import { refuses, type Scenario } from "./target";

export const lifecycleScenarios: readonly Scenario[] = [
  {
    name: "create brings up an empty workspace, and a second create adopts it",
    needs: [],
    async run(context) {
      const spec = await context.create();
      assert.deepEqual(await context.provider.listFiles(spec.id, "/workspace"), []);
      await context.provider.writeFile(spec.id, "/workspace/kept", "1");
      const before = await context.provider.peek(spec.id);
      assert.equal(before.state, "running");
      await context.provider.create(spec);
      assert.deepEqual(await context.provider.peek(spec.id), before);
      assert.equal((await context.provider.readFile(spec.id, "/workspace/kept")).bytes.toString(), "1");
    },
  },
  {
    name: "concurrent creates of one id make one sandbox",
    needs: [],
    async run(context) {
      const spec = context.spec();
      await Promise.all([1, 2, 3].map(() => context.provider.create(spec)));
      const listed = (await context.provider.list()).filter(({ id }) => id === spec.id);
      assert.equal(listed.length, 1);
    },
  },
  {
    name: "what is not there is missing to peek, not_found to everything else, and success to destroy",
    needs: [],
    async run(context) {
      const spec = context.spec();
      const { provider } = context;
      assert.deepEqual(await provider.peek(spec.id), { id: spec.id, state: "missing", bootId: null, snapshot: null });
      await refuses(provider.resume(spec), "not_found");
      await refuses(provider.hibernate(spec.id), "not_found");
      await refuses(provider.fork(spec.id, context.spec()), "not_found");
      await refuses(provider.exec(spec.id, { command: "true" }), "not_found");
      await refuses(provider.setNetwork(spec.id, spec.network), "not_found");
      await provider.destroy(spec.id);
    },
  },
  {
    name: "an id that is not safe as a file name is refused",
    needs: [],
    async run(context) {
      for (const id of ["", "../x", "A", "a/b", "a".repeat(41), "a\0"]) {
        await refuses(context.provider.create({ ...context.spec(), id }), "permanent", "bad_id");
        await refuses(context.provider.destroy(id), "permanent", "bad_id");
      }
    },
  },
  {
    name: "hibernate keeps files and ends processes; resume brings back the one and not the other",
    needs: [],
    async run(context) {
      const { provider } = context;
      const spec = await context.create();
      await provider.writeFile(spec.id, "/workspace/a/b.txt", "kept", 0o640);
      await provider.writeFile(spec.id, "/home/user/dot", "home");
      await provider.spawn(spec.id, { commandId: "server", command: "sleep 1000", background: true });
      const before = await provider.peek(spec.id);
      const snapshot = await provider.hibernate(spec.id);
      const asleep = await provider.peek(spec.id);
      assert.equal(asleep.state, "hibernated");
      assert.equal(asleep.bootId, null);
      assert.deepEqual(asleep.snapshot, snapshot);
      await provider.resume(spec);
      const after = await provider.peek(spec.id);
      assert.equal(after.state, "running");
      assert.notEqual(after.bootId, before.bootId);
      const file = await provider.readFile(spec.id, "/workspace/a/b.txt");
      assert.equal(file.bytes.toString(), "kept");
      assert.equal(file.mode, 0o640);
      assert.equal((await provider.readFile(spec.id, "/home/user/dot")).bytes.toString(), "home");
      assert.deepEqual(await provider.commands(spec.id), []);
      await refuses(context.follow(spec.id, "server"), "not_found");
    },
  },
  {
    name: "hibernating twice gives the same snapshot, and reading never wakes",
    needs: [],
    async run(context) {
      const { provider } = context;
      const spec = await context.create();
      const first = await provider.hibernate(spec.id);
      assert.deepEqual(await provider.hibernate(spec.id), first);
      await provider.stats(spec.id);
      await provider.list();
      for (const operation of [
        () => provider.exec(spec.id, { command: "true" }),
        () => provider.readFile(spec.id, "/workspace/x"),
        () => provider.commands(spec.id),
        () => provider.listeningPorts(spec.id),
        () => context.follow(spec.id, "c"),
      ]) {
        await refuses(operation(), "gone");
      }
      assert.equal((await provider.peek(spec.id)).state, "hibernated");
    },
  },
  {
    name: "resume leaves a running sandbox alone",
    needs: [],
    async run(context) {
      const spec = await context.create();
      const before = await context.provider.peek(spec.id);
      await context.provider.resume(spec);
      assert.deepEqual(await context.provider.peek(spec.id), before);
    },
  },
  {
    name: "create wakes a hibernated sandbox with its files",
    needs: [],
    async run(context) {
      const spec = await context.create();
      await context.provider.writeFile(spec.id, "/workspace/kept", "1");
      await context.provider.hibernate(spec.id);
      await context.provider.create(spec);
      assert.equal((await context.provider.readFile(spec.id, "/workspace/kept")).bytes.toString(), "1");
    },
  },
  {
    name: "a snapshot that does not match its seal is refused, every time, and can be destroyed",
    needs: [],
    async run(context) {
      const { provider, target } = context;
      const spec = await context.create();
      await provider.writeFile(spec.id, "/workspace/a", "1");
      await provider.hibernate(spec.id);
      await target.damage(spec.id);
      await refuses(provider.resume(spec), "permanent", "snapshot_damaged");
      await refuses(provider.resume(spec), "permanent", "snapshot_damaged");
      assert.notEqual((await provider.peek(spec.id)).state, "running");
      await provider.destroy(spec.id);
      assert.equal((await provider.peek(spec.id)).state, "missing");
      await provider.create(spec);
      assert.deepEqual(await provider.listFiles(spec.id, "/workspace"), []);
    },
  },
  {
    name: "a fork and its origin live apart, and a second fork to the same id adopts the first",
    needs: [],
    async run(context) {
      const { provider } = context;
      const origin = await context.create();
      await provider.writeFile(origin.id, "/workspace/shared/f", "base");
      await refuses(provider.fork(origin.id, context.spec()), "conflict", "still_running");
      await provider.hibernate(origin.id);
      const copy = context.spec();
      await provider.fork(origin.id, copy);
      await provider.writeFile(copy.id, "/workspace/shared/f", "copy");
      await context.output(copy.id, "mv shared renamed");
      await provider.fork(origin.id, copy);
      assert.equal((await provider.readFile(copy.id, "/workspace/renamed/f")).bytes.toString(), "copy");
      assert.equal((await provider.peek(origin.id)).state, "hibernated");
      await provider.resume(origin);
      assert.equal((await provider.readFile(origin.id, "/workspace/shared/f")).bytes.toString(), "base");
      await provider.destroy(origin.id);
      assert.equal((await provider.readFile(copy.id, "/workspace/renamed/f")).bytes.toString(), "copy");
      await provider.hibernate(copy.id);
      await provider.resume(copy);
      assert.equal((await provider.readFile(copy.id, "/workspace/renamed/f")).bytes.toString(), "copy");
    },
  },
  {
    name: "destroy removes running and hibernated sandboxes and can be repeated",
    needs: [],
    async run(context) {
      const { provider } = context;
      const running = await context.create();
      const asleep = await context.create();
      await provider.hibernate(asleep.id);
      for (const { id } of [running, asleep]) {
        await provider.destroy(id);
        await provider.destroy(id);
        assert.equal((await provider.peek(id)).state, "missing");
      }
      const ids = (await provider.list()).map(({ id }) => id);
      assert.ok(!ids.includes(running.id) && !ids.includes(asleep.id));
    },
  },
  {
    name: "a sandbox that is lost says gone, to a follower too, and comes back from what was kept",
    needs: [],
    async run(context) {
      const { provider, target } = context;
      const spec = await context.create();
      await provider.writeFile(spec.id, "/workspace/kept", "1");
      await provider.hibernate(spec.id);
      await provider.resume(spec);
      await provider.spawn(spec.id, { commandId: "long", command: "echo up; sleep 1000" });
      const following = provider.attach(spec.id, "long")[Symbol.asyncIterator]();
      await following.next();
      const next = following.next();
      next.catch(() => {});
      await target.lose(spec.id);
      await refuses(next, "gone");
      await refuses(provider.exec(spec.id, { command: "true" }), "gone");
      assert.notEqual((await provider.peek(spec.id)).state, "running");
      await provider.resume(spec);
      assert.equal((await provider.readFile(spec.id, "/workspace/kept")).bytes.toString(), "1");
    },
  },
  {
    name: "files written since the last snapshot outlive the loss of the processes",
    needs: ["keeps-files-when-lost"],
    async run(context) {
      const { provider, target } = context;
      const spec = await context.create();
      await provider.writeFile(spec.id, "/workspace/fresh", "1");
      await context.output(spec.id, "sync");
      await target.lose(spec.id);
      const peek = await provider.peek(spec.id);
      assert.equal(peek.state, "hibernated");
      assert.ok(peek.snapshot);
      await provider.resume(spec);
      assert.equal((await provider.readFile(spec.id, "/workspace/fresh")).bytes.toString(), "1");
    },
  },
  {
    name: "sealAll hibernates every running sandbox",
    needs: [],
    async run(context) {
      const specs = [await context.create(), await context.create()];
      await context.provider.sealAll(30_000);
      for (const { id } of specs) assert.equal((await context.provider.peek(id)).state, "hibernated");
    },
  },
  {
    name: "a sandbox outlives the app: the next one adopts it with its commands and their whole output",
    needs: [],
    async run(context) {
      const spec = await context.create();
      const command = "echo one; sleep 0.3; echo two; exit 3";
      await context.provider.spawn(spec.id, { commandId: "c", command, cwd: "/workspace", background: true });
      const before = await context.provider.peek(spec.id);
      await context.restartApp();
      assert.deepEqual(await context.provider.peek(spec.id), before);
      const { output, exit } = await context.follow(spec.id, "c");
      assert.equal(output, "one\ntwo\n");
      assert.equal(exit.exitCode, 3);
      await context.provider.spawn(spec.id, { commandId: "c", command });
      assert.equal((await context.provider.commands(spec.id)).length, 1);
    },
  },
];
