import assert from "node:assert/strict";
import type { Duplex } from "node:stream";
import type { ScenarioContext } from "./target";
import { eventually, refuses, type Scenario } from "./target";

const MIB = 1024 * 1024;

const SERVER = `require("node:http").createServer((q, r) => r.end("hello " + q.url)).listen(+process.argv[1], process.argv[2])`;

async function serve(context: ScenarioContext, id: string, port: number, host: string): Promise<void> {
  const command = ["node", "-e", SERVER, String(port), host];
  await context.provider.spawn(id, { commandId: `server-${port}`, command, background: true });
  await eventually(async () => (await context.provider.listeningPorts(id)).some((each) => each.port === port));
}

async function readAll(connection: Duplex): Promise<string> {
  const parts: Buffer[] = [];
  for await (const bytes of connection as AsyncIterable<Buffer>) parts.push(bytes);
  return Buffer.concat(parts).toString("utf8");
}

/** What a sandbox is as a machine: network, tools, limits. */
export const machineScenarios: readonly Scenario[] = [
  {
    name: "dial reaches a server on either loopback; a closed port is not_found",
    needs: ["shell"],
    async run(context) {
      const { id } = await context.create();
      await serve(context, id, 4_001, "127.0.0.1");
      await serve(context, id, 4_002, "::1");
      for (const port of [4_001, 4_002]) {
        const connection = await context.provider.dial(id, port);
        connection.write("GET /there HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assert.match(await readAll(connection), /^HTTP\/1\.1 200[\s\S]*hello \/there/);
      }
      await refuses(context.provider.dial(id, 4_999), "not_found", "port_closed");
      await refuses(context.provider.dial(id, 70_000), "permanent", "bad_port");
    },
  },
  {
    name: "listeningPorts tells the command and folder of each server and hides our own port",
    needs: ["shell"],
    async run(context) {
      const { id } = await context.create();
      assert.deepEqual(await context.provider.listeningPorts(id), []);
      await context.output(id, "mkdir -p app");
      await serve(context, id, 4_003, "0.0.0.0");
      await context.provider.spawn(id, {
        commandId: "py",
        command: ["python3", "-m", "http.server", "4000"],
        cwd: "/workspace/app",
      });
      const ports = await eventually(async () => {
        const found = await context.provider.listeningPorts(id);
        return found.length === 2 && found;
      });
      assert.deepEqual(
        ports.map(({ port }) => port),
        [4_000, 4_003],
      );
      assert.deepEqual(ports[0]?.command.slice(1), ["-m", "http.server", "4000"]);
      assert.equal(ports[0]?.cwd, "/workspace/app");
    },
  },
  {
    name: "the tools are there, and the environment leads to the proxy and nowhere else",
    needs: ["shell"],
    async run(context) {
      const { id } = await context.create();
      await context.output(id, "git --version && bash --version && node --version && cat --version");
      assert.equal(
        await context.output(id, 'echo "$HOME $HTTP_PROXY $https_proxy $NODE_USE_ENV_PROXY $NO_PROXY"'),
        "/home/user http://127.0.0.1:3128 http://127.0.0.1:3128 1 localhost,127.0.0.1\n",
      );
      assert.equal(await context.output(id, "awk 'NR > 2 { print $1 }' /proc/net/dev"), "lo:\n");
      for (const place of ["/usr/x", "/etc/x", "/x", "/run/x", "/opt/x", "/etc/gitconfig"]) {
        await context.output(id, `! touch ${place} 2>/dev/null`);
      }
      await context.output(id, "touch /workspace/x /home/user/x /tmp/x /var/tmp/y");
      assert.equal(await context.output(id, "ls -A /home; test -e /root || echo no root"), "user\nno root\n");
      // Nothing that a command inherits leads to the socket by which the app speaks to the sandbox.
      const descriptors = await context.provider.exec(id, { command: ["ls", "-l", "/proc/self/fd"] });
      const targets = descriptors.stdout.toString().matchAll(/(\d) -> (\S+)/g);
      const other = [...targets].flatMap(([, fd, to]) => (Number(fd) > 2 ? [to] : []));
      assert.deepEqual([other.length, other[0], other[1]?.startsWith("/proc/")], [2, "/dev/null", true]);
      const { stderr } = await context.provider.exec(id, { command: "echo again > /dev/stderr" });
      assert.equal(stderr.toString(), "again\n");
    },
  },
  {
    name: "git is led to the gateway for the remote of the session, and setNetwork changes that at once",
    needs: ["shell"],
    async run(context) {
      const remote = 'https://host.example/a "b"\\c.git';
      const { id } = await context.create({ network: { allow: [], gitRemote: remote } });
      const rewritten = () =>
        context.output(id, `git init -q . && git ls-remote --get-url '${remote}' && git config user.name`);
      assert.equal(await rewritten(), "http://git.internal/repo\nDormouse\n");
      await context.provider.setNetwork(id, { allow: [], gitRemote: null });
      assert.equal(await rewritten(), `${remote}\nDormouse\n`);
    },
  },
  {
    name: "a memory hog is killed and the sandbox lives on",
    needs: ["shell"],
    async run(context) {
      const { id } = await context.create({ limits: { memoryBytes: 256 * MIB } });
      const hog = "const held = []; for (;;) held.push(Buffer.alloc(8 << 20, 1))";
      const result = await context.provider.exec(id, { command: ["node", "-e", hog], timeoutMs: 50_000 });
      assert.equal(result.timedOut, false);
      assert.equal(result.signal, "SIGKILL");
      assert.equal(await context.output(id, "echo alive"), "alive\n");
    },
  },
  {
    name: "a fork bomb stays inside its limit and ends with its sandbox",
    needs: ["shell"],
    async run(context) {
      const { provider } = context;
      const spec = await context.create({ limits: { processes: 100 } });
      const neighbour = await context.create();
      await provider.spawn(spec.id, { commandId: "bomb", command: "bomb() { bomb | bomb & sleep 1000; }; bomb" });
      await eventually(async () => (await provider.stats(spec.id)).processes >= 90);
      assert.ok((await provider.stats(spec.id)).processes <= 101);
      assert.equal(await context.output(neighbour.id, "echo alive"), "alive\n");
      await provider.hibernate(spec.id);
      await provider.resume(spec);
      assert.equal(await context.output(spec.id, "echo alive"), "alive\n");
    },
  },
  {
    name: "a full disk is told as such and can be made free again",
    needs: ["shell", "hard-disk"],
    async run(context) {
      const { id } = await context.create({ limits: { diskBytes: 64 * MIB } });
      await context.output(id, "! dd if=/dev/zero of=filler bs=1M count=100 status=none 2>/dev/null");
      await refuses(context.provider.writeFile(id, "/workspace/more", Buffer.alloc(2 * MIB)), "permanent", "disk_full");
      assert.equal(await context.provider.stat(id, "/workspace/more"), null);
      await context.output(id, "rm filler");
      await context.provider.writeFile(id, "/workspace/more", Buffer.alloc(2 * MIB));
    },
  },
  {
    name: "stats grow with what the sandbox does",
    needs: ["shell"],
    async run(context) {
      const { id } = await context.create();
      const before = await context.provider.stats(id);
      assert.ok(before.memoryBytes > 1_000_000 && before.processes >= 2);
      await context.output(
        id,
        "dd if=/dev/urandom of=f bs=1M count=20 status=none; sync; timeout 1 yes > /dev/null || true",
      );
      await context.provider.spawn(id, { commandId: "s", command: ["sleep", "1000"] });
      const after = await context.provider.stats(id);
      assert.ok(after.diskBytes - before.diskBytes > 15 * MIB);
      assert.ok(after.cpuMs > before.cpuMs);
      assert.ok(after.processes > before.processes);
    },
  },
];
