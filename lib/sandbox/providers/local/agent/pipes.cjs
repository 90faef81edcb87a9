"use strict";
const childProcess = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const { randomBytes } = require("node:crypto");

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = fs.constants;

/**
 * Two real pipes, for stdout and stderr. What Node makes itself are sockets, and those cannot be opened again by name:
 * `echo trouble > /dev/stderr` would fail in every script. Null when /tmp cannot take a FIFO; Node's own must do then.
 */
function openPipes() {
  const names = ["out", "err"].map((end) => `/tmp/.dormouse-${randomBytes(6).toString("hex")}-${end}`);
  const opened = [];
  try {
    const made = childProcess.spawnSync("/usr/bin/mkfifo", ["-m", "600", ...names], { stdio: "ignore" });
    if (made.status !== 0) return null;
    return names.map((name) => {
      const reader = fs.openSync(name, O_RDONLY | O_NONBLOCK);
      opened.push(reader);
      const writer = fs.openSync(name, O_WRONLY);
      opened.push(writer);
      return { reader, writer };
    });
  } catch {
    for (const fd of opened) fs.closeSync(fd);
    return null;
  } finally {
    for (const name of names) fs.rmSync(name, { force: true });
  }
}

/** The reading end as a stream. */
function readEnd(fd) {
  return new net.Socket({ fd, readable: true, writable: false });
}

module.exports = { openPipes, readEnd };
