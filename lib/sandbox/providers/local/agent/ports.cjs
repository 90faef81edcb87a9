"use strict";
const fs = require("node:fs");
const net = require("node:net");
const { finish } = require("./wire.cjs");

const LISTEN = "0A";

function listeningSockets() {
  const found = new Map();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    let text = "";
    try {
      text = fs.readFileSync(table, "utf8");
    } catch {}
    for (const line of text.split("\n").slice(1)) {
      const columns = line.trim().split(/\s+/);
      if (columns[3] !== LISTEN) continue;
      const port = Number.parseInt(columns[1].split(":")[1], 16);
      if (!found.has(port)) found.set(port, columns[9]);
    }
  }
  return found;
}

/** The process that holds each of the wanted sockets; of several (a server and its workers) the oldest. */
function socketOwners(inodes) {
  const owners = new Map();
  const pids = fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
  for (const pid of pids) {
    let descriptors = [];
    try {
      descriptors = fs.readdirSync(`/proc/${pid}/fd`);
    } catch {}
    for (const descriptor of descriptors) {
      try {
        const inode = /^socket:\[(\d+)\]$/.exec(fs.readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
        if (inode && inodes.has(inode) && !owners.has(inode)) owners.set(inode, pid);
      } catch {}
    }
  }
  return owners;
}

function describe(pid) {
  if (pid === undefined) return { command: [], cwd: "" };
  let command = [];
  let cwd = "";
  try {
    const parts = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").slice(0, 4_000).split("\0");
    command = parts.filter((part, index) => part !== "" || index < parts.length - 1).slice(0, 100);
    cwd = fs.readlinkSync(`/proc/${pid}/cwd`);
  } catch {}
  return { command, cwd };
}

function list(socket, request) {
  const sockets = listeningSockets();
  const owners = socketOwners(new Set(sockets.values()));
  const ports = [...sockets]
    .filter(([port]) => port !== request.hiddenPort)
    .sort(([a], [b]) => a - b)
    .slice(0, 200)
    .map(([port, inode]) => ({ port, ...describe(owners.get(inode)) }));
  finish(socket, { ports });
}

/** Joins the caller to a port of this loopback; a server may listen on only one of the two families. */
function dial(socket, request, rest) {
  const attempt = (hosts) => {
    const [host, ...others] = hosts;
    const target = net.connect({ port: request.port, host, allowHalfOpen: true });
    const fail = (error) => {
      if (others.length > 0) attempt(others);
      else finish(socket, { error: error.code || "ECONNREFUSED" });
    };
    target.once("error", fail);
    target.once("connect", () => {
      target.off("error", fail);
      target.on("error", () => socket.destroy());
      socket.on("error", () => target.destroy());
      // After an orderly end the other side may still have bytes to deliver.
      socket.on("close", () => !target.writableEnded && target.destroy());
      target.on("close", () => !socket.writableEnded && socket.destroy());
      socket.write("+");
      if (rest.length > 0) target.write(rest);
      target.pipe(socket);
      socket.pipe(target);
    });
  };
  attempt(["127.0.0.1", "::1"]);
}

module.exports = { list, dial };
