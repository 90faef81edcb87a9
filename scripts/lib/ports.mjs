// TCP ports of this host.
import { createServer } from "node:net";

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<string | null>} null when it can be listened on, else the error code (`EADDRINUSE`, `EACCES`, …)
 */
export function portProblem(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(/** @type {NodeJS.ErrnoException} */ (error).code ?? "unknown"));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/** @returns {Promise<number>} a port of the loopback address that nobody listens on right now */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port: 0, host: "127.0.0.1" }, () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
