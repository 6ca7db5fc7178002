/**
 * The filter of system calls for engine processes, as a program for the kernel (seccomp): it refuses what an engine never
 * calls, and what namespaces do not restrict, such as the kernel's keys and sockets of virtual machines.
 */

/** The numbers of a system call on x64 and on arm64, from the kernel's tables. */
type Numbers = readonly [x64: number, arm64: number];

/** Calls that are forbidden. */
const forbidden: Readonly<Record<string, Numbers>> = {
  // a network namespace has no AF_VSOCK: its sockets reach the host of a virtual machine
  socket: [41, 198],
  socketpair: [53, 199],
  // keys belong to the account, not to a namespace
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // namespaces, in which the kernel offers more of itself
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // other processes
  ptrace: [101, 117],
  kcmp: [312, 272],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  // parts of the kernel that had many faults, or that change the machine
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  personality: [135, 92],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  syslog: [103, 116],
  acct: [163, 89],
  quotactl: [179, 60],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
};

/** Calls that the C library and Node replace with others if the kernel does not have them. */
const absent: Readonly<Record<string, Numbers>> = {
  // its parameters are in memory, where the filter cannot see them
  clone3: [435, 435],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
};

const clone: Numbers = [56, 220];
/** All CLONE_NEW… flags of clone, from linux/sched.h. */
const namespaceFlags = 0x7e02_0000;

interface Machine {
  readonly index: 0 | 1;
  /** AUDIT_ARCH_…, from linux/audit.h. */
  readonly audit: number;
}
const machines: Readonly<Record<string, Machine>> = {
  x64: { index: 0, audit: 0xc000_003e },
  arm64: { index: 1, audit: 0xc000_00b7 },
};
/** The first number of x64's second set of calls, with 32-bit addresses. */
const x32 = 0x4000_0000;

/** Operations of BPF and results of seccomp, from linux/filter.h and linux/seccomp.h. */
const load = 0x20;
const ifEqual = 0x15;
const ifAtLeast = 0x35;
const ifAnyBit = 0x45;
const finish = 0x06;
const results = {
  allow: 0x7fff_0000,
  /** EPERM */
  refuse: 0x0005_0001,
  /** ENOSYS */
  lack: 0x0005_0026,
} as const;
const endProcess = 0x8000_0000;
/** Offsets in what the kernel describes a call with: its number, the machine, the lower half of its first parameter. */
const offsets = { call: 0, audit: 4, parameter: 16 } as const;

/** An instruction; a comparison that holds goes on at `result`, or else with the next instruction. */
interface Step {
  readonly code: number;
  readonly value: number;
  readonly result?: keyof typeof results;
}

function listSteps({ index, audit }: Machine): readonly Step[] {
  const refuseAll = (calls: Readonly<Record<string, Numbers>>, result: keyof typeof results) =>
    Object.values(calls).map((numbers): Step => ({ code: ifEqual, value: numbers[index], result }));
  return [
    { code: load, value: offsets.call },
    ...(audit === machines['x64']?.audit
      ? [{ code: ifAtLeast, value: x32, result: 'refuse' } as const]
      : []),
    ...refuseAll(forbidden, 'refuse'),
    ...refuseAll(absent, 'lack'),
  ];
}

/**
 * The filter as the kernel reads it (an array of `struct sock_filter`), for a processor as Node names it; null: for this
 * one there is none.
 */
export function makeCallFilter(processor: string): Buffer | null {
  const machine = machines[processor];
  if (machine === undefined) return null;
  const steps = listSteps(machine);
  const ends = Object.keys(results);
  const program: Buffer[] = [];
  const add = (code: number, value: number, jumps: readonly [number, number] = [0, 0]): void => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt16LE(code, 0);
    bytes.set(jumps, 2);
    bytes.writeUInt32LE(value, 4);
    program.push(bytes);
  };
  add(load, offsets.audit);
  add(ifEqual, machine.audit, [1, 0]);
  // another set of calls, whose numbers mean something else
  add(finish, endProcess);
  // after the steps: the flags of clone in three instructions, then the results
  const endsAt = program.length + steps.length + 3;
  const distance = (to: string): number => endsAt + ends.indexOf(to) - program.length - 1;
  for (const { code, value, result } of steps)
    add(code, value, result === undefined ? [0, 0] : [distance(result), 0]);
  add(ifEqual, clone[machine.index], [0, distance('allow')]);
  add(load, offsets.parameter);
  add(ifAnyBit, namespaceFlags, [distance('refuse'), distance('allow')]);
  for (const result of Object.values(results)) add(finish, result);
  return Buffer.concat(program);
}
