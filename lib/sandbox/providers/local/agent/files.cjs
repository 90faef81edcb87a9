"use strict";
// Files as the sandbox sees them. Paths are resolved in here, where the kernel keeps every symbolic link inside; what
// was opened is judged by its handle, so nothing can be swapped between a check and a use.
const fs = require("node:fs");
const path = require("node:path");
const { randomBytes } = require("node:crypto");
const { FRAME, writeFrame, finish, readBody } = require("./wire.cjs");

const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = fs.constants;
const CHUNK = 64 * 1024;
const MAX_ENTRIES = 200_000;
const KERNEL_FOLDERS = /^\/(proc|sys|dev)(\/|$)/;

const codeOf = (error) => (error && typeof error.code === "string" ? error.code : "EUNKNOWN");

function typeOf(stat) {
  if (stat.isFile()) return "file";
  if (stat.isDirectory()) return "directory";
  return stat.isSymbolicLink() ? "symlink" : "other";
}

function refuse(code) {
  return Object.assign(new Error(code), { code });
}

async function read(socket, request) {
  socket.resume();
  let handle;
  try {
    // Without O_NONBLOCK the opening of a FIFO would wait for a writer for ever.
    handle = await fs.promises.open(request.path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    const stat = await handle.stat();
    if (!stat.isFile()) throw refuse("ENOTFILE");
    if (KERNEL_FOLDERS.test(await fs.promises.readlink(`/proc/self/fd/${handle.fd}`))) throw refuse("ENOTFILE");
    let position = request.offset;
    let left = request.max;
    while (left > 0 && !socket.destroyed) {
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK, left));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      left -= bytesRead;
      if (!writeFrame(socket, FRAME.data, buffer.subarray(0, bytesRead))) await drained(socket);
    }
    finish(socket, { size: stat.size, mode: stat.mode & 0o7777 });
  } catch (error) {
    finish(socket, { error: codeOf(error) });
  } finally {
    await handle?.close().catch(() => {});
  }
}

function drained(socket) {
  return new Promise((resolve) => {
    socket.once("drain", resolve);
    socket.once("close", resolve);
  });
}

/** Where a write to `wanted` really goes: through links to a file that is there, next to it otherwise. */
async function writeTarget(wanted) {
  await fs.promises.mkdir(path.dirname(wanted), { recursive: true });
  let target = path.join(await fs.promises.realpath(path.dirname(wanted)), path.basename(wanted));
  let mode;
  try {
    target = await fs.promises.realpath(wanted);
    const stat = await fs.promises.lstat(target);
    if (!stat.isFile()) throw refuse("ENOTFILE");
    mode = stat.mode & 0o7777;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  if (KERNEL_FOLDERS.test(target)) throw refuse("EACCES");
  return { target, mode };
}

async function write(socket, request, rest) {
  let handle;
  let temporary;
  try {
    const { target, mode } = await writeTarget(request.path);
    const name = path.join(path.dirname(target), `.dormouse-${randomBytes(6).toString("hex")}`);
    handle = await fs.promises.open(name, "wx", 0o600);
    temporary = name;
    await receive(socket, rest, request.size, handle);
    await handle.chmod(request.mode ?? mode ?? 0o644);
    await fs.promises.rename(temporary, target);
    temporary = undefined;
    finish(socket, {});
  } catch (error) {
    if (temporary) await fs.promises.rm(temporary, { force: true }).catch(() => {});
    socket.resume();
    finish(socket, { error: codeOf(error) });
  } finally {
    await handle?.close().catch(() => {});
  }
}

function receive(socket, rest, size, handle) {
  return new Promise((resolve, reject) => {
    let pending = 0;
    let failure = null;
    let complete = null;
    const settle = () => {
      if (complete === null || pending > 0) return;
      if (failure) reject(failure);
      else if (complete) resolve();
      else reject(refuse("ECANCELED"));
    };
    let queue = Promise.resolve();
    const onBytes = (bytes) => {
      pending += 1;
      socket.pause();
      queue = queue
        .then(() => (failure ? undefined : handle.writeFile(bytes)))
        .catch((error) => {
          failure = error;
        })
        .then(() => {
          pending -= 1;
          if (pending === 0) socket.resume();
          settle();
        });
    };
    readBody(socket, rest, size, onBytes, (whole) => {
      complete = whole;
      settle();
    });
  });
}

async function list(socket, request) {
  socket.resume();
  try {
    const names = [];
    const folder = await fs.promises.opendir(request.path);
    for await (const entry of folder) {
      names.push(entry.name);
      if (names.length >= MAX_ENTRIES) break;
    }
    names.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const entries = [];
    for (const name of names.slice(0, request.limit)) {
      const stat = await fs.promises.lstat(path.join(request.path, name)).catch(() => null);
      if (stat) entries.push({ name, type: typeOf(stat), size: stat.size });
    }
    finish(socket, { entries });
  } catch (error) {
    finish(socket, { error: codeOf(error) });
  }
}

async function stat(socket, request) {
  socket.resume();
  try {
    const found = await fs.promises.lstat(request.path);
    finish(socket, {
      stat: { type: typeOf(found), size: found.size, mode: found.mode & 0o7777, modifiedAt: found.mtimeMs },
    });
  } catch (error) {
    const code = codeOf(error);
    finish(socket, code === "ENOENT" || code === "ENOTDIR" ? { stat: null } : { error: code });
  }
}

module.exports = { read, write, list, stat };
