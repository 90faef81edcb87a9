import { execFile, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What no sandbox may ever see; every decoy carries it. */
export const CANARY = "CANARY-4c1d";

/** Things on the host that an escaped command could reach. Each is proven to be reachable from the host when it is made. */
export interface Decoys {
  /** World-readable file in a world-readable folder. */
  readonly file: string;
  /** A folder in which anybody on the host may make files. */
  readonly openFolder: string;
  readonly shmFile: string;
  /** A process of the sandbox's own host user, with the canary in its environment: the worst case. */
  readonly victimPid: number;
  isVictimAlive(): boolean;
  readonly loopbackPort: number;
  readonly anyPort: number;
  readonly loopback6Port: number | null;
  readonly abstractName: string;
  readonly socketFile: string;
  /** An address of this host that is not loopback, or null. */
  readonly hostAddress: string | null;
  /** Connections that any of the listeners took, besides our own proofs. */
  hits(): number;
  close(): Promise<void>;
}

/** Lays out decoys for sandboxes that run as `uid` on the host. Rejects when one of them would be out of reach anyway. */
export async function layDecoys(uid: number): Promise<Decoys> {
  const folder = await mkdtemp(path.join(tmpdir(), "decoys-"));
  await chmod(folder, 0o755);
  const file = path.join(folder, "secret");
  const openFolder = path.join(folder, "open");
  const shmFile = `/dev/shm/dormouse-decoy-${process.pid}`;
  await writeFile(file, `${CANARY}-file\n`, { mode: 0o644 });
  await writeFile(shmFile, `${CANARY}-shm\n`, { mode: 0o644 });
  await mkdir(openFolder);
  await chmod(openFolder, 0o777);

  let hits = 0;
  const servers: Server[] = [];
  const listen = async (where: { host: string; port: number } | { path: string }) => {
    const server = createServer((socket) => {
      hits += 1;
      socket.on("error", () => {});
      socket.end(`${CANARY}-listener\n`);
    });
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(where, resolve));
    servers.push(server);
    return server;
  };
  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  const loopbackPort = portOf(await listen({ host: "127.0.0.1", port: 0 }));
  const anyPort = portOf(await listen({ host: "0.0.0.0", port: 0 }));
  const loopback6Port = await listen({ host: "::1", port: 0 }).then(portOf, () => null);
  const abstractName = `dormouse-decoy-${process.pid}`;
  await listen({ path: `\0${abstractName}` });
  const socketFile = path.join(openFolder, "decoy.sock");
  await listen({ path: socketFile });
  await chmod(socketFile, 0o777);
  const hostAddress =
    Object.values(networkInterfaces())
      .flat()
      .find((each) => each && !each.internal && each.family === "IPv4")?.address ?? null;

  const as = asUser(uid);
  const command = (...argv: string[]): [string, string[]] => {
    const [program = "", ...rest] = [...as, ...argv];
    return [program, rest];
  };
  const victim = spawn(...command("sleep", "600"), {
    env: { PATH: process.env.PATH, VICTIM: `${CANARY}-victim` } as unknown as NodeJS.ProcessEnv,
    stdio: "ignore",
  });
  const victimPid = victim.pid ?? 0;
  const read = async (...argv: string[]) => (await run(...command(...argv))).stdout;
  const proofs: [string, () => Promise<string>][] = [
    ["file", () => read("cat", file)],
    ["shared memory", () => read("cat", shmFile)],
    ["environment of the victim", () => read("cat", `/proc/${victimPid}/environ`)],
    ["signal to the victim", () => read("sh", "-c", `kill -0 ${victimPid} && echo ${CANARY}`)],
    ["open folder", () => read("sh", "-c", `touch ${openFolder}/proof && echo ${CANARY}`)],
    ["loopback", () => dial({ host: "127.0.0.1", port: loopbackPort })],
    ["any address", () => dial({ host: hostAddress ?? "127.0.0.1", port: anyPort })],
    ["abstract socket", () => dial({ path: `\0${abstractName}` })],
    ["socket file", () => dial({ path: socketFile })],
    ...(loopback6Port === null
      ? []
      : [["IPv6 loopback", () => dial({ host: "::1", port: loopback6Port })] as [string, () => Promise<string>]]),
  ];
  for (const [what, prove] of proofs) {
    // `exec` of setpriv takes a moment to become the victim.
    let seen = "";
    for (let tries = 0; tries < 50 && !seen.includes(CANARY); tries++) {
      seen = await prove().catch(() => "");
      if (!seen.includes(CANARY)) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (!seen.includes(CANARY)) throw new Error(`the decoy "${what}" cannot be reached from the host either`);
  }
  await rm(path.join(openFolder, "proof"));
  hits = 0;

  return {
    ...{
      file,
      openFolder,
      shmFile,
      victimPid,
      loopbackPort,
      anyPort,
      loopback6Port,
      abstractName,
      socketFile,
      hostAddress,
    },
    isVictimAlive: () => victim.exitCode === null && victim.signalCode === null,
    hits: () => hits,
    async close() {
      victim.kill("SIGKILL");
      for (const server of servers) server.close();
      await rm(folder, { recursive: true, force: true });
      await rm(shmFile, { force: true });
    },
  };
}

/** What runs a command as another user of the host, when this process is root. */
function asUser(uid: number): string[] {
  if (process.getuid?.() !== 0) return [];
  return ["setpriv", "--reuid", String(uid), "--regid", String(uid), "--clear-groups", "--"];
}

function dial(where: { host: string; port: number } | { path: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(where);
    socket.on("data", (bytes) => {
      text += bytes.toString();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(text));
  });
}
