/**
 * Hostile code in an engine process tries each way to escape. Node refuses every attempt at every level; the operating
 * system refuses them again, for code that has bypassed Node, to the extent that the active level allows.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chooseAccount,
  describeIsolation,
  listIsolations,
  makeEngineFolder,
} from '../../src/engine/built-in/isolation.ts';
import { createEnginePool, EngineCrashed } from '../../src/engine/built-in/pool.ts';
import { readable } from '../../src/engine/built-in/program-files.ts';
import {
  findProgram,
  type Isolation,
  makeWrapping,
} from '../../src/engine/built-in/sandbox-command.ts';
import { attemptNames, type Results, type Targets } from './programs/hostile-engine.ts';

const program = join(import.meta.dirname, 'programs/hostile-engine.ts');
const programFiles = [...readable, dirname(program)];
const control = 'write to its own folder';
const escapes = attemptNames.filter((name) => name !== control);

const workFolder = await mkdtemp(join(tmpdir(), 'recodery-hostile-'));
// engines with their own account need to pass through it
await chmod(workFolder, 0o711);
const dataDir = join(workFolder, 'data');
const scratch = join(workFolder, 'scratch');
const isolations = await listIsolations(scratch);

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
): Promise<Results> {
  const parent = await mkdtemp(join(scratch, 'pool-'));
  await chmod(parent, 0o711);
  await mkdir(join(parent, 'root'));
  const account = isolation === null ? null : await chooseAccount(isolation);
  const folder = await makeEngineFolder(parent, account);
  const targets: Targets = { pid: await startVictim(), dataDir, port, folder };
  const wrapping =
    isolation === null ? [] : makeWrapping({ isolation, account, readable: programFiles, folder });
  const [first, ...words] = [...wrapping, process.execPath, '--no-warnings', program];
  const { stdout } = await promisify(execFile)(
    first ?? '',
    [...words, JSON.stringify(targets), ...names],
    {
      cwd: folder,
      env: {},
    },
  );
  await rm(parent, { recursive: true });
  return JSON.parse(stdout);
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
      const pool = await createEnginePool({ engines: 1, scratch, program, isolation });
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

    test.runIf(process.platform === 'linux')('is ended when it fills the disk', async () => {
      const pool = await createEnginePool({ engines: 1, scratch, program, isolation, diskMiB: 16 });
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

test.runIf(isolations.some(({ namespaces }) => namespaces !== null))(
  'this machine offers namespaces: otherwise their part of this test is skipped',
  () => expect(isolations[0]?.namespaces).not.toBe(null),
);
test.runIf(isolations.some(({ hasOwnAccount }) => hasOwnAccount))(
  'this account offers separate accounts: otherwise their part of this test is skipped',
  () => expect(isolations[0]?.hasOwnAccount).toBe(true),
);
