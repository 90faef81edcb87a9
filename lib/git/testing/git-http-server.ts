import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

/** A forge for tests: real `git http-backend` behind a real HTTP server on loopback. Independent of the gateway's own code. */
export interface GitHttpServer {
  readonly url: string;
  readonly port: number;
  /** Every request that came in, with the headers that matter. */
  readonly requests: readonly SeenRequest[];
  /** PEM of the self-signed certificate, when `tls` was asked for. */
  readonly certificate: string | null;
  close(): Promise<void>;
}

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly encoding: string | undefined;
  readonly gitProtocol: string | undefined;
}

export interface GitHttpServerOptions {
  /** The folder whose repositories are served. */
  readonly root: string;
  /** The password that every request must carry. */
  readonly token?: string;
  /** Answers a request itself and returns true, before anything else is looked at. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly tls?: boolean;
}

/** Starts a forge; `close` it when done. */
export async function startGitHttpServer(options: GitHttpServerOptions): Promise<GitHttpServer> {
  const requests: SeenRequest[] = [];
  const pair = options.tls ? await makeCertificate() : null;
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    requests.push({
      method: request.method ?? "",
      url: request.url ?? "",
      authorization: request.headers.authorization,
      encoding: request.headers["content-encoding"],
      gitProtocol: header(request, "git-protocol"),
    });
    if (options.intercept?.(request, response)) return;
    if (options.token !== undefined && passwordOf(request) !== options.token) {
      response
        .writeHead(401, { "www-authenticate": 'Basic realm="forge"' })
        .end(`you sent ${request.headers.authorization}`);
      return;
    }
    runBackend(options.root, request, response);
  };
  const server = pair ? createTlsServer(pair, handle) : createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${pair ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    requests,
    certificate: pair?.cert ?? null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}

function passwordOf(request: IncomingMessage): string | undefined {
  const encoded = /^Basic (.*)$/.exec(request.headers.authorization ?? "")?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString().split(":").slice(1).join(":");
}

function runBackend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://forge");
  const child = spawn("git", ["-c", "http.receivepack=true", "-c", "safe.directory=*", "http-backend"], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: header(request, "git-protocol") ?? "",
      REMOTE_USER: "tester",
      ...(request.headers["content-length"] ? { CONTENT_LENGTH: request.headers["content-length"] } : {}),
    } as unknown as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => {});
  request.pipe(child.stdin);
  let head: Buffer | null = Buffer.alloc(0);
  child.stdout.on("data", (bytes: Buffer) => {
    if (head === null) return void response.write(bytes);
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    for (const line of head.toString("latin1", 0, end).split("\r\n")) {
      const [name = "", value = ""] = line.split(/:\s*/, 2);
      if (name.toLowerCase() === "status") response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
    head = null;
  });
  child.stdout.on("end", () => response.end());
}

async function makeCertificate(): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "forge-cert-"));
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  try {
    const subject = ["-subj", "/CN=forge.test", "-addext", "subjectAltName=IP:127.0.0.1,DNS:forge.test"];
    const form = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
    await promisify(execFile)("openssl", [...form, "-keyout", key, "-out", cert, ...subject]);
    return { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
