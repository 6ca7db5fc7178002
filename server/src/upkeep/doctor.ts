/** Checks each part of an installation, and explains what to do about problems. Changes nothing. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { bytesToKeep, hasRoom, measureDisk } from '../storage/disk-room.ts';
import type { Config } from '../config/config.ts';
import { describeUnknown, describeUnnamedArticles } from '../config/settings.ts';
import { openDatabase } from '../postgres/database.ts';
import { openForCommand } from '../postgres/embedded/embedded.ts';
import { oldestPostgres } from '../postgres/oldest-postgres.ts';
import type { Log } from '../config/log.ts';
import { greetMailServer } from '../email/smtp.ts';
import { listMissingMigrations } from '../postgres/migrate.ts';
import { measureSkew, mostSkewMs } from '../postgres/database-clock.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { openSecretSource } from '../secrets/secret-source.ts';
import { findPresentSecret, openSecrets } from '../secrets/secrets.ts';
import { systemClock } from '../config/clock.ts';
import { listEmails } from '../organisations/accounts.ts';
import { isAmbiguousEmail } from '../organisations/email-rules.ts';
import {
  type EngineConnection,
  listConnections,
} from '../engine-connections/engine-connections.ts';
import { isDoubleConnection } from '../demo/demo-doubles.ts';
import { testConnection } from '../recoding/engine-selection/test-connection.ts';
import { isWorkerAlive } from '../service-status/workers.ts';
import { checkSignature } from '../receipts/jws.ts';
import { listReceiptKeys } from '../receipts/receipt-keys.ts';
import { listNewestReceipts } from '../receipts/receipts.ts';
import { checkProvider } from '../sign-in/check-provider.ts';
import { checkIsolation, checkPortal, checkProxies } from './check-portal.ts';
import { checkSecretFiles } from './check-secret-files.ts';
import { checkStoredFiles } from './check-stored-files.ts';
import { describeBytes } from './describe-bytes.ts';
import type { DoctorFinding, Judgment } from './finding.ts';
import { checkLastBackup } from './last-backup.ts';

/** What a check is about. */
export interface Examination {
  readonly config: Config;
  readonly log: Log;
  /** Also reads every stored file. */
  readonly isDeep?: boolean;
  /** The database of the portal that asks; absent: it is opened for the checks. */
  readonly db?: Db;
}

/** Runs all checks in order. Checks that depend on a failed one are skipped. */
export async function* examine(asked: Examination): AsyncIterable<DoctorFinding> {
  const { config } = asked;
  yield {
    what: 'configuration',
    state: 'ok',
    text: `Recodery ${config.version}, ${config.publicUrl}, data in ${config.dataDir}`,
  };
  const unnamed = describeUnnamedArticles(config.terms);
  for (const text of [
    ...config.unknownSettings.map(describeUnknown),
    ...(unnamed === null ? [] : [unnamed]),
  ])
    yield { what: 'configuration', state: 'warning', text };
  yield await judge('data folder', () => checkFolder(config));
  yield await judge('disk', () => checkDisk(config));
  yield* judgeIfAny('secret files', () => checkSecretFiles(config));
  const hasRows = yield* examineDatabase(asked);
  if (!hasRows) yield* examineRunning(null, config);
  const { oidc, publicUrl } = config;
  if (oidc !== null)
    yield await judge('sign-in', async () => {
      const { state, text } = await checkProvider(oidc, publicUrl);
      return [state, text];
    });
  yield await judge('mail', () => checkMail(config));
}

/** An error during a check is reported as its result. */
async function judge(what: string, look: () => Promise<Judgment>): Promise<DoctorFinding> {
  const [state, text] = await look().catch(
    (error: unknown): Judgment => ['wrong', error instanceof Error ? error.message : String(error)],
  );
  return { what, state, text };
}

/** A check that may have nothing to look at. */
async function* judgeIfAny(
  what: string,
  look: () => Promise<Judgment | null>,
): AsyncIterable<DoctorFinding> {
  let isAny = true;
  const finding = await judge(what, async () => {
    const judgment = await look();
    isAny = judgment !== null;
    return judgment ?? ['ok', ''];
  });
  if (isAny) yield finding;
}

/** Portals and workers that are running; `db` is null if the database cannot be used. */
async function* examineRunning(db: Db | null, config: Config): AsyncIterable<DoctorFinding> {
  if (config.roles.includes('portal')) {
    yield await judge('portal', () => checkPortal(db, config));
    if (db !== null) yield* judgeIfAny('proxy', () => checkProxies(db, config));
  }
  yield await judge('isolation', () => checkIsolation(db, config));
}

async function checkFolder({ dataDir }: Config): Promise<Judgment> {
  if (!existsSync(dataDir))
    return ['warning', `${dataDir} does not exist yet. The first start creates it.`];
  const probe = join(dataDir, `.doctor-${randomUUID()}`);
  const isWritten = await writeFile(probe, '').then(
    () => true,
    () => false,
  );
  if (!isWritten) {
    return ['wrong', `${dataDir} is not writable. Make the account that runs Recodery its owner.`];
  }
  await rm(probe);
  return ['ok', `${dataDir} is writable.`];
}

async function checkDisk({ dataDir, leastFree }: Config): Promise<Judgment> {
  if (!existsSync(dataDir)) return ['warning', 'The data folder does not exist yet.'];
  const disk = await measureDisk(dataDir);
  const text = `${describeBytes(disk.free)} of ${describeBytes(disk.total)} free`;
  return hasRoom(disk, leastFree)
    ? ['ok', `${text}.`]
    : [
        'wrong',
        `${text}. Below ${describeBytes(bytesToKeep(disk, leastFree))}, uploads are refused. Free up space, move the data folder to a larger disk, or set RECODERY_FREE_SPACE_GIB.`,
      ];
}

async function checkMail({ smtpUrl }: Config): Promise<Judgment> {
  if (smtpUrl === null)
    return ['ok', 'No mail server is configured. Emails are stored in outbox/.'];
  const { host } = new URL(smtpUrl);
  return greetMailServer(smtpUrl).then(
    () => ['ok', `${host} accepts emails.`],
    (error: unknown) => [
      'wrong',
      `${host} does not accept emails (${String(error)}). Check RECODERY_SMTP_URL. Sending is retried for one day.`,
    ],
  );
}

/** Database, secret, worker and storage: each depends on the previous one. Returns whether the database can be used. */
async function* examineDatabase(asked: Examination): AsyncGenerator<DoctorFinding, boolean> {
  const { config, log, isDeep = false } = asked;
  if (asked.db !== undefined) {
    const own = asked.db;
    const database = await judge('database', () => checkDatabase(own, 'PostgreSQL'));
    yield database;
    if (database.state !== 'ok') return false;
    yield* examineRunning(own, config);
    yield* examineRows(own, config, isDeep);
    return true;
  }
  const { dataDir } = config;
  const databaseUrl = config.directDatabaseUrl ?? config.databaseUrl;
  if (databaseUrl === null && !existsSync(join(dataDir, 'postgres.json'))) {
    yield {
      what: 'database',
      state: 'warning',
      text: 'The database does not exist yet. The first start creates it.',
    };
    return false;
  }
  const ends: (() => Promise<void>)[] = [];
  let place = 'The PostgreSQL server in RECODERY_DATABASE_URL';
  let db: Db | null = null;
  try {
    const database = await judge('database', async () => {
      let url = databaseUrl;
      if (url === null) {
        const embedded = await openForCommand(dataDir);
        ends.push(embedded.close);
        place = `The embedded PostgreSQL in ${embedded.home.folder}`;
        url = embedded.url;
      }
      const opened = openDatabase(url, log, { size: 2 });
      ends.push(opened.end);
      const judgment = await checkDatabase(opened.db, place);
      if (judgment[0] === 'ok') db = opened.db;
      return judgment;
    });
    yield database;
    if (db === null) return false;
    yield* examineRunning(db, config);
    yield* examineRows(db, config, isDeep);
    return true;
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

async function checkDatabase(db: Db, place: string): Promise<Judgment> {
  const { rows } = await sql<{ version: string; number: number; isMade: boolean }>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as number,
      to_regclass('migration') is not null as "isMade"`.execute(db);
  const { version = '', number = 0, isMade = false } = rows[0] ?? {};
  if (number < oldestPostgres) {
    return ['wrong', `${place} is version ${version}. Recodery needs 15 or later.`];
  }
  const applied = isMade
    ? await db.selectFrom('migration').select(['name', 'checksum']).execute()
    : [];
  const missing = await listMissingMigrations(applied);
  if (missing.length > 0) {
    return [
      'wrong',
      `${place} lacks the migrations ${missing.join(', ')}. Run "recodery migrate".`,
    ];
  }
  return ['ok', `${place} (${version}) responds and is up to date.`];
}

async function* examineRows(db: Db, config: Config, isDeep: boolean): AsyncIterable<DoctorFinding> {
  yield await judge('secret', () => checkSecret(db, config));
  yield await judge('worker', async () =>
    (await isWorkerAlive(db))
      ? ['ok', 'A worker reported within the last 15 seconds.']
      : ['warning', 'No worker is running. Operations wait until one starts.'],
  );
  yield await judge('clock', () => checkClock(db));
  yield await judge('storage', () => checkStoredFiles(db, config, isDeep));
  yield await judge('backup', () => checkLastBackup(db, config));
  yield* judgeIfAny('users', () => checkAddresses(db));
  yield* judgeIfAny('receipts', () => checkReceipts(db, config));
  yield* examineEngines(db, config);
}

/** Accounts from before such addresses were refused, or from a restored backup. */
async function checkAddresses(db: Db): Promise<Judgment | null> {
  const emails = (await listEmails(db)).filter(isAmbiguousEmail);
  return emails.length === 0
    ? null
    : [
        'warning',
        `${emails.length} email addresses contain characters that can be taken for others (${emails[0]}). Check who uses them, and correct or remove these users in the directory.`,
      ];
}

/** How many of the newest receipts are checked. */
const checkedReceipts = 100;

/** Without receipts there may be no key yet, and this check does not create one. */
async function checkReceipts(db: Db, config: Config): Promise<Judgment | null> {
  const receipts = await listNewestReceipts(db, checkedReceipts);
  if (receipts.length === 0) return null;
  const keys = await listReceiptKeys(await openSecrets(db, openSecretSource(config)));
  const checked = await Promise.all(receipts.map(({ receipt }) => checkSignature(receipt, keys)));
  const wrong = receipts.filter((_receipt, at) => checked[at]?.check !== 'signed');
  return wrong.length === 0
    ? ['ok', `The newest ${receipts.length} receipts match the published keys.`]
    : [
        'wrong',
        `${wrong.length} of the newest ${receipts.length} receipts match no published key (${wrong[0]?.code}). Someone changed them in the database, or a key is missing. Restore a backup.`,
      ];
}

async function* examineEngines(db: Db, config: Config): AsyncIterable<DoctorFinding> {
  const tests: (() => Promise<DoctorFinding>)[] = [];
  // only what prevents the tests is a result of its own
  yield* judgeIfAny('engines', async () => {
    const all = await listConnections(db);
    const connections = all.filter((connection) => !isDoubleConnection(connection));
    for (const double of all.filter(isDoubleConnection))
      tests.push(() => judge(`engine ${double.name}`, () => checkDouble(double)));
    if (connections.length === 0) return null;
    const secrets = await openSecrets(db, openSecretSource(config));
    const test = async (connection: EngineConnection): Promise<Judgment> => {
      const finding = await testConnection({ secrets, clock: systemClock }, connection);
      return [finding.isRight ? 'ok' : 'wrong', finding.text];
    };
    for (const connection of connections)
      tests.push(() => judge(`engine ${connection.name}`, () => test(connection)));
    return null;
  });
  for (const test of tests) yield await test();
}

/** A double is only served while a portal of the demo runs, so it is no fault that it does not respond. */
async function checkDouble({ url }: EngineConnection): Promise<Judgment> {
  const isServed = await fetch(url, { method: 'POST', signal: AbortSignal.timeout(5000) }).then(
    () => true,
    () => false,
  );
  return [
    'ok',
    isServed
      ? 'A double of the demo, which responds.'
      : 'A double of the demo. No portal serves it at the moment.',
  ];
}

async function checkClock(db: Db): Promise<Judgment> {
  const { skewMs } = await measureSkew(db);
  if (Math.abs(skewMs) <= mostSkewMs) return ['ok', "This machine's clock matches the database's."];
  const relation = skewMs > 0 ? 'ahead of' : 'behind';
  return [
    'warning',
    `This machine's clock is ${Math.round(Math.abs(skewMs) / 1000)} seconds ${relation} the database's. Set up time synchronization on both machines.`,
  ];
}

async function checkSecret(db: Db, config: Config): Promise<Judgment> {
  const candidates = await openSecretSource(config).read();
  const isNew =
    (await db.selectFrom('wrapped_key').select('key_id').limit(1).execute()).length === 0;
  if (isNew) return ['warning', 'There are no keys yet. The first start creates them.'];
  await findPresentSecret(db, candidates);
  return ['ok', 'The secret opens the keys.'];
}
