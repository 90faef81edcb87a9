import { readdirSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIMITS, type Scene, setScene } from "./testing/two-sandboxes";

const isRoot = process.getuid?.() === 0;
const MIB = 1024 * 1024;
const hostProcesses = () => readdirSync("/proc").filter((name) => /^\d+$/.test(name)).length;

describe(`a sandbox that uses up all it can, with the app run by ${isRoot ? "root" : "an ordinary user"},`, {
  timeout: 90_000,
}, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await setScene();
  });
  afterAll(() => scene?.close());
  beforeEach(heal);

  it("bounds a fork bomb; host and neighbour still start processes, and hibernating ends all of it", async () => {
    const before = hostProcesses();
    // First without doubling: where no limit holds, the bomb below would be one for the whole host.
    const line = `perl -e 'my @made; for (1..${LIMITS.processes * 2}) { my $pid = fork(); last unless defined $pid; if (!$pid) { sleep 30; exit } push @made, $pid } kill 9, @made; print scalar @made'`;
    const made = Number((await scene.provider.exec("a", { command: line, timeoutMs: 20_000 })).stdout.toString());
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThanOrEqual(LIMITS.processes);
    await scene.provider.spawn("a", {
      commandId: "bomb",
      command: "bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 30",
      timeoutMs: 60_000,
    });
    await expect.poll(() => hostProcesses() - before, { timeout: 20_000 }).toBeGreaterThan(LIMITS.processes / 2);
    expect((await scene.provider.exec("b", { command: "/bin/true && echo alive" })).stdout.toString()).toBe("alive\n");
    // Shells of colleagues and of the machine come and go in the meantime.
    expect(hostProcesses() - before).toBeLessThan(LIMITS.processes * 2);
    await scene.provider.hibernate("a");
    await expect.poll(() => hostProcesses() - before, { timeout: 15_000 }).toBeLessThan(LIMITS.processes / 3);
  });

  it("kills what takes too much memory, and goes on", async () => {
    const hog = `/opt/node/bin/node --max-old-space-size=8000 -e 'const a=[];for(let n=0;n<1500;n+=10){a.push(Buffer.alloc(10e6,1));Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,20)}console.log("GOT IT ALL")'`;
    const result = await scene.provider.exec("a", { command: hog, timeoutMs: 60_000 });
    expect(result.stdout.toString()).not.toContain("GOT IT ALL");
    expect(result.timedOut).toBe(false);
    expect(result.exitCode === 0).toBe(false);
    expect(await scene.sh("echo alive")).toBe("alive\n");
  });

  it("can fill every memory file system that it can write to, at once, and still go on", async () => {
    const places = "$(findmnt -rn -t tmpfs -o TARGET | sort -u)";
    await scene.sh(`for d in ${places}; do dd if=/dev/zero of=$d/fill bs=1M count=600; done`, 60_000);
    const seen = await scene.sh(
      `for d in ${places}; do stat -c '%s %n' $d/fill; done; rm -f /tmp/fill /dev/shm/fill /var/fill; echo end`,
    );
    const sizes = new Map([...seen.matchAll(/^(\d+) (\S+)\/fill$/gm)].map(([, size, name]) => [name, Number(size)]));
    expect([...sizes.keys()].sort()).toEqual(["/dev/shm", "/tmp", "/var"]);
    expect([...sizes.values()].reduce((total, size) => total + size, 0)).toBeLessThan(LIMITS.memoryBytes);
    expect(seen).toContain("end");
  });

  it("bounds one file, and as root all files together", async () => {
    const one = await scene.sh(
      "dd if=/dev/zero of=/workspace/fill bs=1M count=400 2>&1 | tail -3; stat -c %s /workspace/fill; rm -f /workspace/fill",
      60_000,
    );
    expect(Number(/^(\d+)$/m.exec(one)?.[1])).toBeLessThanOrEqual(LIMITS.diskBytes);
    if (scene.provider.capabilities.diskQuota !== "hard") return;
    const many = await scene.sh(
      "for i in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=/workspace/fill$i bs=1M count=50 2>&1; done; du -sm /workspace; rm -f /workspace/fill*; touch /workspace/again && echo again",
      60_000,
    );
    expect(many).toContain("No space left on device");
    expect(Number(/^(\d+)\s+\/workspace$/m.exec(many)?.[1])).toBeLessThanOrEqual(LIMITS.diskBytes / MIB);
    expect(many).toContain("again");
  });

  it.runIf(isRoot)("has the limits of the kernel when the app is root", () => {
    // Else the checks above would pass by the watchdog alone. A host without cgroups or loop devices says so here.
    expect(scene.provider.capabilities).toMatchObject({ hardMemory: true, diskQuota: "hard", isolation: "namespaces" });
  });

  it("cuts a flood of output, and ends it in time", async () => {
    const result = await scene.provider.exec("a", { command: "yes", timeoutMs: 1_500, outputCapBytes: 100_000 });
    expect(result.timedOut).toBe(true);
    expect(result.stdout.length).toBeLessThanOrEqual(100_000);
    expect(result.droppedBytes).toBeGreaterThan(0);
  });

  it("ends a command that ignores SIGTERM, with all that it left in the background", async () => {
    const stubborn =
      "trap '' TERM INT HUP; (trap '' TERM; exec -a leftover-4c1d sleep 500) & while :; do sleep 1; done";
    await scene.provider.exec("a", { command: ["bash", "-c", stubborn], timeoutMs: 1_000 });
    await expect.poll(() => scene.sh("pgrep -fc 'leftover-4c1[d]'; true"), { timeout: 10_000 }).toBe("0\n");
  });

  it("that kills its own agent is lost or mended, never stuck; its files and its neighbour stay", async () => {
    await scene.provider.writeFile("a", "/workspace/kept.txt", "kept");
    const agent =
      "for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline | grep -q 'agent.cj[s]' && kill -9 $(basename $p); done; sleep 20";
    await expect(scene.provider.exec("a", { command: agent, timeoutMs: 15_000 })).rejects.toMatchObject({
      name: "SandboxError",
    });
    await heal();
    expect((await scene.provider.readFile("a", "/workspace/kept.txt")).bytes.toString()).toBe("kept");
    expect((await scene.provider.exec("b", { command: "echo alive" })).stdout.toString()).toBe("alive\n");
  });

  async function heal(): Promise<void> {
    await expect
      .poll(
        async () => {
          await scene.provider.resume(scene.spec("a")).catch(() => {});
          return await scene.sh("echo alive", 5_000).catch(() => "");
        },
        { timeout: 20_000 },
      )
      .toBe("alive\n");
  }
});
