/**
 * The worker's loop on a real database: each operation finishes exactly once, no matter what happens to its attempts.
 */
import { CodecError } from '@recodery/codec/errors';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type {
  AttemptContext,
  OperationHandler,
  OperationOutcome,
} from '../../src/operations/attempt.ts';
import { maxMachineFaults } from '../../src/operations/operation-rules.ts';
import { findOperation } from '../../src/operations/operations.ts';
import { EngineCrashed, EngineInterrupted } from '../../src/engine/built-in/pool.ts';
import { startQueue, done } from './test-queue.ts';

const {
  platform,
  slotGuid,
  runners,
  startWorker,
  start,
  hurry,
  ended,
  expireLease,
  keepExpired,
  countBlockedRenewals,
} = await startQueue();

describe('an operation that succeeds', () => {
  test('runs once, keeps its result, and its other rows are written in the same transaction', async () => {
    const observed = startWorker(async (operation) => ({
      record: async (trx) => {
        await trx
          .updateTable('slot')
          .set({ slave_serial_number: 'KV2-1' })
          .where('guid', '=', operation.slotGuid)
          .execute();
        return { result: { of: operation.slotGuid }, writes: [] };
      },
    }));
    const row = await ended(await start());
    expect(row).toMatchObject({
      status: 'succeeded',
      stage: 'COMPLETED',
      fraction: 1,
      attempt: 1,
      result: { of: slotGuid() },
    });
    expect(observed.finished.map(({ guid }) => guid)).toEqual([row.guid]);
    const slot = platform.db.selectFrom('slot').where('guid', '=', slotGuid());
    expect(await slot.select('slave_serial_number').executeTakeFirst()).toEqual({
      slave_serial_number: 'KV2-1',
    });
  });

  test('is one of many that two workers share, and runs once', async () => {
    const runs: string[] = [];
    const handler: OperationHandler = async ({ guid }) => {
      runs.push(guid);
      return done();
    };
    startWorker(handler);
    startWorker(handler);
    const started = await Promise.all(Array.from({ length: 30 }, () => start()));
    const rows = await Promise.all(started.map(ended));
    expect(rows.every(({ status }) => status === 'succeeded')).toBe(true);
    expect(runs.toSorted()).toEqual(started.map(({ guid }) => guid).toSorted());
  });

  test('does not run in parallel with more operations than its worker has engines', async () => {
    let running = 0;
    let most = 0;
    const bothAtWork = Promise.withResolvers<void>();
    startWorker(async () => {
      running += 1;
      most = Math.max(most, running);
      if (running === 2) bothAtWork.resolve();
      await bothAtWork.promise;
      await sql`select pg_sleep(0.02)`.execute(platform.db);
      running -= 1;
      return done();
    }, 2);
    const started = await Promise.all(Array.from({ length: 10 }, () => start()));
    await Promise.all(started.map(ended));
    expect(most).toBe(2);
  });

  test('is stored while the next one uses its engine, and one at a time for each engine', async () => {
    const [running, most] = [
      { all: 0, inEngines: 0 },
      { all: 0, inEngines: 0 },
    ];
    const overlapped = Promise.withResolvers<void>();
    startWorker(async (_operation, work) => {
      running.all += 1;
      running.inEngines += 1;
      most.all = Math.max(most.all, running.all);
      most.inEngines = Math.max(most.inEngines, running.inEngines);
      if (running.all === 2) overlapped.resolve();
      await sql`select pg_sleep(0.01)`.execute(platform.db);
      running.inEngines -= 1;
      work.leaveEngine();
      await overlapped.promise;
      await sql`select pg_sleep(0.03)`.execute(platform.db);
      running.all -= 1;
      return done();
    }, 1);
    const started = await Promise.all(Array.from({ length: 8 }, () => start()));
    await Promise.all(started.map(ended));
    expect(most).toEqual({ all: 2, inEngines: 1 });
  });
});

describe('an operation that no user waits for', () => {
  const kit = { isBackground: true, reservedBytes: 0 };
  const forever = 2 ** 31 - 1;

  test('waits while its worker has just worked for users, and is not announced', async () => {
    const ran: string[] = [];
    const handler: OperationHandler = async ({ guid }) => {
      ran.push(guid);
      return done();
    };
    startWorker(handler, 1, 60_000, { undisturbedMs: forever });
    const own = await start();
    await ended(own);
    const waiting = await start(kit);
    const next = [await ended(await start()), await ended(await start())];
    const ofUsers = [own.guid, ...next.map(({ guid }) => guid)];
    expect(ran).toEqual(ofUsers);
    // a worker that has not worked for users takes it
    startWorker(handler, 1);
    await expect.poll(() => ran).toEqual([...ofUsers, waiting.guid]);
  });

  test('waits while its worker runs one of a user, and runs without a poll once that has ended', async () => {
    const ran: string[] = [];
    const long = Promise.withResolvers<void>();
    const handler: OperationHandler = async ({ guid }) => {
      ran.push(guid);
      if (ran.length === 1) await long.promise;
      return done();
    };
    startWorker(handler, 3, 60_000, { undisturbedMs: 0, pollMs: forever });
    const own = await start();
    await expect.poll(() => ran).toEqual([own.guid]);
    const waiting = await start(kit);
    // there is an engine for the kit too when this one is claimed
    const next = await ended(await start());
    expect(ran).toEqual([own.guid, next.guid]);
    long.resolve();
    await expect.poll(() => ran).toEqual([own.guid, next.guid, waiting.guid]);
  });
});

describe('an operation with a fault', () => {
  // promise d8.queue.file-once
  test('of the file fails immediately, with the family’s name for it, and is never retried', async () => {
    let runs = 0;
    const observed = startWorker(async () => {
      runs += 1;
      throw new CodecError('TOOL_NOT_FOUND', 'G-11');
    });
    const row = await ended(await start());
    expect(row).toMatchObject({
      status: 'failed',
      errorName: 'WRONG_MASTER_CODE',
      errorDetail: 'G-11',
      internalCode: 'TOOL_NOT_FOUND',
    });
    expect(runs).toBe(1);
    expect(observed.finished).toHaveLength(1);
  });

  test('of our own fails as GENERIC_ERROR, with its GUID for support', async () => {
    startWorker(async () => {
      throw new TypeError('undefined is not a function');
    });
    const row = await ended(await start());
    expect(row).toMatchObject({ status: 'failed', errorName: 'GENERIC_ERROR', attempt: 1 });
    expect(row.errorDetail).toBe(row.guid);
  });

  test('of the machine is retried, and can then succeed', async () => {
    startWorker(async ({ attempt }) => {
      if (attempt === 1) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      return done();
    });
    expect(await ended(await start())).toMatchObject({ status: 'succeeded', attempt: 2 });
  });

  test('of the database connection is retried more often than a fault of the machine', async () => {
    const losses = maxMachineFaults + 2;
    startWorker(async ({ attempt }) => ({
      record: async (trx) => {
        // terminates its own connection in the middle of the transaction
        if (attempt <= losses)
          await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
        return { result: {}, writes: [] };
      },
    }));
    const { status, attempt } = await ended(await start());
    expect([status, attempt]).toEqual(['succeeded', losses + 1]);
  });

  test.each([
    ['of a full disk of the database', '53100'],
    ['of a database without memory', '53200'],
    ['of a full disk of the engines', 'ENOSPC'],
  ])('%s is retried more often than a fault of the machine', async (_what, code) => {
    const faults = maxMachineFaults + 2;
    startWorker(async ({ attempt }) => ({
      record: async () => {
        if (attempt <= faults) throw Object.assign(new Error('no space'), { code });
        return { result: {}, writes: [] };
      },
    }));
    const started = await start();
    const { guid, organisationId: organisation } = started;
    // it waits longer and longer: here, each attempt is due at once
    const stopHurrying = platform.announce.subscribe((hint) => {
      if (hint.kind === 'operation-due' && hint.guid === guid) void hurry(guid, organisation);
    });
    const { status, attempt } = await ended(started).finally(stopHurrying);
    expect([status, attempt]).toEqual(['succeeded', faults + 1]);
  });

  test('of the engine is retried once', async () => {
    startWorker(async ({ attempt }) => {
      if (attempt === 1) throw new EngineCrashed('exit', 'SIGSEGV');
      return done();
    });
    expect(await ended(await start())).toMatchObject({ status: 'succeeded', crashes: 1 });
  });

  test('of an engine that was stopped from outside is retried, and not counted as a crash', async () => {
    startWorker(async ({ attempt }) => {
      if (attempt <= 2) throw new EngineInterrupted('SIGKILL');
      return done();
    });
    const row = await ended(await start());
    expect(row).toMatchObject({ status: 'succeeded', attempt: 3, crashes: 0 });
  });

  // promise 8.catalogue.crash-number, d8.queue.crash-twice
  test('of the engine that occurs twice fails with the code that the page expects', async () => {
    startWorker(async () => {
      throw new EngineCrashed('memory', 'SIGKILL');
    });
    expect(await ended(await start())).toMatchObject({
      status: 'failed',
      errorName: '-1073741819',
      attempt: 2,
      crashes: 2,
    });
  });

  test('while its result is stored leaves nothing of it behind', async () => {
    const observed = startWorker(async (operation) => ({
      record: async (trx) => {
        await trx
          .updateTable('slot')
          .set({ slave_serial_number: 'half' })
          .where('guid', '=', operation.slotGuid)
          .execute();
        throw new Error('the second write fails');
      },
    }));
    const row = await ended(await start());
    expect(row).toMatchObject({ status: 'failed', result: null });
    expect(observed.finished.map(({ status }) => status)).toEqual(['failed']);
    const slot = platform.db.selectFrom('slot').where('guid', '=', slotGuid());
    expect(await slot.select('slave_serial_number').executeTakeFirst()).toEqual({
      slave_serial_number: null,
    });
  });
});

test('a stage that is reported while the lease is being renewed is announced', async () => {
  const begun = Promise.withResolvers<AttemptContext>();
  const isSeen = Promise.withResolvers<void>();
  startWorker(async (_operation, work) => {
    begun.resolve(work);
    await isSeen.promise;
    return done();
  });
  const started = await start();
  const { guid, organisationId } = started;
  const stages: (string | undefined)[] = [];
  const unsubscribe = platform.announce.subscribe((hint) => {
    if (hint.kind !== 'operation' || hint.guid !== guid) return;
    void findOperation(platform.db, organisationId, guid).then((row) => stages.push(row?.stage));
  });
  const work = await begun.promise;
  await platform.db.transaction().execute(async (trx) => {
    const row = trx.selectFrom('operation').where('guid', '=', guid);
    await row.select('guid').forUpdate().execute();
    await expect.poll(countBlockedRenewals).toBeGreaterThan(0);
    work.report(0, true);
  });
  await expect.poll(() => stages).toContain('WAITING_FOR_ENGINE');
  isSeen.resolve();
  await ended(started);
  unsubscribe();
});

describe('a worker that loses its claim', () => {
  test('is notified, and its late result is discarded and swept', async () => {
    const [first, second] = [
      Promise.withResolvers<AttemptContext>(),
      Promise.withResolvers<OperationOutcome>(),
    ];
    const late = startWorker(async (_operation, work) => {
      first.resolve(work);
      return second.promise;
    }, 1);
    const started = await start();
    await first.promise;
    startWorker(async () => done({ by: 'the second worker' }), 1);
    const stopExpiring = keepExpired(started);
    await expireLease(started);
    const row = await ended(started).finally(stopExpiring);
    expect(row).toMatchObject({ attempt: 2, result: { by: 'the second worker' } });
    second.resolve(done({ by: 'the first worker' }));
    await runners[0]?.stop();
    const after = await findOperation(platform.db, row.organisationId, row.guid);
    expect(after).toEqual(row);
    expect(late.finished).toEqual([]);
    expect(late.swept).toEqual([{ prefix: `${row.guid}/`, except: `${row.guid}/2/` }]);
  });

  test('because it is stopped lets running operations finish, and claims no more', async () => {
    const [entered, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { logged } = startWorker(async () => {
      entered.resolve();
      await go.promise;
      return done();
    }, 1);
    const running = await start();
    await entered.promise;
    const stopped = runners[0]?.stop();
    const waiting = await start();
    await expect.poll(() => logged).toContain('waiting for 1 running operation');
    go.resolve();
    await stopped;
    expect(await ended(running)).toMatchObject({ status: 'succeeded' });
    const row = await findOperation(platform.db, waiting.organisationId, waiting.guid);
    expect(row).toMatchObject({ status: 'waiting', attempt: 0 });
    startWorker(async () => done());
    await ended(waiting);
  });

  // promise d8.queue.handed-back
  test('because it is stopped releases what does not finish in time', async () => {
    const entered = Promise.withResolvers<void>();
    startWorker(
      async (_operation, { signal }) => {
        entered.resolve();
        const { promise, reject } = Promise.withResolvers<OperationOutcome>();
        signal.addEventListener('abort', () => reject(signal.reason));
        return promise;
      },
      1,
      100,
    );
    const started = await start();
    await entered.promise;
    await runners[0]?.stop();
    const row = await findOperation(platform.db, started.organisationId, started.guid);
    expect(row).toMatchObject({ status: 'waiting', attempt: 1 });
    startWorker(async () => done());
    expect(await ended(started)).toMatchObject({ status: 'succeeded', attempt: 2 });
  });
});
