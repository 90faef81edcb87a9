import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CANARY } from "./testing/decoys";
import { type Scene, setScene } from "./testing/two-sandboxes";

const who = process.getuid?.() === 0 ? "root" : "an ordinary user";
/** Node inside prints what a connection to `where` (JSON) says, or the error. */
const connectInside = (where: object) =>
  `/opt/node/bin/node -e 'const s=require("net").connect(${JSON.stringify(where)});s.setTimeout(2000,()=>{console.log("TIMEOUT");s.destroy()});s.on("data",d=>console.log(String(d))).on("error",e=>console.log(e.code)).on("close",()=>process.exit())'`;

describe(`a command in a sandbox, with the app run by ${who},`, () => {
  let scene: Scene;
  let sh: Scene["sh"];
  beforeAll(async () => {
    scene = await setScene();
    sh = scene.sh;
    await scene.provider.writeFile("b", "/workspace/secret.txt", `${CANARY}-neighbour\n`);
    await scene.provider.spawn("b", {
      commandId: "victim",
      command: "exec sleep 600",
      env: { NEIGHBOUR: `${CANARY}-neighbour` },
    });
    await scene.provider.spawn("b", {
      commandId: "server",
      command: `exec /opt/node/bin/node -e 'const s=require("net");for(const at of [8099,"\\0neighbour","/tmp/neighbour.sock"])s.createServer(c=>c.end("${CANARY}-neighbour")).listen(at)'`,
    });
    const served = async () =>
      (await scene.provider.exec("b", { command: connectInside({ port: 8099 }) })).stdout.toString();
    await vi.waitFor(async () => expect(await served()).toContain(CANARY), { timeout: 10_000 });
  });
  afterAll(() => scene?.close());

  it("sees no file of the host", async () => {
    const { decoys, stateDir } = scene;
    const seen = await sh(
      [
        `cat ${decoys.file} ${decoys.shmFile} /proc/1/root${decoys.file} /proc/self/root${decoys.file}`,
        `ls -la /root /home ${stateDir} ${decoys.openFolder} ${process.cwd()}; cat /etc/shadow /etc/hostname /etc/machine-id /etc/ssh/*`,
        "for p in /proc/[0-9]*; do cat $p/root/etc/shadow; done; find / -xdev -name secret -not -path '/proc/*'",
        "grep -rl CANARY-4c1d /etc /opt /run /tmp /var /dev/shm /home /workspace",
      ].join("; "),
    );
    expect(seen).not.toContain(CANARY);
    expect(seen).not.toMatch(/^root:[*!$]/m);
    expect(seen).toMatch(/cannot access '\/root'/);
    expect((await sh("ls -A /home /")).split(/\s+/)).toEqual(expect.arrayContaining(["user", "workspace"]));
    expect((await sh("ls -A /home")).trim()).toBe("user");
  });

  it("writes nowhere but into its own folders", async () => {
    const seen = await sh(
      "for d in / /usr /usr/bin /etc /opt /run /run/dormouse /var /bin /lib /proc /sys /dev; do touch $d/escaped 2>/dev/null && echo WROTE $d; done; echo x > /usr/bin/env; echo x >> /etc/passwd; echo x >> /etc/gitconfig; rm -f /usr/bin/env /etc/hosts",
    );
    // /var is a small memory file system of the sandbox's own.
    expect(seen.match(/WROTE .*/g)?.filter((line) => line !== "WROTE /var") ?? []).toEqual([]);
    expect(seen).toMatch(/Read-only file system|Permission denied/);
    for (const folder of ["/usr", "/usr/bin", "/etc", "/opt", "/run", "/var", "/dev"])
      expect(existsSync(`${folder}/escaped`), folder).toBe(false);
  });

  it("inherits nothing of the app's environment, and finds none in any process", async () => {
    expect(process.env.ESCAPE_APP_SECRET).toContain(CANARY);
    const seen = await sh(
      "env; set; for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ; tr '\\0' ' ' < $p/cmdline; echo; done",
    );
    expect(seen).not.toContain(CANARY);
    expect(seen).not.toContain(scene.stateDir);
    expect(seen).not.toContain(scene.decoys.openFolder);
    expect(seen).toContain("HTTP_PROXY=");
  });

  it("neither sees nor signals nor traces a process of the host, even of its own user", async () => {
    const { victimPid } = scene.decoys;
    const trace = `perl -e 'print "trace:", (syscall(101, 16, ${victimPid}, 0, 0) == 0 ? "OK" : $!), "\\n"'`;
    const seen = await sh(`kill -9 ${victimPid}; ls -d /proc/${victimPid}; ${trace}; ls /proc | grep -cE '^[0-9]+$'`);
    expect(seen).toMatch(/trace:No such process/);
    expect(Number(seen.match(/^\d+$/m)?.[0])).toBeLessThan(15);
    expect(scene.decoys.isVictimAlive()).toBe(true);
    expect((await scene.provider.exec("b", { command: "echo alive" })).stdout.toString()).toBe("alive\n");
  });

  it("reaches nothing of its neighbour: no file, no process, no port, no socket", async () => {
    const { stateDir } = scene;
    const folder = path.join(stateDir, "sb", "b");
    expect(existsSync(folder)).toBe(true);
    const seen = await sh(
      [
        `cat ${folder}/fs/workspace/secret.txt ${folder}/state.json; cat /proc/1/root${folder}/fs/workspace/secret.txt; find / -xdev -name secret.txt -not -path '/proc/*'`,
        connectInside({ port: 8099 }),
        connectInside({ path: "\\0neighbour" }),
        connectInside({ path: "/tmp/neighbour.sock" }),
        "pgrep -xa sleep; ls -la /dev/shm /tmp; ipcs -a; cat /proc/net/tcp | tail -n +2",
      ].join("; "),
    );
    expect(seen).not.toContain(CANARY);
    expect(seen).not.toMatch(/^\d+ .*sleep 600$/m);
    expect(seen).toContain("ECONNREFUSED");
  });

  it("reaches no listener of the host, by no address and by no kind of socket", async () => {
    const { loopbackPort, anyPort, loopback6Port, abstractName, socketFile, hostAddress } = scene.decoys;
    const seen = await sh(
      [
        ...[loopbackPort, anyPort].flatMap((port) => [
          { port, host: "127.0.0.1" },
          ...(hostAddress ? [{ port, host: hostAddress }] : []),
        ]),
        ...(loopback6Port === null ? [] : [{ port: loopback6Port, host: "::1" }]),
        { path: `\\0${abstractName}` },
        { path: socketFile },
        { port: 80, host: "169.254.169.254" },
        { port: 53, host: "1.1.1.1" },
      ]
        .map(connectInside)
        .join("; "),
      40_000,
    );
    expect(seen).not.toContain(CANARY);
    expect(scene.decoys.hits()).toBe(0);
    expect(
      (await sh("ls /sys/class/net; tail -n +3 /proc/net/dev | cut -d: -f1; cat /proc/net/route | wc -l")).split(/\s+/),
    ).not.toContain("eth0");
    expect(await sh("getent hosts example.com; echo $?")).toBe("2\n");
  });

  it("opens no port on the host", async () => {
    await scene.provider.spawn("a", {
      commandId: "open",
      command: `exec /opt/node/bin/node -e 'require("net").createServer(c=>c.end("inside")).listen(48099,"0.0.0.0")'`,
    });
    await expect.poll(() => sh(connectInside({ port: 48_099 })), { timeout: 10_000 }).toContain("inside");
    const outside = await new Promise<string>((resolve) => {
      connect(48_099, "127.0.0.1")
        .once("connect", () => resolve("open"))
        .once("error", (error) => resolve(String(error)));
    });
    expect(outside).toContain("ECONNREFUSED");
    await scene.provider.kill("a", "open", "SIGKILL");
  });

  it("cannot put anything in the place of the sockets that lead out of it", async () => {
    const seen = await sh(
      "ls -A /run/dormouse; cd /run/dormouse; rm -f egress.sock gitconfig; mv egress.sock x; ln -sf /x egress.sock; touch y; chmod 777 . egress.sock; find / -xdev -name 'agent.sock' -not -path '/proc/*'",
    );
    expect(seen).toMatch(/Read-only file system/);
    expect(seen).not.toContain("agent.sock");
    const folder = path.join(scene.stateDir, "sb", "a", "inside");
    expect((await readdir(folder)).sort()).toEqual(["egress.sock", "gitconfig"]);
    expect((await stat(path.join(folder, "egress.sock"))).mode & 0o777).toBe(0o600);
  });

  it("has no privilege, and gets none: no user namespace, mount, device, chroot or setuid program", async () => {
    const status = await sh("grep -E '^(Cap(Inh|Prm|Eff|Amb)|NoNewPrivs|Seccomp):' /proc/self/status | tr -d ' \\t'");
    for (const line of ["CapInh", "CapPrm", "CapEff", "CapAmb"].map((name) => `${name}:0000000000000000`))
      expect(status).toContain(line);
    expect(status).toMatch(/NoNewPrivs:1/);
    expect(status).toMatch(/Seccomp:2/);
    const tries = [
      "unshare -Ur id",
      "unshare -m true",
      "unshare -n true",
      "mount -t tmpfs x /mnt",
      "mount --bind /usr /workspace",
      "umount /proc",
      "chroot / id",
      "mknod /tmp/m b 254 0",
      "su -c id",
      "sudo -n id",
      "nsenter -t 1 -m id",
      "setpriv --reuid 0 id",
      "bwrap --ro-bind / / id",
      "date -s 2001-01-01",
      "hostname owned",
      "chown 0 /workspace/x",
    ];
    const seen = await sh(
      `touch /workspace/x; ${tries.map((line) => `timeout 5 ${line} && echo DONE: ${line}`).join("; ")}`,
    );
    expect(seen).not.toContain("DONE:");
    expect(seen).not.toContain("uid=0");
    const devices = (await sh("find /dev -type b -o -type c")).trim().split("\n").sort();
    expect(
      devices.filter((name) => !/^\/dev\/(null|zero|full|random|urandom|tty|console|ptmx|pts\/(ptmx|\d+))$/.test(name)),
    ).toEqual([]);
    expect((await sh("id -u; id -g")).trim()).toBe("1000\n1000");
  });

  it.runIf(process.arch === "x64")("is denied the system calls that have opened kernels before", async () => {
    const calls: Record<string, string> = {
      vsock: "socket(my $s, 40, 1, 0)",
      packet: "socket(my $s, 17, 3, 0)",
      alg: "socket(my $s, 38, 5, 0)",
      raw: "socket(my $s, 2, 3, 1)",
      keyctl: "syscall(250, 0, 0) >= 0",
      bpf: "syscall(321, 0, 0, 0) >= 0",
      userfaultfd: "syscall(323, 0) >= 0",
      perf: "syscall(298, 0, 0, -1, -1, 0) >= 0",
      io_uring: "syscall(425, 1, 0) >= 0",
      mount: "syscall(165, my $a1 = 'x', my $a2 = '/mnt', my $a3 = 'tmpfs', 0, 0) == 0",
      fsopen: "syscall(430, my $b1 = 'tmpfs', 0) >= 0",
      unshare: "syscall(272, 0x10000000) == 0",
      clone: "syscall(56, 0x10000000, 0, 0, 0, 0) == 0",
      setns: "syscall(308, 0, 0) == 0",
      x32: "syscall(0x40000000 + 39) >= 0",
      push: "ioctl(STDIN, 0x5412, my $c1 = 'x')",
    };
    const lines = Object.entries(calls).map(([name, call]) => `print "${name}:", (${call} ? "DONE" : $!+0), "\\n";`);
    const seen = await sh(
      `cat > /tmp/calls.pl <<'E'\n${lines.join("\n")}\nprint "inet:", (socket(my $i, 2, 1, 0) ? "DONE" : $!+0), "\\n";\nE\nperl /tmp/calls.pl`,
    );
    expect(seen).toContain("inet:DONE");
    const denied = Object.keys(calls).map((name) => seen.match(new RegExp(`^${name}:(.*)$`, "m"))?.[0]);
    // 1 EPERM, 38 ENOSYS, 97 EAFNOSUPPORT, 13 EACCES (raw sockets need a capability)
    for (const line of denied) expect(line).toMatch(/:(1|38|97|13)$/);
    expect(seen).toMatch(/^vsock:97$/m);
  });

  it("changes no setting of the kernel", async () => {
    const before = await readFile("/proc/sys/kernel/panic_on_oops", "utf8");
    const seen = await sh(
      'for f in /proc/sys/kernel/panic_on_oops /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/sys/vm/drop_caches /proc/sys/user/max_user_namespaces; do sh -c "echo 1 > $f" 2>/dev/null && echo WROTE $f; done; for f in /sys/kernel/* /sys/fs/cgroup/*; do test -w $f && echo WRITABLE $f; done; dmesg | head -1; head -1 /proc/kallsyms; echo end',
    );
    expect(seen).not.toMatch(/WROTE|WRITABLE/);
    expect(seen).toContain("end");
    expect(await readFile("/proc/sys/kernel/panic_on_oops", "utf8")).toBe(before);
  });

  it("reaches allowed hosts through the proxy and nothing else, and a change of the policy holds at once and after sleep", async () => {
    const allowed = createServer((_request, response) => response.end("ALLOWED-ANSWER"));
    await new Promise<void>((resolve) => allowed.listen(0, "127.0.0.1", resolve));
    const { port } = allowed.address() as AddressInfo;
    const { loopbackPort } = scene.decoys;
    const ask = (url: string, more = "") => sh(`curl -sS -m 10 --noproxy "" ${more} ${url} 2>&1`);
    try {
      expect(await ask(`http://127.0.0.1:${port}/`)).toMatch(/127\.0\.0\.1.*DORMOUSE_EGRESS_ALLOW/s);
      await scene.provider.setNetwork("a", { allow: [`127.0.0.1:${port}`], gitRemote: null });
      expect(await ask(`http://127.0.0.1:${port}/`)).toBe("ALLOWED-ANSWER");
      expect(await ask(`http://127.0.0.1:${port}/`, "--proxytunnel")).toBe("ALLOWED-ANSWER");
      for (const url of [
        `http://127.0.0.1:${loopbackPort}/`,
        `http://localhost:${port}/`,
        `http://[::1]:${port}/`,
        "http://denied.test/",
        "http://169.254.169.254/latest/meta-data/",
      ]) {
        expect(await ask(url), url).toContain("DORMOUSE_EGRESS_ALLOW");
        expect(await ask(url, "--proxytunnel"), url).toMatch(/403|502/);
      }
      await scene.provider.hibernate("a");
      await scene.provider.resume(scene.spec("a", { allow: [`127.0.0.1:${port}`] }));
      expect(await ask(`http://127.0.0.1:${port}/`)).toBe("ALLOWED-ANSWER");
      // An allowed port of the host is found by every client, and the sandbox's own ports are still its own.
      expect(await sh(`curl -sS -m 10 http://127.0.0.1:${port}/`)).toBe("ALLOWED-ANSWER");
      await scene.provider.spawn("a", {
        commandId: "dev",
        command: `exec /opt/node/bin/node -e 'require("http").createServer((q,r)=>r.end("OWN")).listen(3000,"127.0.0.1")'`,
      });
      for (const url of ["http://127.0.0.1:3000/", "http://localhost:3000/"]) {
        await expect.poll(() => sh(`curl -sS -m 10 ${url}`), { timeout: 10_000 }).toBe("OWN");
      }
      await scene.provider.setNetwork("a", { allow: [], gitRemote: null });
      expect(await ask(`http://127.0.0.1:${port}/`)).toContain("DORMOUSE_EGRESS_ALLOW");
      expect(scene.decoys.hits()).toBe(0);
    } finally {
      allowed.close();
    }
  });

  it("gains nothing by links, ways up, devices and pipes that it plants for the files API", async () => {
    const { file, openFolder } = scene.decoys;
    const { provider } = scene;
    await sh(
      `cd /workspace; ln -sfn ${file} link; ln -sfn ${path.dirname(file)} dir; ln -sfn ${openFolder} open; ln -sfn /proc/self/environ environ; ln -sfn /proc/1/root root; mkfifo pipe; ln -sfn /dev/zero zero; ln -sfn loop loop`,
    );
    const read = (at: string) =>
      provider.readFile("a", at, { maxBytes: 4096 }).then(
        ({ bytes }) => bytes.toString(),
        (error) => `ERR ${error.reason} ${error.message}`,
      );
    const tries = [
      "link",
      "dir/secret",
      `root${file}`,
      "environ",
      "loop",
      `../../..${file}`,
      "..%2f..%2fetc/shadow",
      "/etc/shadow",
      "pipe",
      "zero",
      "/dev/zero",
      "/proc/kmsg",
      "link\0.txt",
      "x".repeat(5000),
    ];
    for (const name of tries) {
      const seen = await read(name.startsWith("/") ? name : `/workspace/${name}`);
      expect(seen.includes(CANARY) || /^root:[*!$]/m.test(seen), name.slice(0, 40)).toBe(false);
    }
    for (const name of ["pipe", "zero", "/dev/zero"])
      expect(await read(name.startsWith("/") ? name : `/workspace/${name}`)).toContain("not_a_file");
    for (const name of ["open/pwned", "link", `root${openFolder}/pwned`, "dir/pwned"])
      await provider.writeFile("a", `/workspace/${name}`, "pwned").catch(() => {});
    expect(await readdir(openFolder)).toEqual(["decoy.sock"]);
    expect(await readFile(file, "utf8")).toContain(CANARY);
  });

  it("loses the race of swapping a folder for a link while the files API writes", async () => {
    const { openFolder } = scene.decoys;
    await scene.provider.spawn("a", {
      commandId: "swap",
      command: `cd /workspace; while :; do rm -rf race; mkdir race; rm -rf race; ln -sfn ${openFolder} race; done`,
      timeoutMs: 20_000,
    });
    for (let tries = 0; tries < 60; tries++) {
      await scene.provider.writeFile("a", "/workspace/race/pwned", "x").catch(() => {});
      await scene.provider.readFile("a", "/workspace/race/decoy.sock").catch(() => {});
    }
    await scene.provider.kill("a", "swap", "SIGKILL");
    expect(await readdir(openFolder)).toEqual(["decoy.sock"]);
  });
});
