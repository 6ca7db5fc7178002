/** The engine pool, with real processes that misbehave. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createEnginePool,
  EngineCrashed,
  EngineInterrupted,
  type EnginePool,
  type EnginePoolOptions,
} from '../../../src/engine/built-in/pool.ts';
import { buildProgram } from './test-programs.ts';

const own = await buildProgram('misbehaving-engine');

let scratch: string;
let pool: EnginePool;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'recodery-engine-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const open = async (options: Partial<EnginePoolOptions> = {}) => {
  pool = await createEnginePool({ engines: 1, scratch, ...own, ...options });
};
/** Makes an engine misbehave as named; returns its output. */
async function instructEngine(
  deed: string,
  { signal, organisation = 'one' }: { signal?: AbortSignal; organisation?: string } = {},
): Promise<unknown> {
  using work = await pool.openScratch();
  const filePath = join(work.folder, 'read');
  await writeFile(filePath, deed);
  const answer = await pool.run(
    {
      kind: 'decode',
      workflow: 'kessv2',
      filePath,
      pairKey: Buffer.from('a secret key'),
      skipChecksum: false,
      outFolder: work.folder,
    },
    organisation,
    signal,
  );
  return answer.information.vin;
}

describe('an engine process', () => {
  /** The limits of the pool that is open: tests with the same limits share it. */
  let opened: Partial<EnginePoolOptions> | null = null;
  afterAll(() => pool.close());
  // the limit also applies to the next task, which must meet it on a busy machine
  const slow = { timeMs: 3000 };
  const usual = {};

  // promise d8.engine.own-process
  test.each([
    ['abort', usual, 'exit'],
    ['exit', usual, 'exit'],
    ['fill the heap', usual, 'exit'],
    ['send nothing', usual, 'exit'],
    ['send an unknown message', usual, 'exit'],
    ['send no JSON', usual, 'exit'],
    ['send an answer of another task', usual, 'exit'],
    ['send an endless message', usual, 'exit'],
    ['send a deep message', usual, 'exit'],
    ['close its pipes', slow, 'time'],
    ['loop forever', slow, 'time'],
    ['never answer', slow, 'time'],
    ['take memory', { memoryMiB: 200 }, 'memory'],
  ])(
    'that fails by "%s" fails only its own task, and is replaced',
    async (deed, limits, reason) => {
      if (opened !== limits) {
        if (opened !== null) await pool.close();
        await open(limits);
        opened = limits;
      }
      const crash = await instructEngine(deed).then(
        () => null,
        (error: unknown) => error,
      );
      expect(crash).toBeInstanceOf(EngineCrashed);
      expect(crash).toHaveProperty('reason', reason);
      expect(await instructEngine('return its identity')).toMatch(/^[\da-f-]{36}$/);
    },
  );
});

describe('an engine process', () => {
  afterEach(() => pool.close());

  test('runs one task after the other in a warm process', async () => {
    await open();
    expect(await instructEngine('return its identity')).toBe(
      await instructEngine('return its identity'),
    );
  });

  // promise d8.engine.one-organisation
  test('never works for a second organisation', async () => {
    await open({ engines: 2 });
    const served = new Map<unknown, string>();
    const organisations = ['one', 'two', 'three', 'one', 'two', 'two', 'three', 'one'];
    await Promise.all(
      organisations.map(async (organisation) => {
        const identity = await instructEngine('return its identity', { organisation });
        expect([undefined, organisation]).toContain(served.get(identity));
        served.set(identity, organisation);
      }),
    );
    expect(served.size).toBeGreaterThanOrEqual(3);
  });

  test('is replaced if it sends more than the answer to its task', async () => {
    await open();
    const first = await instructEngine('return its identity');
    expect(await instructEngine('send two answers')).toBe('one');
    // what it sent too much may arrive only once it has its next task
    const identity = () => instructEngine('return its identity').catch(() => first);
    await expect.poll(identity).not.toBe(first);
  });

  test('is replaced before the next task if it uses much memory while idle', async () => {
    await open({ memoryMiB: 200 });
    const first = await instructEngine('return its identity');
    expect(await instructEngine('hold memory while idle')).toBe('held');
    expect(await instructEngine('return its identity')).not.toBe(first);
  });

  // promise d8.engine.no-rights
  test("cannot read another task's folder, nor its caller's", async () => {
    await open();
    using other = await pool.openScratch();
    const path = join(other.folder, 'secret');
    await writeFile(path, 'secret');
    await expect(instructEngine(`read a file: ${path}`)).rejects.toThrow(/has been restricted/);
  });

  test('cannot return a link or a folder as a component', async () => {
    await open();
    await expect(instructEngine('link a component: /etc/passwd')).rejects.toThrow(
      'ERR_ACCESS_DENIED',
    );
    await expect(instructEngine('create a folder')).rejects.toThrow(
      'an engine output is not a file of its own',
    );
  });

  // promise d8.engine.pipes
  test('has no channel that carries sockets or other handles', async () => {
    await open();
    expect(await instructEngine('name its channels')).toBe('');
  });

  // promise d8.engine.key
  test('receives its key by message, never in its environment or arguments', async () => {
    await open();
    const said = String(await instructEngine('return the environment'));
    expect(JSON.parse(said).argv).toEqual([pathToFileURL(own.program).href]);
    // bwrap sets PWD
    const names = Object.keys(JSON.parse(said).env);
    expect(names.filter((name) => !name.startsWith('NODE_') && name !== 'PWD')).toEqual([]);
    expect(said).not.toContain(Buffer.from('a secret key').toString('hex'));
  });
});

describe('the pool', () => {
  afterEach(() => pool.close());

  test('queues tasks beyond its number of processes, in order', async () => {
    await open({ engines: 2 });
    const said = await Promise.all(
      Array.from({ length: 12 }, () => instructEngine('return its identity')),
    );
    expect(new Set(said).size).toBe(2);
  });

  test('ends a task whose signal is aborted, with the reason of the signal', async () => {
    await open();
    const giveUp = new AbortController();
    const endless = instructEngine('loop forever', { signal: giveUp.signal });
    const isBegun = async () => {
      // A folder can be deleted while it is being listed: retry.
      const names = await readdir(scratch, { recursive: true }).catch((): string[] => []);
      return names.some((name) => /engine-\w+.read/.test(name));
    };
    while (!(await isBegun())) await wait(10);
    const waiting = instructEngine('return its identity', { signal: giveUp.signal });
    const ends = Promise.allSettled([endless, waiting]);
    const reason = new Error('not wanted any more');
    giveUp.abort(reason);
    expect(await ends).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    expect(await instructEngine('return its identity')).toMatch(/^[\da-f-]{36}$/);
  });

  test('leaves nothing in its folder, also if a process is being replaced when it is closed', async () => {
    for (let count = 0; count < 12; count += 1) {
      await open();
      await instructEngine('return its identity');
      await instructEngine('exit').catch(() => undefined);
      await wait(4 * count);
      await pool.close();
      expect(await readdir(scratch)).toEqual([]);
    }
    // nothing that was still being removed has come back
    await wait(300);
    expect(await readdir(scratch)).toEqual([]);
  });

  test('removes what a killed process has left when it starts', async () => {
    await mkdir(join(scratch, 'pool-999999999-abc', 'engine-x'), { recursive: true });
    await open();
    await pool.close();
    expect(await readdir(scratch)).toEqual([]);
  });

  // promise d8.engine.leftovers
  test('removes folders whose paths are longer than the system allows', async () => {
    await open();
    const first = await instructEngine('return its identity');
    await instructEngine('nest folders');
    expect(await instructEngine('return its identity')).not.toBe(first);
    await pool.close();
    expect(await readdir(scratch)).toEqual([]);
  });

  // promise d8.engine.leftovers
  test('starts although a killed process has left such folders, and removes them', async () => {
    const left = join(scratch, 'pool-999999999-abc', 'engine-x');
    await mkdir(left, { recursive: true });
    const script = 'fs.mkdirSync("a/".repeat(2045), { recursive: true })';
    await promisify(execFile)(process.execPath, ['--eval', script], { cwd: left });
    await open();
    expect(await instructEngine('return its identity')).toMatch(/^[\da-f-]{36}$/);
    await pool.close();
    expect(await readdir(scratch)).toEqual([]);
  });

  // its folder is removed with it, also while files are brought there
  test('reports nothing but an interruption if its processes are killed soon after they are ready', async () => {
    await open();
    const dying = await buildProgram('dying-engine');
    for (let count = 0; count < 8; count += 1) {
      const broken = createEnginePool({ engines: 1, scratch, ...dying });
      await expect(broken).rejects.toThrow(EngineInterrupted);
    }
  });

  test('reports that its program does not start', async () => {
    await open();
    const broken = createEnginePool({ engines: 1, scratch, program: '/nowhere/engine.ts' });
    await expect(broken).rejects.toThrow(EngineCrashed);
  });

  test('rejects running and waiting tasks when it is closed', async () => {
    await open();
    const running = instructEngine('loop forever');
    const waiting = instructEngine('return its identity');
    const ends = Promise.allSettled([running, waiting]);
    await pool.close();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
