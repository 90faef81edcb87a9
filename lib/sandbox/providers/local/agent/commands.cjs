"use strict";
const childProcess = require("node:child_process");
const fs = require("node:fs");
const { FRAME, writeFrame, finish, readBody } = require("./wire.cjs");
const { OutputLog } = require("./output-log.cjs");
const { openPipes, readEnd } = require("./pipes.cjs");

const GRACE_MS = 1_500;
const KILL_WAIT_MS = 450;
/** How long a command that ended may keep its pipes open through a child before its exit is told without them. */
const PIPE_WAIT_MS = 200;
const ALL_LOGS_BYTES = 32 * 1024 * 1024;
const MAX_TIMER_MS = 2 ** 31 - 1;

const baseEnv = JSON.parse(process.env.DORMOUSE_ENV || "{}");
const devNull = fs.openSync("/dev/null", "r+");
/** Every command since the boot. Only outputs are ever dropped: the id of an ended command must not start it again. */
const commands = new Map();

function startProcess(request, stdin) {
  const argv = typeof request.command === "string" ? ["/bin/bash", "-c", request.command] : request.command;
  if (!fs.statSync(request.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`The folder ${request.cwd} does not exist.`);
  }
  const pipes = openPipes();
  let child;
  try {
    child = childProcess.spawn(argv[0], argv.slice(1), {
      cwd: request.cwd,
      env: { ...baseEnv, ...request.env },
      detached: true,
      // Descriptor 3 is the socket on which this agent listens; a command gets /dev/null in its place.
      stdio: [stdin ? "pipe" : "ignore", pipes?.[0].writer ?? "pipe", pipes?.[1].writer ?? "pipe", devNull],
    });
  } finally {
    for (const pipe of pipes ?? []) fs.closeSync(pipe.writer);
  }
  const [stdout, stderr] = pipes ? pipes.map(({ reader }) => readEnd(reader)) : [child.stdout, child.stderr];
  // A command that could not be started has no output streams of its own.
  for (const stream of [stdout, stderr]) stream?.on("error", () => {});
  if (child.pid) {
    try {
      // When memory runs out the kernel should take the command, not the agent.
      fs.writeFileSync(`/proc/${child.pid}/oom_score_adj`, "500");
    } catch {}
  }
  return { child, stdout, stderr };
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Calls `onExit` once, when the process is over and its output has been read. */
function watchExit({ child, stdout, stderr }, timeoutMs, onExit) {
  let timedOut = false;
  let over = false;
  const timer = timeoutMs
    ? setTimeout(
        () => {
          timedOut = true;
          signalGroup(child.pid, "SIGKILL");
        },
        Math.min(timeoutMs, MAX_TIMER_MS),
      )
    : undefined;
  const settle = (exit) => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    // What it left in the background may go on writing; nobody reads it, but it must not die of a closed pipe.
    for (const stream of [stdout, stderr]) {
      stream?.removeAllListeners("data");
      stream?.resume();
    }
    onExit({ ...exit, timedOut });
  };
  child.on("error", (error) => settle({ exitCode: 127, signal: null, error: error.message }));
  child.on("exit", (exitCode, signal) => {
    const closed = [stdout, stderr].map((stream) => new Promise((resolve) => whenOver(stream, resolve)));
    void Promise.all(closed).then(() => settle({ exitCode, signal }));
    setTimeout(() => settle({ exitCode, signal }), PIPE_WAIT_MS);
  });
}

function whenOver(stream, callback) {
  if (!stream || stream.readableEnded || stream.destroyed) callback();
  else {
    stream.once("end", callback);
    stream.once("close", callback);
  }
}

function failedStart(error) {
  return { exitCode: 127, signal: null, timedOut: false, droppedBytes: 0, error: String(error.message || error) };
}

/** Runs a command for one caller: its first `cap` bytes are sent, and it dies when the caller hangs up. */
function exec(socket, request, rest) {
  let started;
  try {
    started = startProcess(request, request.stdinBytes !== null);
  } catch (error) {
    return finish(socket, { exit: failedStart(error) });
  }
  const { child, stdout, stderr } = started;
  let sent = 0;
  let dropped = 0;
  let over = false;
  const forward = (type) => (bytes) => {
    const part = bytes.subarray(0, Math.max(0, request.cap - sent));
    sent += part.length;
    dropped += bytes.length - part.length;
    if (part.length > 0 && !writeFrame(socket, type, part)) {
      stdout.pause();
      stderr.pause();
      socket.once("drain", () => {
        stdout.resume();
        stderr.resume();
      });
    }
  };
  stdout.on("data", forward(FRAME.stdout));
  stderr.on("data", forward(FRAME.stderr));
  watchExit(started, request.timeoutMs, (exit) => {
    over = true;
    finish(socket, { exit: { ...exit, droppedBytes: dropped } });
  });
  const hangUp = () => {
    if (!over && child.pid) signalGroup(child.pid, "SIGKILL");
    // A caller that is gone reads no more; without this a paused pipe would hold the exit back.
    stdout.resume();
    stderr.resume();
  };
  socket.on("end", hangUp);
  socket.on("close", hangUp);
  if (request.stdinBytes === null) return socket.resume();
  child.stdin.on("error", () => {});
  readBody(
    socket,
    rest,
    request.stdinBytes,
    (bytes) => child.stdin.write(bytes),
    () => child.stdin.end(),
  );
}

function spawn(socket, request) {
  if (commands.has(request.commandId)) return finish(socket, { started: false });
  const command = {
    id: request.commandId,
    text: typeof request.command === "string" ? request.command : request.command.join(" "),
    cwd: request.cwd,
    background: request.background === true,
    startedAt: Date.now(),
    pid: 0,
    exit: null,
    log: new OutputLog(request.cap),
    followers: new Set(),
  };
  commands.set(command.id, command);
  try {
    const started = startProcess(request, false);
    command.pid = started.child.pid ?? 0;
    const keep = (type) => (bytes) => {
      command.log.push(type, bytes);
      for (const follower of command.followers) follower();
    };
    started.stdout.on("data", keep(FRAME.stdout));
    started.stderr.on("data", keep(FRAME.stderr));
    watchExit(started, request.timeoutMs, (exit) => end(command, exit));
  } catch (error) {
    end(command, failedStart(error));
  }
  finish(socket, { started: true });
}

function end(command, exit) {
  command.exit = exit;
  for (const follower of command.followers) follower();
  command.followers.clear();
  let total = 0;
  for (const each of commands.values()) total += each.log.size;
  for (const each of commands.values()) {
    if (total <= ALL_LOGS_BYTES) break;
    if (!each.exit || each === command) continue;
    total -= each.log.size;
    each.log.trim(0);
  }
}

function exitOf(command) {
  return command.exit && { ...command.exit, droppedBytes: command.log.start };
}

/** Sends what is kept, then what comes. A slow follower misses what the cap drops; it never slows the command. */
function attach(socket, request) {
  const command = commands.get(request.commandId);
  if (!command) return finish(socket, { error: "ENOCOMMAND" });
  let position = 0;
  let waiting = false;
  const pump = () => {
    if (waiting || socket.destroyed) return;
    for (let part = command.log.after(position); part; part = command.log.after(position)) {
      position = part.next;
      if (!writeFrame(socket, part.stream, part.bytes)) {
        waiting = true;
        socket.once("drain", () => {
          waiting = false;
          pump();
        });
        return;
      }
    }
    if (command.exit) finish(socket, { exit: exitOf(command) });
  };
  const leave = () => command.followers.delete(pump);
  socket.on("end", () => {
    leave();
    socket.destroy();
  });
  socket.on("close", leave);
  socket.resume();
  if (!command.exit) command.followers.add(pump);
  pump();
}

function kill(socket, request) {
  const command = commands.get(request.commandId);
  if (!command?.pid || isReused(command)) return finish(socket, {});
  const started = Date.now();
  let hard = request.signal === "SIGKILL";
  signalGroup(command.pid, request.signal);
  const look = () => {
    if (!signalGroup(command.pid, 0)) return finish(socket, {});
    const elapsed = Date.now() - started;
    if (!hard && elapsed >= GRACE_MS) {
      hard = true;
      signalGroup(command.pid, "SIGKILL");
    }
    if (elapsed >= GRACE_MS + KILL_WAIT_MS) return finish(socket, { error: "ESTILLALIVE" });
    setTimeout(look, 20);
  };
  socket.resume();
  look();
}

/** The number of an ended command can belong to a later one. */
function isReused(command) {
  if (!command.exit) return false;
  for (const other of commands.values()) if (other !== command && !other.exit && other.pid === command.pid) return true;
  return false;
}

function list(socket) {
  const rows = [];
  for (const command of [...commands.values()].slice(-2_000)) {
    const { id, text, cwd, background, startedAt } = command;
    rows.push({ commandId: id, command: text.slice(0, 1_000), cwd, background, startedAt, exit: exitOf(command) });
  }
  finish(socket, { commands: rows });
}

/** The disk of the sandbox is over its limit: nothing that writes may go on. */
function killAll(socket) {
  for (const command of commands.values()) if (!command.exit && command.pid) signalGroup(command.pid, "SIGKILL");
  finish(socket, {});
}

module.exports = { exec, spawn, attach, kill, list, killAll };
