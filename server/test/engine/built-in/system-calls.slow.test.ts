/** The filter of system calls for engines: its program for each processor, and what the kernel makes of it. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { silentLog } from '../../fixtures/silent-log.ts';
import {
  chooseAccount,
  detectIsolation,
  findIsolations,
  makeEngineFolder,
  preparePool,
} from '../../../src/engine/built-in/isolation.ts';
import {
  findProgram,
  type Isolation,
  makeWrapping,
} from '../../../src/engine/built-in/sandbox-command.ts';
import { makeCallFilter } from '../../../src/engine/built-in/system-calls.ts';
import { examine } from '../../../src/upkeep/doctor.ts';

const folder = await mkdtemp(join(tmpdir(), 'recodery-calls-'));
await chmod(folder, 0o711);
afterAll(() => rm(folder, { recursive: true }));

/** Runs a program as the kernel would (only the operations that seccomp allows), and returns its result. */
function interpret(program: Buffer, call: readonly [number, number, number]): number {
  const words = new Map([
    [0, call[0]],
    [4, call[1]],
    [16, call[2]],
  ]);
  let loaded = 0;
  for (let at = 0; ; at += 1) {
    const code = program.readUInt16LE(at * 8);
    const value = program.readUInt32LE(at * 8 + 4);
    const jump = (holds: boolean) => program[at * 8 + (holds ? 2 : 3)] ?? 0;
    if (code === 0x06) return value;
    if (code === 0x20) loaded = words.get(value) ?? Number.NaN;
    else if (code === 0x15) at += jump(loaded === value);
    else if (code === 0x35) at += jump(loaded >= value);
    else if (code === 0x45) at += jump((loaded & value) !== 0);
    else throw new Error(`unknown operation ${code}`);
  }
}

const allowed = 0x7fff_0000;
const refused = 0x0005_0001;
const missing = 0x0005_0026;
const ended = 0x8000_0000;

describe.each([
  [
    'x64',
    0xc000_003e,
    { read: 0, write: 1, mmap: 9, futex: 202, socket: 41, keyctl: 250, clone: 56 },
  ],
  [
    'arm64',
    0xc000_00b7,
    { read: 63, write: 64, mmap: 222, futex: 98, socket: 198, keyctl: 219, clone: 220 },
  ],
] as const)('on %s', (processor, audit, calls) => {
  const program = makeCallFilter(processor) ?? Buffer.alloc(0);
  const result = (call: number, parameter = 0) => interpret(program, [call, audit, parameter]);

  test('sockets, keys and new namespaces are refused, and what Node needs is allowed', () => {
    expect([calls.read, calls.write, calls.mmap, calls.futex].map((call) => result(call))).toEqual(
      Array(4).fill(allowed),
    );
    expect([calls.socket, calls.keyctl].map((call) => result(call))).toEqual([refused, refused]);
    // CLONE_VM | CLONE_THREAD … of a thread, SIGCHLD of a process, CLONE_NEWUSER, CLONE_NEWNET
    expect(
      [0x003d_0f00, 0x11, 0x1000_0011, 0x4000_0011].map((flags) => result(calls.clone, flags)),
    ).toEqual([allowed, allowed, refused, refused]);
    // clone3 and io_uring_setup, which others replace
    expect([435, 425].map((call) => result(call))).toEqual([missing, missing]);
  });

  test('a call with the numbers of another processor ends the process', () => {
    expect(interpret(program, [calls.read, 0x4000_0003, 0])).toBe(ended);
    if (processor === 'x64') expect(result(0x4000_0000 + calls.read)).toBe(refused);
  });
});

test('there is none for other processors', () => {
  expect(makeCallFilter('riscv64')).toBe(null);
});

const python = findProgram('python3');
/** Loads a filter, as bwrap does, then becomes the command. */
const applyFilter = join(import.meta.dirname, 'programs/apply-filter.py');
const tryCalls = join(import.meta.dirname, 'programs/try-calls.py');
const filter = makeCallFilter(process.arch);
/** EPERM and ENOSYS. */
const [eperm, enosys] = [1, 38];
const refusals = {
  'AF_VSOCK socket': eperm,
  'AF_UNIX socket': eperm,
  keyctl: eperm,
  add_key: eperm,
  request_key: eperm,
  'new user namespace': eperm,
  'clone into a user namespace': eperm,
  ptrace: eperm,
  io_uring: enosys,
  clone3: enosys,
};

describe.runIf(python !== null && filter !== null && process.platform === 'linux')(
  'the kernel',
  () => {
    // promise d8.engine.isolation
    test('refuses these calls to code under the filter, and starts Node', async () => {
      const path = join(folder, 'filter');
      await writeFile(path, filter ?? '');
      const run = (...command: readonly string[]) =>
        spawnSync(python ?? '', [applyFilter, path, ...command], { encoding: 'utf8' });
      expect(JSON.parse(run(python ?? '', tryCalls).stdout)).toEqual(refusals);
      expect(run(process.execPath, '--print', '6 * 7')).toMatchObject({
        stdout: '42\n',
        status: 0,
      });
    });

    test('refuses them in the sandbox of bwrap', async (context) => {
      const isolations: Isolation[] = [];
      for await (const one of findIsolations(join(folder, 'scratch'))) isolations.push(one);
      const isolation = isolations.find(({ hasCallFilter }) => hasCallFilter);
      if (isolation === undefined) return context.skip('bwrap is not usable here');
      const account = await chooseAccount(isolation);
      const parent = await mkdtemp(join(folder, 'scratch/pool-'));
      await preparePool(parent, isolation);
      const own = await makeEngineFolder(parent, account);
      const readable = [python ?? '', tryCalls];
      const [first = '', ...words] = makeWrapping({ isolation, account, readable, folder: own });
      const { stdout, stderr } = spawnSync(first, [...words, python ?? '', tryCalls], {
        cwd: own,
        env: {},
        encoding: 'utf8',
      });
      expect([JSON.parse(stdout || '{}'), stderr]).toEqual([refusals, '']);
    });
  },
);

/** A filter that refuses to change the limits of other processes: prlimit64 with a process id. */
function makeLimitFilter(): Buffer {
  const isArm = process.arch === 'arm64';
  const step = (code: number, yes: number, no: number, value: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt16LE(code, 0);
    bytes.set([yes, no], 2);
    bytes.writeUInt32LE(value, 4);
    return bytes;
  };
  return Buffer.concat([
    step(0x20, 0, 0, 0),
    step(0x15, 0, 3, isArm ? 261 : 302),
    step(0x20, 0, 0, 16),
    step(0x15, 1, 0, 0),
    step(0x06, 0, 0, refused),
    step(0x06, 0, 0, allowed),
  ]);
}

// promise d8.engine.isolation
test.runIf(python !== null && findProgram('prlimit') !== null && process.platform === 'linux')(
  'engines start where limits of other processes cannot be set, which start and doctor report with the reason',
  async () => {
    const path = join(folder, 'limits');
    await writeFile(path, makeLimitFilter());
    const dataDir = join(folder, 'data');
    await mkdir(dataDir, { mode: 0o755 });
    const script = join(import.meta.dirname, 'programs/report-isolation.ts');
    const { stdout, stderr } = spawnSync(
      python ?? '',
      [applyFilter, path, process.execPath, '--no-warnings', script, dataDir],
      { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } },
    );
    expect(stderr).toBe('');
    const { decoded, doctor } = JSON.parse(stdout) as { decoded: string; doctor: string };
    expect(decoded).toBe('FILE_NOT_RECOGNIZED');
    expect(doctor).toMatch(
      /They can start other processes\. Allow prlimit .*prlimit: .*not permitted/,
    );
    // here, nothing is refused
    const isolation = await detectIsolation(join(folder, 'scratch'));
    const config = readConfig({ RECODERY_DATA_DIR: dataDir, RECODERY_PORT: '1' });
    let text = '';
    for await (const finding of examine({ config, log: silentLog }))
      if (finding.what === 'isolation') text = finding.text;
    expect(text.includes('They can start other processes')).toBe(!isolation.isSealed);
  },
);
