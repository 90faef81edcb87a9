"use strict";
// The wire between the app and a sandbox: one connection is one operation. The request is a line of JSON, followed by
// as many raw bytes as it announces. The reply is frames: type (1 byte), length (4 bytes, big-endian), payload.

const FRAME = { stdout: 1, stderr: 2, end: 3, data: 4 };

/** Writes one frame; false when the peer is slow and the caller should wait for `drain`. */
function writeFrame(socket, type, payload) {
  if (socket.destroyed || socket.writableEnded) return true;
  const head = Buffer.allocUnsafe(5);
  head[0] = type;
  head.writeUInt32BE(payload.length, 1);
  socket.cork();
  socket.write(head);
  const roomLeft = socket.write(payload);
  socket.uncork();
  return roomLeft;
}

/** The last frame of every operation. `{ error: CODE }` means that it failed. */
function finish(socket, reply) {
  if (socket.destroyed || socket.writableEnded) return;
  writeFrame(socket, FRAME.end, Buffer.from(JSON.stringify(reply)));
  socket.end();
}

/** Hands over the raw bytes after the request line, exactly `size` of them; `done(false)` when the peer left early. */
function readBody(socket, rest, size, onBytes, done) {
  let left = size;
  let over = false;
  const settle = (complete) => {
    if (over) return;
    over = true;
    socket.off("data", take);
    socket.resume();
    done(complete);
  };
  const take = (bytes) => {
    if (over) return;
    const part = bytes.length > left ? bytes.subarray(0, left) : bytes;
    left -= part.length;
    if (part.length > 0) onBytes(part);
    if (left <= 0) settle(true);
  };
  socket.on("end", () => settle(false));
  socket.on("close", () => settle(false));
  socket.on("data", take);
  take(rest);
  if (!over) socket.resume();
}

module.exports = { FRAME, writeFrame, finish, readBody };
