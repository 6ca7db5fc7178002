/**
 * Hostile code in an engine process tries each way to escape. Node refuses every attempt at every level; the operating
 * system refuses them again, for code that has bypassed Node, to the extent that the active level allows.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chooseAccount,
  describeIsolation,
  findIsolations,
  makeEngineFolder,
  noIsolation,
  preparePool,
} from '../../../src/engine/built-in/isolation.ts';
import { findInnermost } from '../../../src/engine/built-in/process-state.ts';
import { createEnginePool, EngineCrashed } from '../../../src/engine/built-in/pool.ts';
import { sealProcess } from '../../../src/engine/built-in/seal.ts';
import {
  findProgram,
  type Isolation,
  makeWrapping,
} from '../../../src/engine/built-in/sandbox-command.ts';
import { findEngines } from '../../fixtures/recodery-process.ts';
import { attemptNames, type Results, type Targets } from './programs/hostile-engine.ts';
import { buildProgram } from './test-programs.ts';

const { program, readable } = await buildProgram('hostile-engine');
const control = 'write to its own folder';
const attemptsToStart = ['start a process', 'start a thread'];
const escapes = attemptNames.filter((name) => name !== control);

const workFolder = await mkdtemp(join(tmpdir(), 'recodery-hostile-'));
// engines with their own account need to pass through it
await chmod(workFolder, 0o711);
const dataDir = join(workFolder, 'data');
const scratch = join(workFolder, 'scratch');
const isolations: Isolation[] = [];
for await (const isolation of findIsolations(scratch)) isolations.push(isolation);

const servers: readonly Server[] = [
  createServer((socket) => {
    // a client may disconnect before it has read
    socket.on('error', () => undefined).end('HTTP/1.1 204 \r\n\r\n');
  }),
  createServer(),
];
const victims: ChildProcess[] = [];
let port: number;
beforeAll(async () => {
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(join(dataDir, 'secret'), 'a secret', { mode: 0o600 });
  const [network, unix] = servers;
  await once(network?.listen(0, '127.0.0.1') ?? process, 'listening');
  await once(unix?.listen(join(dataDir, 'socket')) ?? process, 'listening');
  const address = network?.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
afterAll(async () => {
  for (const victim of victims) victim.kill('SIGKILL');
  for (const server of servers) server.close();
  await rm(workFolder, { recursive: true });
});

/** A process under our account, which represents the portal. */
async function startVictim(): Promise<number> {
  const script = 'setInterval(() => undefined, 1000); console.log("up")';
  const victim = spawn(process.execPath, ['--inspect-port=0', '--eval', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  victims.push(victim);
  await once(victim.stdout ?? victim, 'data');
  return victim.pid ?? 0;
}

/** Makes attempts with code that Node does not restrict. */
async function attemptWithoutNode(
  isolation: Isolation | null,
  names: readonly string[],
  isSealed = false,
): Promise<Results> {
  const parent = await mkdtemp(join(scratch, 'pool-'));
  await preparePool(parent, isolation ?? noIsolation);
  const account = isolation === null ? null : await chooseAccount(isolation);
  const folder = await makeEngineFolder(parent, account);
  const targets: Targets = { pid: await startVictim(), dataDir, port, folder };
  const wrapping = isolation === null ? [] : makeWrapping({ isolation, account, readable, folder });
  const [first, ...words] = [...wrapping, process.execPath, '--no-warnings', program];
  const engine = spawn(first, [...words, JSON.stringify(targets), ...names], {
    cwd: folder,
    env: {},
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(engine.stdout)[Symbol.asyncIterator]();
  await lines.next();
  if (isSealed) await sealProcess(findInnermost(engine.pid ?? 0), account);
  engine.stdin.end('go');
  const { value } = await lines.next();
  if (value === undefined) throw new Error(`it ended: ${engine.signalCode ?? engine.exitCode}`);
  await rm(parent, { recursive: true });
  return JSON.parse(value);
}

test('every attempt succeeds in an ordinary process', async () => {
  const results = await attemptWithoutNode(null, attemptNames);
  expect(results).toEqual(Object.fromEntries(attemptNames.map((name) => [name, null])));
});

// promise d8.engine.no-rights
describe.each(isolations.map((isolation) => [describeIsolation(isolation), isolation] as const))(
  'an engine isolated by %s',
  (_level, isolation) => {
    test('is refused every attempt by Node', async () => {
      const pool = await createEnginePool({ engines: 1, scratch, program, readable, isolation });
      const pid = await startVictim();
      const letThrough: string[] = [];
      for (const name of escapes) {
        using work = await pool.openScratch();
        const filePath = join(work.folder, 'read');
        const targets = { pid, dataDir, port, folder: work.folder } satisfies Targets;
        await writeFile(filePath, JSON.stringify({ name, targets }));
        const answer = await pool.run(
          {
            kind: 'decode',
            workflow: 'kessv2',
            filePath,
            pairKey: new Uint8Array(32),
            skipChecksum: false,
            outFolder: work.folder,
          },
          'one',
        );
        if (answer.information.vin === null) letThrough.push(name);
      }
      await pool.close();
      expect(letThrough).toEqual([]);
    });

    test.runIf(isolation.namespaces !== null)(
      'sees the files of the system read-only',
      async () => {
        const pool = await createEnginePool({ engines: 1, scratch, program, readable, isolation });
        const [engine] = findEngines(process, scratch);
        const mounts = readFileSync(`/proc/${engine}/mountinfo`, 'utf8').trim().split('\n');
        await pool.close();
        const points = mounts.map((line) => line.split(' ').slice(4, 6).join(' '));
        expect(points).toContainEqual(expect.stringMatching(/^\/usr\/lib ro\b/));
        // its own folder, and the root folder of its view, which belongs to root
        const isExpected = /^(\/|\/dev\/null|\S*\/engine-\w+) rw\b/;
        expect(points.filter((point) => !/ ro\b/.test(point) && !isExpected.test(point))).toEqual(
          [],
        );
      },
    );

    // the kernel never limits root, under which engines run only without an account of their own
    const isLimited = process.getuid?.() !== 0 || isolation.hasOwnAccount;
    test.runIf(isLimited && findProgram('prlimit') !== null)(
      'cannot start a process or a thread once it works, not even with code that Node does not restrict',
      async () => {
        expect(await attemptWithoutNode(isolation, attemptsToStart, true)).toEqual(
          Object.fromEntries(attemptsToStart.map((name) => [name, expect.any(String)])),
        );
        // the same without the seal; the filter allows no pipe of a child
        if (!isolation.hasCallFilter)
          expect(await attemptWithoutNode(isolation, ['start a process'])).toEqual({
            'start a process': null,
          });
        const pool = await createEnginePool({ engines: 1, scratch, program, readable, isolation });
        const limits = findEngines(process, scratch).map((pid) =>
          readFileSync(`/proc/${pid}/limits`, 'utf8'),
        );
        await pool.close();
        const sealed = expect.stringMatching(/^Max processes +1 +1 /m);
        expect(limits).toEqual([sealed, sealed]);
      },
    );

    test.runIf(process.platform === 'linux')('is ended when it fills the disk', async () => {
      const pool = await createEnginePool({
        engines: 1,
        scratch,
        program,
        readable,
        isolation,
        diskMiB: 16,
      });
      using work = await pool.openScratch();
      const filePath = join(work.folder, 'read');
      await writeFile(filePath, JSON.stringify({ name: 'write many files', targets: {} }));
      const end = await pool
        .run(
          {
            kind: 'decode',
            workflow: 'kessv2',
            filePath,
            pairKey: new Uint8Array(32),
            skipChecksum: false,
            outFolder: work.folder,
          },
          'one',
        )
        .catch((error: unknown) => error);
      await pool.close();
      expect(end).toBeInstanceOf(EngineCrashed);
      expect(end).toHaveProperty('reason', 'disk');
    });
  },
);

/** What the operating system refuses. Only Node refuses the rest. */
const files = ['read the secret', 'write to the data folder', 'write with SQLite'];
const processes = [
  'read the environment of the portal',
  'connect to the socket of PostgreSQL',
  ...['SIGUSR1', 'SIGSTOP', 'SIGKILL'].map((signal) => `send ${signal} to the portal`),
];
const network = [
  ...escapes.filter((name) => name.startsWith('connect with')),
  ...['connect to a port of this machine', 'fetch from this machine'],
];

// promise d8.engine.isolation
describe.each(isolations.map((isolation) => [describeIsolation(isolation), isolation] as const))(
  'the operating system, with %s,',
  (_level, isolation) => {
    const { namespaces, hasOwnAccount } = isolation;
    const refused = [
      ...(namespaces !== null || hasOwnAccount ? [...files, ...processes] : []),
      ...(namespaces === null ? [] : network),
    ];

    test.runIf(refused.length > 0)(`refuses: ${refused.join('; ') || 'nothing'}`, async () => {
      const results = await attemptWithoutNode(isolation, [control, ...refused]);
      expect(results[control]).toBe(null);
      expect(refused.filter((name) => results[name] === null)).toEqual([]);
    });

    test.runIf(findProgram('prlimit') !== null)('refuses to write a large file', async () => {
      const name = 'write a large file';
      const end = await attemptWithoutNode(isolation, [name]).then(
        (results) => results[name],
        // this limit's signal kills the process
        (error: unknown) => `${error}`,
      );
      expect(end).not.toBe(null);
    });
  },
);

/** The words that run a command as an ordinary account: engines then have a user namespace of their own. */
const ordinary =
  process.getuid?.() === 0
    ? ['setpriv', '--reuid', '65000', '--regid', '65000', '--clear-groups']
    : [];

/** Whether an ordinary account can limit its own user namespace here: some containers forbid it. */
function canLimitNamespaces(): boolean {
  if (process.platform !== 'linux' || findProgram('nsenter') === null) return false;
  const script = 'echo 0 > /proc/sys/user/max_user_namespaces';
  const [first, ...words] = [...ordinary, 'unshare', '--user', '--map-root-user'];
  return spawnSync(first, [...words, 'sh', '-c', script]).status === 0;
}

test.runIf(canLimitNamespaces())(
  'code in the user namespace of an engine cannot create another one',
  async () => {
    const isolation: Isolation = { ...noIsolation, namespaces: 'unshare' };
    const parent = await mkdtemp(join(workFolder, 'ordinary-'));
    await chmod(parent, 0o755);
    const folder = join(parent, 'engine');
    for (const path of [folder, join(parent, 'root')]) {
      await mkdir(path);
      if (ordinary.length > 0) await chown(path, 65_000, 65_000);
    }
    const wrapping = makeWrapping({ isolation, account: null, readable: [], folder });
    const [first, ...words] = [...ordinary, ...wrapping, process.execPath];
    const script = 'console.log("up"); process.stdin.resume()';
    const engine = spawn(first, [...words, '--eval', script], { cwd: folder, env: {} });
    await once(engine.stdout, 'data');
    const target = String(findInnermost(engine.pid ?? 0));
    const enter = ['--user', '--preserve-credentials', '--target', target];
    const run = (...command: string[]) => spawnSync('nsenter', [...enter, ...command]).status;
    const results = [run('true'), run('unshare', '--user', 'true')];
    engine.stdin.end();
    await once(engine, 'exit');
    expect(results).toEqual([0, 1]);
  },
);

test.runIf(isolations.some(({ namespaces }) => namespaces !== null))(
  'this machine offers namespaces: otherwise their part of this test is skipped',
  () => expect(isolations[0]?.namespaces).not.toBe(null),
);
test.runIf(isolations.some(({ hasOwnAccount }) => hasOwnAccount))(
  'this account offers separate accounts: otherwise their part of this test is skipped',
  () => expect(isolations[0]?.hasOwnAccount).toBe(true),
);
