/** A worker process that one operation kills, for `poison.slow.test.ts`: as if its file had broken out of the engine. */
import { auditInsert } from '../../src/audit/audit.ts';
import { randomUUID } from 'node:crypto';
import { silentLog } from '../fixtures/silent-log.ts';
import { noIsolation } from '../../src/engine/built-in/isolation.ts';
import type { OperationHandler } from '../../src/operations/attempt.ts';
import { startRunning } from '../../src/operations/operation-queue.ts';
import { openAnnounce } from '../../src/postgres/announce.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { nameFault, nameOwnFault } from '../../src/recoding/results/operation-errors.ts';
import { reportWorker } from '../../src/service-status/workers.ts';

const { TEST_DATABASE: url = '', TEST_POISON: poison } = process.env;
/** The process dies only when it works on that many: the others have done nothing but run next to it. */
const atOnce = 3;

const { db } = openDatabase(url, silentLog);
const workerGuid = randomUUID();
const running = new Set<string>();

const handler: OperationHandler = async ({ guid, attempt }) => {
  running.add(guid);
  const isAlone = attempt > 1;
  if (isAlone ? guid === poison : running.size === atOnce) process.kill(process.pid, 'SIGKILL');
  if (!isAlone || guid === poison) await new Promise(() => undefined);
  return {
    record: async () => ({
      result: { beside: [...running].filter((other) => other !== guid) },
      writes: [],
    }),
  };
};

await reportWorker(db, workerGuid, atOnce, noIsolation);
startRunning({
  db,
  log: silentLog,
  announce: await openAnnounce(url, silentLog),
  workerGuid,
  engines: atOnce,
  operationsPerConnection: 0,
  undisturbedMs: 0,
  handlers: { KESSv2Decode: handler },
  nameFault,
  nameOwnFault,
  auditEnd: (trx, { guid }, errorName) =>
    auditInsert(trx, { actor: { kind: 'worker' }, action: guid, outcome: errorName ?? 'done' }),
  onFinished: async () => undefined,
  sweep: async () => undefined,
});
