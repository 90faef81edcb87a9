/**
 * The system call filter of every command, as classic BPF for bubblewrap's `--seccomp`. It takes away what a coding
 * sandbox never needs and what has opened kernels before; everything else stays allowed, so that ordinary tools work.
 * Numbers: linux/asm-generic/unistd.h and arch/x86/entry/syscalls/syscall_64.tbl.
 */
interface CallTable {
  readonly auditArch: number;
  readonly denied: readonly number[];
  readonly socket: number;
  readonly ioctl: number;
  readonly clone: number;
  /** x86-64 has a second numbering from here on (x32), which would bypass the table. */
  readonly alternativeFrom: number | null;
}

/** The same numbers on both machines: open_tree … fspick, mount_setattr, quotactl_fd, open_tree_attr. */
const DENIED_EVERYWHERE = [428, 429, 430, 431, 432, 433, 442, 443, 467];
/** io_uring (its operations pass no filter) and clone3 (its flags cannot be read); libraries fall back at ENOSYS. */
const ABSENT_EVERYWHERE = [425, 426, 427, 435];

const TABLES: Readonly<Record<string, CallTable>> = {
  x64: {
    auditArch: 0xc000003e,
    denied: [
      ...[248, 249, 250], // add_key, request_key, keyctl
      ...[321, 298, 323], // bpf, perf_event_open, userfaultfd
      ...[246, 320, 175, 313, 176, 174, 177, 178], // kexec and kernel modules
      ...[163, 167, 168, 169], // acct, swapon, swapoff, reboot
      ...[165, 166, 155, 161, 272, 308, 304], // mount, umount2, pivot_root, chroot, unshare, setns, open_by_handle_at
      ...[227, 164, 159, 305], // clocks
      ...[212, 179, 180, 103, 153, 156], // lookup_dcookie, quotactl, nfsservctl, syslog, vhangup, _sysctl
      ...[172, 173, 134], // iopl, ioperm, uselib
    ],
    socket: 41,
    ioctl: 16,
    clone: 56,
    alternativeFrom: 0x40000000,
  },
  arm64: {
    auditArch: 0xc00000b7,
    denied: [
      ...[217, 218, 219],
      ...[280, 241, 282],
      ...[104, 294, 105, 273, 106],
      ...[89, 224, 225, 142],
      ...[40, 39, 41, 51, 97, 268, 265],
      ...[112, 170, 171, 266],
      ...[18, 60, 42, 116, 58],
    ],
    socket: 198,
    ioctl: 29,
    clone: 220,
    alternativeFrom: null,
  },
};

/** UNIX, INET, INET6, NETLINK. Above all not VSOCK: a network namespace does not hide the host's. */
const SOCKET_FAMILIES = [1, 2, 10, 16];
/** Pushing characters into a terminal: TIOCSTI, TIOCLINUX. */
const DENIED_IOCTLS = [0x5412, 0x541c];
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NAMESPACE_FLAGS = 0x7e020000;

const ALLOW = 0x7fff0000;
const fail = (errno: number) => 0x00050000 | errno;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const give = (verdict: number): Instruction => [0x06, 0, 0, verdict];
const equal = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x15, ifTrue, ifFalse, value];
const atLeast = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x35, ifTrue, ifFalse, value];
const anyBit = (mask: number, ifTrue: number, ifFalse: number): Instruction => [0x45, ifTrue, ifFalse, mask];

/** Offsets in struct seccomp_data. */
const NUMBER = 0;
const ARCH = 4;
const argument = (index: number) => 16 + 8 * index;

/** The filter for a machine, or null when its system calls are not known to us (then no sandbox is started there). */
export function seccompFilter(arch: string = process.arch): Buffer | null {
  const table = TABLES[arch];
  if (!table) return null;
  const program: Instruction[] = [load(ARCH), equal(table.auditArch, 1, 0), give(fail(EPERM)), load(NUMBER)];
  if (table.alternativeFrom !== null) program.push(atLeast(table.alternativeFrom, 0, 1), give(fail(EPERM)));
  for (const call of [...table.denied, ...DENIED_EVERYWHERE]) program.push(equal(call, 0, 1), give(fail(EPERM)));
  for (const call of ABSENT_EVERYWHERE) program.push(equal(call, 0, 1), give(fail(ENOSYS)));
  program.push(
    ...onCall(table.socket, [
      load(argument(0)),
      ...SOCKET_FAMILIES.flatMap((family) => [equal(family, 0, 1), give(ALLOW)]),
      give(fail(EAFNOSUPPORT)),
    ]),
    ...onCall(table.clone, [load(argument(0)), anyBit(NAMESPACE_FLAGS, 0, 1), give(fail(EPERM)), give(ALLOW)]),
    ...onCall(table.ioctl, [
      load(argument(1)),
      ...DENIED_IOCTLS.flatMap((request) => [equal(request, 0, 1), give(fail(EPERM))]),
      give(ALLOW),
    ]),
    give(ALLOW),
  );
  return encode(program);
}

/** Runs `body`, which must end in a verdict, for one call only. */
function onCall(call: number, body: readonly Instruction[]): Instruction[] {
  return [equal(call, 0, body.length), ...body];
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, ifTrue, ifFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes[index * 8 + 2] = ifTrue;
    bytes[index * 8 + 3] = ifFalse;
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
