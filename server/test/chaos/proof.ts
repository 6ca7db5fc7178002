/**
 * Proves after the kills that nothing was lost and nothing happened twice: each finding is a sentence about what is
 * wrong.
 */
import { createHash } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Notification } from '@recodery/contract/features/notifications';
import { silentLog } from '../fixtures/silent-log.ts';
import { compareStorage } from '../../src/upkeep/compare-storage.ts';
import { sweep } from '../../src/upkeep/sweep.ts';
import { openFileStorage } from '../../src/storage/files.ts';
import type { Client } from '../fixtures/client.ts';
import type { Cast } from './actors.ts';
import type { Accepted, Journal } from './cycles.ts';
import type { PatientDatabase } from './database.ts';
import type { Installation } from './installation.ts';
import { patiently, readOperation } from './patient-calls.ts';
import { until } from './until.ts';

/** What the proof examines. */
export interface Evidence {
  readonly installation: Installation;
  readonly database: PatientDatabase;
  readonly cast: Cast;
  readonly journal: Journal;
}

/** Totals of what happened. */
export interface Totals {
  readonly operations: number;
  readonly repeatedAttempts: number;
  readonly emails: number;
  /** Deliveries of an email beyond its first one, with the same Message-ID. */
  readonly emailCopies: number;
  readonly longestDelaySeconds: number;
}

/** All findings, in no particular order; none if everything is as it should be. */
export async function findFaults(evidence: Evidence): Promise<readonly string[]> {
  await settle(evidence.database);
  const faults = await Promise.all([
    examineOperations(evidence),
    examineNotifications(evidence),
    examineEmails(evidence),
  ]);
  // also after the sweep, which must delete what was left behind, and nothing else
  const storage = await examineStorage(evidence);
  return [...faults.flat(), ...storage, ...(await examineFiles(evidence))];
}

/** Waits until no work is left. */
async function settle(database: PatientDatabase): Promise<void> {
  await until('all operations finish', async () =>
    (await database.listUnfinished()).length === 0 ? true : null,
  );
  await until('all emails are sent', () =>
    database.ask(async (db) => {
      const mails = db.selectFrom('mail').select('guid').where('status', '=', 'waiting');
      return (await mails.execute()).length === 0 ? true : null;
    }),
  );
}

/** Each accepted operation exists and has succeeded; a program's requests started one operation each. */
async function examineOperations({ database, journal }: Evidence): Promise<readonly string[]> {
  const rows = await database.ask((db) => db.selectFrom('operation').selectAll().execute());
  const files = await database.ask((db) =>
    db.selectFrom('stored_file').select(['role', 'storage_key']).execute(),
  );
  const faults: string[] = [];
  const byGuid = new Map(rows.map((row) => [row.guid, row]));
  for (const { guid } of journal.accepted)
    if (!byGuid.has(guid)) faults.push(`operation ${guid} was accepted and is gone`);
  for (const { guid, status, error_name, internal_code } of rows) {
    if (status !== 'succeeded')
      faults.push(`operation ${guid} ended as ${status} (${error_name}, ${internal_code})`);
    const made = files.filter(({ storage_key }) => storage_key.startsWith(`${guid}/`));
    const attempts = new Set(made.map(({ storage_key }) => storage_key.split('/')[1]));
    if (status === 'succeeded' && attempts.size !== 1)
      faults.push(`operation ${guid} has the files of ${attempts.size} attempts`);
  }
  const ofPrograms = rows.filter(({ client_guid }) => client_guid !== null).length;
  const expected = journal.accepted.filter(({ actor }) => actor.isProgram).length;
  if (ofPrograms !== expected)
    faults.push(`a program's ${expected} requests started ${ofPrograms} operations`);
  return faults;
}

async function listNotifications(client: Client, { repeats }: Journal): Promise<Notification[]> {
  const path = '/api/async-operation-notifications/';
  const all: Notification[] = [];
  for (;;) {
    const last = all.at(-1);
    const to = last && `&to=${encodeURIComponent(`${last.completedOn}~${last.guid}`)}`;
    const answer = await patiently(repeats, 200, () => client.get(`${path}?count=1000${to ?? ''}`));
    const page = answer.json as Notification[];
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/**
 * Each operation that was not started in the background has one notification, which its user sees; the recipient sees
 * what was sent to them.
 */
async function examineNotifications(evidence: Evidence): Promise<readonly string[]> {
  const { database, cast, journal } = evidence;
  const faults: string[] = [];
  const compare = (whose: string, expected: readonly string[], found: readonly string[]): void => {
    for (const guid of expected)
      if (!found.includes(guid)) faults.push(`${whose} has no notification of ${guid}`);
    const twice = found.filter((guid, index) => found.indexOf(guid) !== index);
    for (const guid of twice) faults.push(`${whose} has two notifications of ${guid}`);
  };
  const operations = await database.ask((db) =>
    db.selectFrom('operation').select('guid').where('is_background', '=', false).execute(),
  );
  const rows = await database.ask((db) => db.selectFrom('notification').select('guid').execute());
  compare(
    'the database',
    operations.map(({ guid }) => guid),
    rows.map(({ guid }) => guid),
  );
  if (rows.length > operations.length) faults.push('there are notifications without operations');
  for (const actor of cast.actors.filter(({ isProgram }) => !isProgram)) {
    const own = journal.accepted.filter((one) => one.actor === actor).map(({ guid }) => guid);
    const listed = await listNotifications(actor.client, journal);
    compare(
      actor.name,
      own,
      listed.filter(({ isSent }) => isSent).map(({ guid }) => guid),
    );
  }
  const [anna] = cast.actors;
  const sent = journal.accepted.filter(
    ({ actor, sent: one }) => actor === anna && one?.isPrivate === false,
  );
  const received = await listNotifications(cast.receiver, journal);
  compare(
    'the receiver',
    sent.map(({ guid }) => guid),
    received.filter(({ isReceived }) => isReceived).map(({ guid }) => guid),
  );
  return faults;
}

/**
 * Each email was delivered, and under one Message-ID. A second copy of it is possible only if the attempt before was
 * interrupted between the delivery and its record.
 */
async function examineEmails(evidence: Evidence): Promise<readonly string[]> {
  const { installation, database, journal } = evidence;
  const mails = await database.ask((db) =>
    db.selectFrom('mail').select(['guid', 'status', 'attempt', 'email']).execute(),
  );
  const faults: string[] = [];
  const delivered = countMessages(installation);
  for (const { guid, status, attempt, email } of mails) {
    const copies = delivered.get(guid)?.filter((to) => to === email).length ?? 0;
    if (status !== 'sent') faults.push(`email ${guid} is ${status}`);
    if (copies === 0) faults.push(`email ${guid} was not delivered`);
    if (copies > attempt)
      faults.push(`email ${guid} was delivered ${copies} times in ${attempt} attempts`);
  }
  const known = new Set(mails.map(({ guid }) => guid));
  for (const guid of delivered.keys())
    if (!known.has(guid)) faults.push(`an email of ${guid} was delivered, but never asked for`);
  for (const { guid, sent } of journal.accepted)
    if (typeof sent?.email === 'string' && !known.has(guid))
      faults.push(`the email of ${guid} was forgotten`);
  return faults;
}

/** The recipients of the delivered copies, by the part of their Message-ID that names the operation. */
function countMessages({ mails }: Installation): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const mail of mails.emails) {
    const guid = /^<([^@]+)@/.exec(mail.header('message-id') ?? '')?.[1] ?? 'an unknown operation';
    found.set(guid, [...(found.get(guid) ?? []), ...mail.to]);
  }
  return found;
}

/** After a sweep, every row has its file, and every file its row. */
async function examineStorage(evidence: Evidence): Promise<readonly string[]> {
  const { installation, database } = evidence;
  const { config } = installation;
  const folder = fileURLToPath(config.storageUrl);
  const storage = await openFileStorage(folder);
  await age(folder);
  const { retentionDays, retentionBounds, auditDays } = config;
  await until('a sweep', () =>
    database.ask((db) =>
      sweep({ db, storage, log: silentLog, retentionDays, retentionBounds, auditDays }),
    ),
  );
  const { missing, strays } = await database.ask((db) => compareStorage(db, storage));
  const aside = await readdir(join(folder, '.aside'));
  return [
    ...missing.map((key) => `the file ${key} is missing`),
    ...(strays === 0 ? [] : [`${strays} files are orphaned`]),
    ...(aside.length === 0 ? [] : [`${aside.length} half-written files are left`]),
  ];
}

/** Makes everything in a folder so old that the sweep may delete it. */
async function age(folder: string): Promise<void> {
  const old = new Date(Date.now() - 2 * 24 * 3_600_000);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile()))
    await utimes(join(entry.parentPath, entry.name), old, old);
}

/** Each encoded file that was downloaded once can still be downloaded, with the same bytes. */
async function examineFiles({ journal }: Evidence): Promise<readonly string[]> {
  const { repeats } = journal;
  const faults: string[] = [];
  const examine = async ({ guid, actor, sha256 }: Accepted): Promise<void> => {
    const { result } = await readOperation(actor.client, repeats, guid);
    const { encodedFileURL } = result as { encodedFileURL: string };
    const file = await patiently(repeats, 200, () => actor.client.get(encodedFileURL));
    const found = createHash('sha256').update(file.bytes).digest('hex');
    if (found !== sha256) faults.push(`the encoded file of ${guid} has changed`);
  };
  for (const accepted of journal.accepted.filter(({ sha256 }) => sha256 !== null)) {
    await examine(accepted).catch((error: unknown) =>
      faults.push(`the encoded file of ${accepted.guid} cannot be read: ${String(error)}`),
    );
  }
  return faults;
}

/** Counts what happened. */
export async function countTotals({ installation, database }: Evidence): Promise<Totals> {
  const rows = await database.ask((db) =>
    db.selectFrom('operation').select(['attempt', 'created_on', 'completed_on']).execute(),
  );
  const delays = rows.map(
    ({ created_on, completed_on }) => (completed_on ?? created_on).getTime() - created_on.getTime(),
  );
  const delivered = [...countMessages(installation).values()];
  return {
    operations: rows.length,
    repeatedAttempts: rows.reduce((sum, { attempt }) => sum + attempt - 1, 0),
    emails: delivered.length,
    emailCopies: delivered.flat().length - delivered.length,
    longestDelaySeconds: Math.ceil(Math.max(0, ...delays) / 1000),
  };
}
