import { describe, expect, it } from "vitest";
import { seccompFilter } from "./seccomp";

const ALLOW = 0x7fff0000;
const errno = (code: number) => 0x00050000 | code;

interface Call {
  readonly number: number;
  readonly arch: number;
  readonly args?: readonly number[];
}

/** What the kernel would answer: the few instructions that the filter uses, run on one call. */
function judge(filter: Buffer, call: Call): number {
  const memory = Buffer.alloc(64);
  memory.writeUInt32LE(call.number >>> 0, 0);
  memory.writeUInt32LE(call.arch >>> 0, 4);
  for (const [index, value] of (call.args ?? []).entries()) memory.writeUInt32LE(value >>> 0, 16 + 8 * index);
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(at * 8);
    const [ifTrue, ifFalse, value] = [
      filter.readUInt8(at * 8 + 2),
      filter.readUInt8(at * 8 + 3),
      filter.readUInt32LE(at * 8 + 4),
    ];
    const jump = (truth: boolean) => {
      at += truth ? ifTrue : ifFalse;
    };
    if (code === 0x20) accumulator = memory.readUInt32LE(value);
    else if (code === 0x15) jump(accumulator === value);
    else if (code === 0x35) jump(accumulator >= value);
    else if (code === 0x45) jump((accumulator & value) !== 0);
    else if (code === 0x06) return value;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error("ran off the end");
}

const MACHINES = [
  {
    name: "x64",
    arch: 0xc000003e,
    read: 0,
    mount: 165,
    unshare: 272,
    bpf: 321,
    socket: 41,
    clone: 56,
    ioctl: 16,
    keyctl: 250,
  },
  {
    name: "arm64",
    arch: 0xc00000b7,
    read: 63,
    mount: 40,
    unshare: 97,
    bpf: 280,
    socket: 198,
    clone: 220,
    ioctl: 29,
    keyctl: 219,
  },
];

describe.each(MACHINES)("the system call filter for $name", ({ name, arch, ...calls }) => {
  const filter = seccompFilter(name) ?? Buffer.alloc(0);
  const verdict = (number: number, args: number[] = []) => judge(filter, { number, arch, args });

  it("lets ordinary calls pass", () => {
    expect(verdict(calls.read)).toBe(ALLOW);
    expect(verdict(1)).toBe(ALLOW);
  });

  it("refuses what opens kernels", () => {
    for (const number of [calls.mount, calls.unshare, calls.bpf, calls.keyctl, 430, 442]) {
      expect(verdict(number)).toBe(errno(1));
    }
  });

  it("makes libraries fall back from clone3 and io_uring", () => {
    for (const number of [435, 425, 426, 427]) expect(verdict(number)).toBe(errno(38));
  });

  it("opens sockets of the families that a network namespace confines, and no other", () => {
    for (const family of [1, 2, 10, 16]) expect(verdict(calls.socket, [family])).toBe(ALLOW);
    for (const family of [17, 38, 40, 44]) expect(verdict(calls.socket, [family])).toBe(errno(97));
  });

  it("starts processes and threads, but no namespaces", () => {
    expect(verdict(calls.clone, [0x1200011])).toBe(ALLOW);
    expect(verdict(calls.clone, [0x3d0f00])).toBe(ALLOW);
    for (const flag of [0x10000000, 0x20000000, 0x40000000, 0x00020000]) {
      expect(verdict(calls.clone, [flag | 17])).toBe(errno(1));
    }
  });

  it("does not push characters into terminals", () => {
    expect(verdict(calls.ioctl, [0, 0x5412])).toBe(errno(1));
    expect(verdict(calls.ioctl, [0, 0x541c])).toBe(errno(1));
    expect(verdict(calls.ioctl, [0, 0x5401])).toBe(ALLOW);
  });

  it("refuses the calls of another machine", () => {
    expect(judge(filter, { number: calls.read, arch: 0x40000003 })).toBe(errno(1));
  });
});

it("x32, the second numbering of x64, is refused", () => {
  const filter = seccompFilter("x64") ?? Buffer.alloc(0);
  expect(judge(filter, { number: 0x40000000, arch: 0xc000003e })).toBe(errno(1));
});

it("there is no filter for a machine whose calls are not known", () => {
  expect(seccompFilter("riscv64")).toBeNull();
});
