/** A queue whose workers are started by a test: the shared steps of the tests of operations. */
import { auditInsert } from '../../src/audit/audit.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach } from 'vitest';
import type { OperationHandler, OperationOutcome } from '../../src/operations/attempt.ts';
import { type OperationRow } from '../../src/operations/operation-rules.ts';
import { findOperation, insertOperation } from '../../src/operations/operations.ts';
import { startRunning } from '../../src/operations/operation-queue.ts';
import { notify } from '../../src/postgres/announce.ts';
import type { Runner } from '../../src/queue/queue.ts';
import { newGuid } from '../../src/config/guids.ts';
import { nameFault, nameOwnFault } from '../../src/recoding/results/operation-errors.ts';
import { createTestPlatform } from '../fixtures/test-platform.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

export interface Observed {
  /** The messages of the log. */
  readonly logged: string[];
  readonly finished: OperationRow[];
  readonly swept: { readonly prefix: string; readonly except: string | null }[];
}

export const done = (result: Record<string, unknown> = {}): OperationOutcome => ({
  record: async () => ({ result, writes: [] }),
});

export async function startQueue() {
  const platform = await createTestPlatform();
  const runners: Runner[] = [];
  let workspace: Workspace;
  beforeEach(async () => {
    workspace = await createWorkspace(platform.db);
  });
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  });
  afterAll(() => platform.stop());
  /** Starts a worker with `handler` for its decodes. */
  function startWorker(
    handler: OperationHandler,
    engines = 2,
    drainMs = 60_000,
    pace: { undisturbedMs: number; pollMs?: number } = { undisturbedMs: 0 },
  ): Observed {
    const observed: Observed = { logged: [], finished: [], swept: [] };
    const write = (line: string) => observed.logged.push((JSON.parse(line) as { msg: string }).msg);
    runners.push(
      startRunning({
        ...platform,
        log: pino({}, { write }),
        workerGuid: newGuid(),
        engines,
        operationsPerConnection: 0,
        drainMs,
        ...pace,
        handlers: { KESSv2Decode: handler },
        nameFault,
        nameOwnFault,
        auditEnd: (trx, { guid }, errorName) =>
          auditInsert(trx, {
            actor: { kind: 'worker' },
            action: guid,
            outcome: errorName ?? 'done',
          }),
        onFinished: async (_trx, operation) => {
          observed.finished.push(operation);
        },
        sweep: async (prefix, except) => {
          observed.swept.push({ prefix, except });
        },
      }),
    );
    return observed;
  }
  async function start(parts: Parameters<Workspace['operation']>[0] = {}): Promise<OperationRow> {
    return platform.db
      .transaction()
      .execute((trx) => insertOperation(trx, workspace.operation(parts), 100));
  }
  /** Makes an operation due that waits for its next attempt. */
  async function hurry(guid: string, organisation: string): Promise<void> {
    const { numAffectedRows = 0n } = await sql`
    update operation set lease_until = null
    where guid = ${guid} and status = 'waiting' and lease_until is not null`.execute(platform.db);
    if (numAffectedRows > 0n)
      await notify(platform.db, { kind: 'operation-due', guid, organisation });
  }
  /** The operation when it has finished, by its announcement, without polling. */
  async function ended(started: OperationRow): Promise<OperationRow> {
    const { promise, resolve, reject } = Promise.withResolvers<OperationRow>();
    const look = (): void => {
      findOperation(platform.db, started.organisationId, started.guid).then((row) => {
        if (row?.completedOn) resolve(row);
      }, reject);
    };
    const unsubscribe = platform.announce.subscribe((hint) => {
      if (hint.kind === 'operation' && hint.guid === started.guid) look();
    });
    look();
    return promise.finally(unsubscribe);
  }
  /** Expires the lease of an operation's first attempt, and wakes the workers. */
  async function expireLease({ guid, organisationId: organisation }: OperationRow): Promise<void> {
    await platform.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('operation')
        .set({ lease_until: sql<Date>`now() - interval '1 second'` })
        .where('guid', '=', guid)
        .where('attempt', '=', 1)
        .execute();
      await notify(trx, { kind: 'operation-due', guid, organisation });
    });
  }
  /**
   * Expires the lease again after each renewal: its first worker may renew it before another one has claimed the
   * operation.
   */
  function keepExpired(operation: OperationRow): () => void {
    return platform.announce.subscribe(({ kind, guid }) => {
      if (kind === 'operation' && guid === operation.guid) void expireLease(operation);
    });
  }
  /** The lease renewals that wait for a row. */
  async function countBlockedRenewals(): Promise<number> {
    const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%lease_until%'`.execute(
      platform.db,
    );
    return rows.length;
  }
  return {
    platform,
    runners,
    slotGuid: () => workspace.slotGuid,
    startWorker,
    start,
    hurry,
    ended,
    expireLease,
    keepExpired,
    countBlockedRenewals,
  };
}
