/**
 * Owns the tables audit_waiting and audit_entry: who did what, from where, with what outcome. Entries are only added,
 * and each one is linked to the previous one by a hash, so that a change or a gap can be detected.
 */
import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { Caller } from '../organisations/caller.ts';
import { buildOnce } from '../postgres/build-once.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';

/**
 * Who did something: a user, a client application, the operator at the command line, a worker, or anyone with a link.
 */
export interface Actor {
  readonly kind: 'user' | 'client' | 'operator' | 'worker' | 'anyone';
  /** The GUID of the account or of the client application. */
  readonly guid?: string;
  /** The user's email address, the client application's name, or the operator's account on the machine. */
  readonly name?: string;
}

/** The event. */
export interface AuditEvent {
  readonly actor: Actor;
  /** The GUID of the organisation on whose behalf it was done. */
  readonly organisation?: string;
  /** The action, such as `slots.downloadFile`, `sign-in` or `user invite`. */
  readonly action: string;
  /** The objects of the action: GUIDs, serial numbers, names of files; never a secret. */
  readonly object?: Readonly<Record<string, unknown>>;
  /** The network address that it came from. */
  readonly from?: string;
  /** `done`, the code of the error, or why a call that succeeded had no effect. */
  readonly outcome: string;
}

/** An event with the time of the database at which it was recorded. */
export interface AuditEntry extends AuditEvent {
  readonly on: string;
}

/** An entry in the chain. */
export interface ChainedEntry {
  readonly position: number;
  readonly entry: AuditEntry;
  /** 64 hexadecimal digits. */
  readonly hash: string;
}

/** The actor of a caller. */
export function actorOf(caller: Caller | null): Actor {
  if (caller === null) return { kind: 'anyone' };
  return caller.kind === 'person'
    ? { kind: 'user', guid: caller.accountGuid, name: caller.email }
    : { kind: 'client', guid: caller.clientGuid, name: caller.displayName };
}

/** The operator at the command line, under the account on this machine. */
export function operatorActor(): Actor {
  return { kind: 'operator', name: userInfo().username };
}

/**
 * The JSON of an event. What PostgreSQL's jsonb cannot store, NUL and unpaired surrogates, is replaced in its texts.
 */
function writeEvent(event: AuditEvent): string {
  return JSON.stringify(event, (_name, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value,
  );
}

/** An event as it is stored, with the time of the database's clock, because the machines' clocks differ. */
const entryOf = (event: AuditEvent) => entryWith(writeEvent(event));

const entryWith = (json: string) => sql<string>`(jsonb_build_object('on',
  to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || ${json}::jsonb)::text`;

const insertEvent = buildOnce((db: Db, guid: string, json: string) =>
  db
    .insertInto('audit_waiting')
    .values({ guid, entry: entryWith(json) })
    .modifyEnd(keepPlan),
);

/** Records an event; in a transaction, together with what it describes. */
export async function recordAudit(db: Db, event: AuditEvent): Promise<void> {
  await insertEvent(db, newGuid(), writeEvent(event));
}

/** The statement that records an event. */
export function auditInsert(db: Db, event: AuditEvent) {
  return db.insertInto('audit_waiting').values({ guid: newGuid(), entry: entryOf(event) });
}

/** Minutes that an announced event has to be completed. */
const announcedMinutes = 10;

/** Completes an announced event with what has happened; null: nothing that is recorded. */
export type CompleteAudit = (event: AuditEvent | null) => Promise<void>;

/**
 * Records an event before it happens, for work that cannot contain the entry in its own transaction. If it is never
 * completed, because the process has died or the database was lost, it is appended with the outcome `interrupted`:
 * whether it has happened is then unknown, but not who wanted it.
 */
export async function announceAudit(
  db: Db,
  event: Omit<AuditEvent, 'outcome'>,
): Promise<CompleteAudit> {
  const guid = newGuid();
  const announced_until = sql<Date>`now() + make_interval(mins => ${announcedMinutes})`;
  const entry = entryOf({ ...event, outcome: 'interrupted' });
  await db.insertInto('audit_waiting').values({ guid, entry, announced_until }).execute();
  return async (completed) => {
    if (completed === null) {
      await db.deleteFrom('audit_waiting').where('guid', '=', guid).execute();
      return;
    }
    const { numUpdatedRows } = await db
      .updateTable('audit_waiting')
      .set({
        entry: entryOf(completed),
        waits_since: sql<Date>`clock_timestamp()`,
        announced_until: null,
      })
      .where('guid', '=', guid)
      .executeTakeFirst();
    // it took longer than announced
    if (numUpdatedRows === 0n) await recordAudit(db, completed);
  };
}

/** How many entries are appended in one transaction. */
const batchSize = 500;
/** The hash before the first entry. */
export const start = Buffer.alloc(32);
/** An arbitrary number that no other lock in this database uses. */
const chainLock = 7_263_329;

/** The hash of an entry: SHA-256 over the previous hash, the position in decimal digits, a newline, and the entry. */
export function hashEntry(previous: Uint8Array, position: number, entry: string): Buffer {
  return createHash('sha256').update(previous).update(`${position}\n${entry}`).digest();
}

/** The entries that can be appended: an announced one only when it was not completed in time. */
const selectWaiting = (db: Db) =>
  db
    .selectFrom('audit_waiting')
    .select('guid')
    .where(sql<boolean>`coalesce(announced_until < now(), true)`);

/** Appends at most `most` waiting entries to the chain, in the order in which they were recorded; returns how many. */
export async function appendWaiting(db: Db, most = batchSize): Promise<number> {
  // mostly none waits: then one statement is enough, without the lock
  if ((await selectWaiting(db).limit(1).executeTakeFirst()) === undefined) return 0;
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${chainLock})`.execute(trx);
    const waiting = await selectWaiting(trx)
      .select('entry')
      .orderBy('waits_since')
      .orderBy('guid')
      .limit(most)
      // an entry that is being completed waits for the next batch
      .forUpdate()
      .skipLocked()
      .execute();
    if (waiting.length === 0) return 0;
    const last = await trx
      .selectFrom('audit_entry')
      .select(['position', 'hash'])
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst();
    let position = last?.position ?? 0;
    let hash: Buffer = last?.hash ?? start;
    const rows = waiting.map(({ entry }) => {
      position += 1;
      hash = hashEntry(hash, position, entry);
      return { position, entry, recorded_on: new Date((JSON.parse(entry) as AuditEntry).on), hash };
    });
    await trx.insertInto('audit_entry').values(rows).execute();
    const guids = waiting.map(({ guid }) => guid);
    await trx.deleteFrom('audit_waiting').where('guid', 'in', guids).execute();
    return rows.length;
  });
}

/**
 * Deletes the oldest entries, up to the first that is not older than `days`; returns how many. The newest entry stays:
 * the chain continues from it. Entries that were recorded at the same time can be in the chain in a different order.
 */
export async function deleteExpiredAudit(db: Db, days: number, count: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('audit_entry')
    .where('position', 'in', (eb) =>
      eb
        .selectFrom('audit_entry')
        .select('position')
        .where('position', '<', ({ selectFrom, fn }) =>
          fn.coalesce(
            selectFrom('audit_entry')
              .select('position')
              .where('recorded_on', '>=', sql<Date>`now() - make_interval(days => ${days})`)
              .orderBy('position')
              .limit(1),
            selectFrom('audit_entry').select((last) => last.fn.max('position').as('last')),
          ),
        )
        .orderBy('position')
        .limit(count),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
