"use strict";

const JOIN_BELOW = 16 * 1024;

/** What a command has said: the newest `cap` bytes, addressed by how many bytes came before them. */
class OutputLog {
  constructor(cap) {
    this.cap = cap;
    this.chunks = [];
    this.start = 0;
    this.end = 0;
  }

  get size() {
    return this.end - this.start;
  }

  push(stream, bytes) {
    const last = this.chunks[this.chunks.length - 1];
    // A program that writes byte by byte would otherwise cost a hundred times its output.
    if (last && last.stream === stream && last.bytes.length + bytes.length <= JOIN_BELOW) {
      last.bytes = Buffer.concat([last.bytes, bytes]);
    } else {
      this.chunks.push({ at: this.end, stream, bytes: Buffer.from(bytes) });
    }
    this.end += bytes.length;
    this.trim(this.cap);
  }

  /** Drops the oldest bytes until at most `cap` are left. */
  trim(cap) {
    let gone = 0;
    while (this.size > cap) {
      const first = this.chunks[gone];
      const excess = this.size - cap;
      if (first.bytes.length <= excess) {
        this.start += first.bytes.length;
        gone += 1;
      } else {
        first.bytes = first.bytes.subarray(excess);
        first.at += excess;
        this.start += excess;
      }
    }
    if (gone > 0) this.chunks.splice(0, gone);
  }

  /** The part that follows position `from`, or null when there is nothing yet. */
  after(from) {
    const position = Math.max(from, this.start);
    if (position >= this.end) return null;
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.chunks[middle].at <= position) low = middle;
      else high = middle - 1;
    }
    const chunk = this.chunks[low];
    const bytes = chunk.bytes.subarray(position - chunk.at);
    return { stream: chunk.stream, bytes, next: position + bytes.length };
  }
}

module.exports = { OutputLog };
