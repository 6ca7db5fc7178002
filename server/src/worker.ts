/** The role `worker`: its own engines, and the loop that runs operations on them. */
import { join } from 'node:path';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import {
  describeOperationType,
  type OperationType,
  operationTypes,
} from '@recodery/contract/families/registry';
import { startAppending } from './audit/append.ts';
import { type AuditEvent, auditInsert } from './audit/audit.ts';
import { usableTimeZone } from './email/formats.ts';
import { emailNews } from './notifications/notifications.ts';
import { createNotify } from './notifications/notify.ts';
import { type AccountLinks, startAccountDelivery } from './email/account-email-queue.ts';
import { startDelivery } from './email/email-queue.ts';
import { createPasswordPath } from './sign-in/provider/invitations.ts';
import { withdrawLoss } from './operations/claim.ts';
import { undisturbedMs, startRunning } from './operations/operation-queue.ts';
import { sweepPrefix } from './operations/delete-attempt-files.ts';
import { engineTimes } from './engine/kind.ts';
import type { Isolation } from './engine/built-in/sandbox-command.ts';
import { createEnginePool } from './engine/built-in/pool.ts';
import { newGuid } from './config/guids.ts';
import { startRepeating } from './config/start-repeating.ts';
import { openMailer } from './email/smtp.ts';
import { openStoredFiles } from './slots/files/open-stored-files.ts';
import { startSweeping, sweepTimes } from './upkeep/sweep.ts';
import { startVerifying, verificationPace } from './upkeep/verify-files.ts';
import type { Platform } from './platform.ts';
import { getNaming } from './preferences/preferences.ts';
import { nameFault, nameOwnFault } from './recoding/results/operation-errors.ts';
import { describeFinished } from './recoding/results/finished-operation.ts';
import { findOriginal } from './recoding/originals/originals.ts';
import { createEngines } from './recoding/engine-selection/open-engines.ts';
import { findSealedAgain, type OperationRow } from './operations/operation-rules.ts';
import type { JobDependencies } from './recoding/engine-job.ts';
import type { AttemptDependencies, OperationHandler } from './operations/attempt.ts';
import { openReceipt } from './receipts/issue.ts';
import { explainRefused, recognizeImages } from './recoding/images/recognize-images.ts';
import { createDecodeHandler, type RunDecodeDependencies } from './recoding/run-decode.ts';
import { createEncodeHandler, type EncodeDependencies } from './recoding/run-encode.ts';
import { engineSweepTimes, startEngineSweep } from './recoding/engine-selection/sweep-engines.ts';
import { removeWorker, reportWorker } from './service-status/workers.ts';
import { startUpdateChecks } from './service-status/updates.ts';
import { createWebhookData } from './webhook-data.ts';
import { createAddressCheck } from './webhooks/addresses.ts';
import { type PostLimits, postLimits } from './webhooks/post.ts';
import { startWebhooks } from './webhooks/webhook-queue.ts';
import { insertMessages, selectEndpoints, insertSealedMessages } from './webhooks/messages.ts';
import { createResolve } from './webhooks/resolve.ts';

/** Milliseconds between two reports that this worker is alive. */
const reportInterval = 5000;
/** Milliseconds by which a report is late after a pause in which leases may have expired. */
const noticedPause = 500;
/**
 * Operations that a worker polls at once at each connection; the others wait in the queue. Each connection has its own
 * limit, so that a vendor that does not respond does not delay the others' operations.
 */
const operationsPerConnection = 8;

/** A role that has been started. */
export interface RunningRole {
  /**
   * Takes no new work, and lets running work finish or hands it back: within 8 s, or within the time that the settings
   * give a portal.
   */
  stop(): Promise<void>;
}

/** The handler of each operation type. */
function createHandlers(
  { config, db, secrets, clock }: Platform,
  own: Pick<EncodeDependencies, 'storage' | 'openScratch' | 'getEngine' | 'pool'> &
    Pick<RunDecodeDependencies, 'recognize' | 'explain'>,
): Readonly<Partial<Record<OperationType, OperationHandler>>> {
  const { retentionDays, organisationBytes, preparesRestoreKits } = config;
  const shared = {
    db,
    secrets,
    clock,
    retentionDays,
    organisationBytes,
    getNaming: (...asked: Parameters<JobDependencies['getNaming']>) => getNaming(db, ...asked),
    ...own,
  };
  const decode = createDecodeHandler({
    ...shared,
    preparesRestoreKits,
    findOriginal: (question) => findOriginal(db, question),
  });
  const encode = createEncodeHandler({
    ...shared,
    openReceipt: () =>
      openReceipt({
        secrets,
        publicUrl: config.publicUrl,
        nameProtocol: (id) => findProtocol(id)?.name ?? null,
      }),
  });
  return Object.fromEntries(
    operationTypes.map((type) => [type, describeOperationType(type).isDecode ? decode : encode]),
  );
}

/** The end of an operation in the audit trail. */
function describeEnd(operation: OperationRow, errorName: string | null): AuditEvent {
  const { guid, slotGuid, organisationId, type, isBackground } = operation;
  return {
    actor: { kind: 'worker' },
    organisation: organisationId,
    action: isBackground
      ? `${findSealedAgain(operation) !== null ? 'sealing' : 'restore kit'} ended`
      : `${type} ended`,
    object: { operation: guid, slot: slotGuid },
    outcome: errorName ?? 'done',
  };
}

/** The rows that the transaction that finishes an operation also writes. */
function createOnFinished({ secrets, config }: Platform): AttemptDependencies['onFinished'] {
  const createNotification = createNotify({
    secrets,
    retentionDays: config.retentionDays,
    describeFinished,
  });
  return async (trx, operation) => {
    if (findSealedAgain(operation) !== null && operation.status === 'succeeded')
      await insertSealedMessages(trx, operation);
    if (operation.isBackground) return;
    // hundreds can succeed in a row: the page that imports them counts them
    if (operation.request['isOfImport'] === true && operation.status === 'succeeded') return;
    const endpoints = await createNotification(trx, operation, (receiverGuid) =>
      selectEndpoints(trx, [operation.organisationId, receiverGuid]),
    );
    await insertMessages(trx, operation, endpoints);
  };
}

/** The links that emails about accounts contain. */
function accountLinksOf({ config, secrets }: Platform): AccountLinks {
  if (config.oidc !== null) return null;
  return {
    create: async (account, kind, expiresOn) => {
      const purpose = kind === 'password' ? kind : 'emailed';
      return (
        config.publicUrl + (await createPasswordPath({ secrets }, account, purpose, expiresOn))
      );
    },
  };
}

/** Starts to send emails and webhooks, and to append to the audit trail. */
function startSenders(platform: Platform, limits: PostLimits): readonly RunningRole[] {
  const { config } = platform;
  const mailer = openMailer(config);
  // the operating system's, or the one in the environment variable TZ
  const timeZone = usableTimeZone(new Intl.DateTimeFormat().resolvedOptions().timeZone);
  const { publicUrl } = config;
  const sending = { mailer, publicUrl, timeZone, news: emailNews };
  const addresses = createAddressCheck(config.webhookAllow, createResolve());
  return [
    startDelivery({ ...platform, ...sending }),
    startAccountDelivery({ ...platform, ...sending, links: accountLinksOf(platform) }),
    startAppending(platform),
    startWebhooks({ ...platform, addresses, limits, describe: createWebhookData(platform) }),
  ];
}

/** How long requests to other services may take, and when the worker deletes what has expired; tests use other values. */
export const workerPace = {
  times: engineTimes,
  sweep: engineSweepTimes,
  upkeep: sweepTimes,
  verification: verificationPace,
  webhooks: postLimits,
  undisturbedMs,
};

/** Reports now and regularly that this worker is alive: operations that it lost in a pause have no death by it. */
async function startReporting(
  { config, db, log }: Pick<Platform, 'config' | 'db' | 'log'>,
  workerGuid: string,
  isolation: Isolation,
): Promise<RunningRole> {
  let [count, reportedAt] = [0, 0];
  const report = async () => {
    await reportWorker(db, workerGuid, config.engines, isolation);
    const pause = performance.now() - reportedAt - reportInterval;
    reportedAt += pause + reportInterval;
    // leases expire while a process or its connection pauses; now and then also when nothing was noticed
    if (pause > noticedPause || count % 6 === 0) await withdrawLoss(db, workerGuid);
    count += 1;
  };
  await report();
  const repeating = startRepeating(
    'report worker',
    { first: reportInterval, every: reportInterval },
    () => report().catch((error: unknown) => log.warn({ error }, 'could not report worker status')),
  );
  return {
    async stop() {
      // a report that is still on its way would register it again
      await repeating.stop();
      // if the database is unavailable, the report expires automatically
      await removeWorker(db, workerGuid).catch((error: unknown) =>
        log.warn({ error }, 'could not unregister the worker'),
      );
    },
  };
}

/** Starts the worker; resolves when its engines are ready and it has reported. Tests share engine processes by `openPool`. */
export async function startWorker(
  platform: Platform,
  { times, sweep, upkeep, verification, webhooks, undisturbedMs: quiet } = workerPace,
  openPool = createEnginePool,
): Promise<RunningRole> {
  const { config, db, secrets, clock } = platform;
  const log = platform.log.child({ role: 'worker' });
  const workerGuid = newGuid();
  const { storage } = await openStoredFiles(config, { db, log });
  const pool = await openPool({
    engines: config.engines,
    scratch: join(config.dataDir, 'scratch'),
  });
  const { maxFileBytes } = config;
  const engines = createEngines({ db, storage, secrets, pool, clock, log, maxFileBytes, times });
  const handlers = createHandlers(platform, {
    storage,
    openScratch: pool.openScratch,
    getEngine: engines.getEngine,
    recognize: (...asked) => recognizeImages({ engines: pool, log }, ...asked),
    explain: (...asked) => explainRefused({ engines: pool, log }, ...asked),
    pool,
  });
  const reporting = await startReporting({ config, db, log }, workerGuid, pool.isolation);
  const runner = startRunning({
    ...platform,
    log,
    workerGuid,
    engines: config.engines,
    operationsPerConnection,
    undisturbedMs: quiet,
    handlers,
    nameFault,
    nameOwnFault,
    auditEnd: (trx, operation, errorName) => auditInsert(trx, describeEnd(operation, errorName)),
    onFinished: createOnFinished(platform),
    sweep: (prefix, except) => sweepPrefix(storage, prefix, except),
  });
  log.info({ workerGuid, engines: config.engines }, 'worker ready');
  const senders = startSenders({ ...platform, log }, webhooks);
  const sweeping = startSweeping({ ...config, db, log, storage }, upkeep);
  const verifying = startVerifying({ db, log, storage }, verification);
  const engineSweep = startEngineSweep({ db, log, engines }, sweep);
  const updates = startUpdateChecks({ db, log, url: config.updatesUrl });
  return {
    async stop() {
      await reporting.stop();
      await Promise.all([
        runner.stop(),
        ...senders.map((one) => one.stop()),
        sweeping.stop(),
        verifying.stop(),
        engineSweep.stop(),
        updates.stop(),
      ]);
      engines.stop();
      await pool.close();
    },
  };
}
