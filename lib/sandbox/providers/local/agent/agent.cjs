"use strict";
// Runs inside every sandbox as its second process and does there what the app asks for. It listens on a socket that
// the app made and handed over as descriptor 3: the sandbox never holds a path that leads to it, so nothing in here can
// put another socket in its place. Whatever runs in the sandbox has the same rights as this program; the app therefore
// believes nothing that it says.
const net = require("node:net");
const commands = require("./commands.cjs");
const files = require("./files.cjs");
const ports = require("./ports.cjs");
const { finish } = require("./wire.cjs");

const LISTEN_FD = 3;
const PROXY_PORT = 3128;
const EGRESS_SOCKET = "/run/dormouse/egress.sock";
const MAX_REQUEST_BYTES = 4 * 1024 * 1024;

const operations = {
  ping: (socket) => finish(socket, { ok: true }),
  exec: commands.exec,
  spawn: commands.spawn,
  attach: commands.attach,
  kill: commands.kill,
  killAll: commands.killAll,
  commands: commands.list,
  read: files.read,
  write: files.write,
  list: files.list,
  stat: files.stat,
  ports: (socket, request) => ports.list(socket, { ...request, hiddenPort: PROXY_PORT }),
  dial: ports.dial,
};

function serve(socket) {
  let parts = [];
  let size = 0;
  socket.on("error", () => socket.destroy());
  const collect = (bytes) => {
    const newline = bytes.indexOf(10);
    if (newline < 0) {
      parts.push(bytes);
      size += bytes.length;
      if (size > MAX_REQUEST_BYTES) socket.destroy();
      return;
    }
    socket.off("data", collect);
    socket.pause();
    const line = Buffer.concat([...parts, bytes.subarray(0, newline)]);
    parts = [];
    try {
      const request = JSON.parse(line.toString("utf8"));
      operations[request.op](socket, request, bytes.subarray(newline + 1));
    } catch (error) {
      finish(socket, { error: "EREQUEST", detail: String(error) });
      socket.resume();
    }
  };
  socket.on("data", collect);
  socket.on("end", () => {
    if (parts.length > 0) socket.destroy();
  });
}

net.createServer({ allowHalfOpen: true }, serve).listen({ fd: LISTEN_FD });

// The only way out: the sandbox has no network but this port, and behind it is the app's allow-list.
net
  .createServer({ allowHalfOpen: true }, (client) => {
    const proxy = net.connect({ path: EGRESS_SOCKET, allowHalfOpen: true });
    client.on("error", () => proxy.destroy());
    proxy.on("error", () => client.destroy());
    // After an orderly end the other side may still have bytes to deliver.
    client.on("close", () => !proxy.writableEnded && proxy.destroy());
    proxy.on("close", () => !client.writableEnded && client.destroy());
    client.pipe(proxy);
    proxy.pipe(client);
  })
  .on("error", () => {})
  .listen(PROXY_PORT, "127.0.0.1");

process.on("uncaughtException", () => {});
process.on("unhandledRejection", () => {});
