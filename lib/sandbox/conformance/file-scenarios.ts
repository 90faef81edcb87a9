import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { refuses, type Scenario } from "./target";

export const fileScenarios: readonly Scenario[] = [
  {
    name: "a file comes back byte for byte, in pieces too, and keeps its mode when replaced",
    needs: [],
    async run(context) {
      const { provider } = context;
      const { id } = await context.create();
      const bytes = randomBytes(3_000_000);
      await provider.writeFile(id, "/workspace/deep/er/f.bin", bytes, 0o755);
      const whole = await provider.readFile(id, "/workspace/deep/er/f.bin");
      assert.ok(whole.bytes.equals(bytes));
      assert.deepEqual([whole.sizeBytes, whole.mode], [bytes.length, 0o755]);
      const piece = await provider.readFile(id, "/workspace/deep/er/f.bin", { offsetBytes: 1_000_000, maxBytes: 10 });
      assert.ok(piece.bytes.equals(bytes.subarray(1_000_000, 1_000_010)));
      assert.equal(piece.sizeBytes, bytes.length);
      await provider.writeFile(id, "/workspace/deep/er/f.bin", "short");
      assert.equal((await provider.stat(id, "/workspace/deep/er/f.bin"))?.mode, 0o755);
      await provider.writeFile(id, "/workspace/empty", "");
      assert.equal((await provider.readFile(id, "/workspace/empty")).sizeBytes, 0);
      const names = (await provider.listFiles(id, "/workspace/deep/er")).map(({ name }) => name);
      assert.deepEqual(names, ["f.bin"], "no temporary file is left");
    },
  },
  {
    name: "a folder is listed by name, and stat tells what is there",
    needs: [],
    async run(context) {
      const { provider } = context;
      const { id } = await context.create();
      for (const name of ["b", "a", "ä", "c/d"]) await provider.writeFile(id, `/workspace/${name}`, name);
      const entries = await provider.listFiles(id, "/workspace");
      assert.deepEqual(
        entries.map(({ name, path, type }) => [name, path, type]),
        [
          ["a", "/workspace/a", "file"],
          ["b", "/workspace/b", "file"],
          ["c", "/workspace/c", "directory"],
          ["ä", "/workspace/ä", "file"],
        ],
      );
      assert.equal(entries[3]?.sizeBytes, 2);
      assert.equal((await provider.listFiles(id, "/workspace", 2)).length, 2);
      assert.equal((await provider.stat(id, "/workspace/c"))?.type, "directory");
      assert.equal(await provider.stat(id, "/workspace/none"), null);
      assert.equal(await provider.stat(id, "/workspace/a/under-a-file"), null);
    },
  },
  {
    name: "paths that lead nowhere are refused by kind",
    needs: [],
    async run(context) {
      const { provider } = context;
      const { id } = await context.create();
      await provider.writeFile(id, "/workspace/f", "x");
      await refuses(provider.readFile(id, "/workspace/none"), "not_found");
      await refuses(provider.listFiles(id, "/workspace/none"), "not_found");
      await refuses(provider.readFile(id, "/workspace"), "permanent", "not_a_file");
      await refuses(provider.writeFile(id, "/workspace", "x"), "permanent", "not_a_file");
      await refuses(provider.listFiles(id, "/workspace/f"), "permanent", "not_a_directory");
      await refuses(provider.writeFile(id, "/workspace/f/under", "x"), "permanent", "not_a_directory");
      for (const bad of [
        "/workspace/a\0b",
        "relative",
        "",
        `/${"a/".repeat(3_000)}`,
        `/workspace/${"n".repeat(300)}`,
      ]) {
        await refuses(provider.readFile(id, bad), "permanent", "bad_path");
        await refuses(provider.writeFile(id, bad, "x"), "permanent", "bad_path");
        await refuses(provider.listFiles(id, bad), "permanent", "bad_path");
      }
    },
  },
  {
    name: "links and odd files never lead out, never hang and never show the kernel's files",
    needs: ["shell"],
    async run(context) {
      const { provider } = context;
      const { id } = await context.create();
      await context.output(
        id,
        [
          "ln -s /etc/shadow shadow; ln -s /proc/self/environ env; ln -s /proc proc; ln -s loop loop; mkfifo fifo",
          "ln -s / root; ln -s /dev/zero zero; ln -s target link; echo through > target; chmod 600 target",
          "ln -s /nowhere/at/all dangling; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"sock\")' || true",
        ].join("\n"),
      );
      await refuses(provider.readFile(id, "/workspace/shadow"), "not_found");
      for (const name of ["env", "fifo", "zero", "proc/1/environ", "proc/self/status"]) {
        await refuses(provider.readFile(id, `/workspace/${name}`), "permanent", "not_a_file");
      }
      await refuses(provider.readFile(id, "/workspace/loop"), "permanent", "bad_path");
      await refuses(provider.writeFile(id, "/workspace/fifo", "x"), "permanent", "not_a_file");
      await refuses(provider.writeFile(id, "/workspace/root/usr/x", "x"), "permanent", "denied");
      await refuses(provider.writeFile(id, "/workspace/root/etc/passwd", "x"), "permanent", "denied");
      await refuses(provider.writeFile(id, "/workspace/proc/sys/kernel/hostname", "x"), "permanent");
      await refuses(provider.readFile(id, "/workspace/../../../../root/.ssh/id_rsa"), "not_found");
      assert.equal((await provider.stat(id, "/workspace/link"))?.type, "symlink");
      assert.equal((await provider.stat(id, "/workspace/fifo"))?.type, "other");
      await provider.writeFile(id, "/workspace/link", "written");
      assert.equal((await provider.stat(id, "/workspace/link"))?.type, "symlink");
      const target = await provider.readFile(id, "/workspace/target");
      assert.deepEqual([target.bytes.toString(), target.mode], ["written", 0o600]);
      await provider.writeFile(id, "/workspace/dangling", "plain");
      assert.equal((await provider.stat(id, "/workspace/dangling"))?.type, "file");
    },
  },
  {
    name: "ten times to sleep and back leave every byte, mode, link and git object as they were",
    needs: ["shell"],
    async run(context) {
      const { provider } = context;
      const spec = await context.create();
      await context.output(
        spec.id,
        [
          "git init -q -b main . && mkdir -p src/deep && echo code > src/deep/a.txt && git add . && git commit -q -m one",
          "dd if=/dev/urandom of=contiguous bs=1M count=64 status=none",
          "for i in 0 7 19 40; do dd if=/dev/urandom of=scattered bs=1M count=1 seek=$i conv=notrunc status=none; done",
          "dd if=/dev/zero of=zeroed bs=1M count=8 status=none; truncate -s 100M zeroed; truncate -s 50M zeroed",
          "ln -s src/deep/a.txt link; ln contiguous hard; chmod 751 zeroed; mkdir -m 1733 sticky; mkdir empty",
          "echo staged > src/staged && git add src/staged && echo open > src/open",
        ].join("\n"),
      );
      const sums =
        "find . -path ./.git -prune -o -printf '%p %m %y %l %s %n\\n' | sort; find . -type f -not -path './.git/*' | sort | xargs -d '\\n' sha256sum; git status --porcelain; git stash list";
      const before = await context.output(spec.id, sums);
      for (let round = 0; round < 10; round += 1) {
        await provider.hibernate(spec.id);
        await provider.resume(spec);
      }
      assert.equal(await context.output(spec.id, sums), before);
      await context.output(
        spec.id,
        "git fsck --strict && git mv src/deep src/moved && mv src renamed && mv renamed src",
      );
    },
  },
];
