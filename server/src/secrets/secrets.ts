/**
 * Keys at rest: each is stored in the database, wrapped under the installation secret, and is unwrapped only in memory.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { CannotStart } from '../config/cannot-start.ts';
import { inTransaction } from '../postgres/tables/in-transaction.ts';
import type { Database, Db } from '../postgres/tables/schema.ts';
import type { SecretSource } from './secret-source.ts';

/** A key and its number among the keys of its purpose. */
export interface NumberedKey {
  readonly keyId: number;
  readonly key: Uint8Array;
}

/** The keys of this installation. A purpose is a word such as `session`, or `master:{guid}`. */
export interface Secrets {
  /** The newest key of a purpose that is not retired; if there is none, the first is generated: 32 random bytes. */
  getCurrentKey(purpose: string): Promise<NumberedKey>;
  /** Every key of a purpose that is not retired, newest first; if there is none, the first is generated. */
  listKeys(purpose: string): Promise<readonly NumberedKey[]>;
  /** A key by its number, retired or not; null when there is none. */
  getKey(purpose: string, keyId: number): Promise<Uint8Array | null>;
  /** Adds a key (by default 32 random bytes), which becomes the current one. With `trx` it is part of a transaction. */
  createKey(purpose: string, key?: Uint8Array, trx?: Db): Promise<NumberedKey>;
  /**
   * Adds a key that replaces the current one once every process knows it. The previous key stays valid; older ones
   * are retired.
   */
  renewKey(purpose: string): Promise<void>;
  /** Retires a key; its data can still be read by the key's number. With `trx` it is part of a transaction. */
  retireKey(purpose: string, keyId: number, trx?: Db): Promise<void>;
  /** Retires every key of a purpose, also those that another process has just added. Part of a transaction with `trx`. */
  retireKeys(purpose: string, trx?: Db): Promise<void>;
}

/** The installation secret is not the one that wrapped the keys: the start must fail. */
export class WrongSecret extends CannotStart {
  override readonly name = 'WrongSecret';
  constructor() {
    super(
      'The installation secret does not match this database. Set RECODERY_SECRET or RECODERY_SECRET_FILE to the original secret, or restore the file "secret" in the data folder.',
    );
  }
}

const keyBytes = 32;
/** The largest number that its column can store. */
const highestKeyId = 2 ** 31 - 1;
const nonceBytes = 12;
const tagBytes = 16;
/** First byte of a wrapped key: the version of the wrapping. */
const wrapVersion = 1;
/** Milliseconds that a process may still use a list of keys after another process has changed it. */
const listTime = 1000;
/** Milliseconds after which a list that is not used is no longer read together with others. */
const unusedTime = 60_000;
/**
 * How long a renewed key is only accepted: longer than {@link listTime}, so that every process accepts what one signs.
 */
const renewalTime = sql`interval '3 seconds'`;
/** The purpose of the key that only proves that the installation secret is the right one. */
const proofPurpose = 'proof';

function wrappingKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'recodery/1 wrap', keyBytes));
}

/** version(1) ‖ nonce(12) ‖ ciphertext ‖ tag(16), AES-256-GCM; purpose and number are authenticated too. */
function wrap(wrapping: Uint8Array, purpose: string, keyId: number, key: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', wrapping, nonce);
  cipher.setAAD(Buffer.from(`${purpose}\n${keyId}`));
  const sealed = Buffer.concat([cipher.update(key), cipher.final()]);
  return Buffer.concat([Buffer.of(wrapVersion), nonce, sealed, cipher.getAuthTag()]);
}

/** The key, or null when the wrapping key is a different one or the row was changed. */
function unwrap(
  wrapping: Uint8Array,
  purpose: string,
  keyId: number,
  wrapped: Buffer,
): Uint8Array | null {
  if (wrapped[0] !== wrapVersion || wrapped.length <= 1 + nonceBytes + tagBytes) return null;
  const nonce = wrapped.subarray(1, 1 + nonceBytes);
  const decipher = createDecipheriv('aes-256-gcm', wrapping, nonce);
  decipher.setAAD(Buffer.from(`${purpose}\n${keyId}`));
  decipher.setAuthTag(wrapped.subarray(-tagBytes));
  const key = decipher.update(wrapped.subarray(1 + nonceBytes, -tagBytes));
  // node:crypto throws in a case that is a normal result here.
  try {
    decipher.final();
  } catch {
    return null;
  }
  return new Uint8Array(key);
}

/** The wrapping keys of a process and the keys that it has already opened. */
interface Ring {
  readonly db: Db;
  readonly source: SecretSource;
  readonly wrappings: readonly Uint8Array[];
  /**
   * By purpose and number. A key never changes under its number, even when it is wrapped again: an opened key stays
   * valid, and a running portal continues through a rotation.
   */
  readonly known: Map<string, Uint8Array>;
  /** By purpose; replaced as a whole by {@link forgetLists}. */
  lists: Map<string, KeyList>;
}

/** The keys of a purpose, until they have to be read again. */
interface KeyList {
  readonly until: number;
  usedAt: number;
  readonly keys: Promise<readonly NumberedKey[]>;
}

/** Drops the lists, because this process has changed keys; a read that has already begun is not kept. */
function forgetLists(ring: Ring): void {
  ring.lists = new Map();
}

/**
 * Opens the keys and verifies the installation secret; a database without any key uses the present secret, or a new one
 * is generated. @throws {WrongSecret}
 */
export async function openSecrets(db: Db, source: SecretSource): Promise<Secrets> {
  const wrappings = (await readOrMake(db, source)).map(wrappingKey);
  const ring: Ring = { db, source, wrappings, known: new Map(), lists: new Map() };
  await db
    .insertInto('wrapped_key')
    .values(firstProof(wrappings))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await listKeys(ring, proofPurpose);
  return {
    listKeys: (purpose) => listKeys(ring, purpose),
    async getCurrentKey(purpose) {
      const [newest] = await listKeys(ring, purpose);
      if (newest === undefined) throw new Error(`every key of ${purpose} is retired`);
      return newest;
    },
    async getKey(purpose, keyId) {
      // anyone can write a larger number into the header of a file
      if (keyId > highestKeyId) return null;
      const known = ring.known.get(nameOf(purpose, keyId));
      if (known !== undefined) return known;
      const row = await wrappedKey(db, purpose, keyId).executeTakeFirst();
      return row === undefined ? null : open(ring, purpose, keyId, row.wrapped);
    },
    async createKey(purpose, key = randomBytes(keyBytes), outer = db) {
      const keyId = await inTransaction(outer, async (trx) => {
        const next = await nextKeyId(trx, purpose);
        await insert(ring, trx, purpose, next, key);
        return next;
      });
      forgetLists(ring);
      return { keyId, key };
    },
    async renewKey(purpose) {
      await db.transaction().execute(async (trx) => {
        const next = await nextKeyId(trx, purpose);
        const usedFrom = sql<Date>`now() + ${renewalTime}`;
        await insert(ring, trx, purpose, next, randomBytes(keyBytes), usedFrom);
        await retire(trx, purpose, next - 2);
      });
      forgetLists(ring);
    },
    async retireKey(purpose, keyId, outer = db) {
      await retire(outer, purpose, keyId, keyId);
      forgetLists(ring);
    },
    async retireKeys(purpose, outer = db) {
      await retire(outer, purpose, highestKeyId);
      forgetLists(ring);
    },
  };
}

/** Retires the keys up to a number. */
async function retire(db: Db, purpose: string, last: number, first = 1): Promise<void> {
  await db
    .updateTable('wrapped_key')
    .set({ retired_on: sql<Date>`now()` })
    .where('purpose', '=', purpose)
    .where('key_id', '>=', first)
    .where('key_id', '<=', last)
    .where('retired_on', 'is', null)
    .execute();
}

function wrappedKey(db: Db, purpose: string, keyId: number) {
  return db
    .selectFrom('wrapped_key')
    .select('wrapped')
    .where('purpose', '=', purpose)
    .where('key_id', '=', keyId);
}

const nameOf = (purpose: string, keyId: number): string => `${purpose}\n${keyId}`;

async function open(
  ring: Ring,
  purpose: string,
  keyId: number,
  wrapped: Buffer,
): Promise<Uint8Array> {
  const name = nameOf(purpose, keyId);
  const opened =
    ring.known.get(name) ??
    openWithAny(ring.wrappings, purpose, keyId, wrapped) ??
    openWithAny((await ring.source.read()).map(wrappingKey), purpose, keyId, wrapped);
  if (opened === null) throw new WrongSecret();
  ring.known.set(name, opened);
  return opened;
}

async function listKeys(ring: Ring, purpose: string): Promise<readonly NumberedKey[]> {
  const keys = await findKeys(ring, purpose);
  if (keys.length > 0) return keys;
  // If another process is faster, its key is used.
  await inTransaction(ring.db, (trx) => insert(ring, trx, purpose, 1, randomBytes(keyBytes)));
  // another caller's read may have begun before
  forgetLists(ring);
  return findKeys(ring, purpose);
}

/**
 * The keys of a purpose. A list that is too old is read again together with the others that this process uses, which
 * then need no statement of their own.
 */
async function findKeys(ring: Ring, purpose: string): Promise<readonly NumberedKey[]> {
  const now = performance.now();
  const { lists } = ring;
  const list = lists.get(purpose);
  if (list !== undefined && list.until > now) {
    list.usedAt = now;
    return list.keys;
  }
  for (const [name, { usedAt }] of lists) if (usedAt < now - unusedTime) lists.delete(name);
  const purposes = [...new Set([...lists.keys(), purpose])];
  const reading = readWrapped(ring.db, purposes);
  for (const name of purposes) {
    const keys = reading.then((rows) => openAll(ring, rows.get(name) ?? []));
    const usedAt = name === purpose ? now : (lists.get(name)?.usedAt ?? now);
    const fresh = { until: now + listTime, usedAt, keys };
    lists.set(name, fresh);
    // neither a failure nor a missing key is kept
    const drop = (): unknown => lists.get(name) === fresh && lists.delete(name);
    keys.then((found) => found.length === 0 && drop(), drop);
  }
  return (await lists.get(purpose)?.keys) ?? [];
}

type WrappedKey = Pick<Selectable<Database['wrapped_key']>, 'purpose' | 'key_id' | 'wrapped'>;

/** The keys of these purposes that are not retired, by purpose, newest first. */
async function readWrapped(
  db: Db,
  purposes: readonly string[],
): Promise<ReadonlyMap<string, readonly WrappedKey[]>> {
  const rows = await db
    .selectFrom('wrapped_key')
    .select(['purpose', 'key_id', 'wrapped'])
    .where(sql<boolean>`purpose = any(${purposes}::text[])`)
    .where('retired_on', 'is', null)
    // a renewed key is not used yet
    .orderBy(sql`created_on > now()`)
    .orderBy('key_id', 'desc')
    .execute();
  return Map.groupBy(rows, ({ purpose }) => purpose);
}

async function openAll(ring: Ring, rows: readonly WrappedKey[]): Promise<readonly NumberedKey[]> {
  const keys: NumberedKey[] = [];
  for (const { purpose, key_id: keyId, wrapped } of rows)
    keys.push({ keyId, key: await open(ring, purpose, keyId, wrapped) });
  return keys;
}

async function insert(
  ring: Ring,
  trx: Db,
  purpose: string,
  keyId: number,
  key: Uint8Array,
  createdOn = sql<Date>`now()`,
): Promise<void> {
  const wrapped = wrap(await presentWrapping(ring, trx), purpose, keyId, key);
  await trx
    .insertInto('wrapped_key')
    .values({ purpose, key_id: keyId, wrapped, created_on: createdOn })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The wrapping key for writing: the one that currently opens the proof key. */
async function presentWrapping(ring: Ring, trx: Db): Promise<Uint8Array> {
  // A concurrent rotation must have finished, or begin after us.
  const proof = await wrappedKey(trx, proofPurpose, 1).forShare().executeTakeFirstOrThrow();
  const candidates = [...ring.wrappings, ...(await ring.source.read()).map(wrappingKey)];
  const present = candidates.find((one) => unwrap(one, proofPurpose, 1, proof.wrapped) !== null);
  if (present === undefined) throw new WrongSecret();
  return present;
}

async function readOrMake(db: Db, source: SecretSource): Promise<readonly string[]> {
  const candidates = await source.read();
  if (candidates.length > 0) return candidates;
  const row = await db.selectFrom('wrapped_key').select('key_id').limit(1).executeTakeFirst();
  // Keys exist but the secret is missing: a new one could not open them, and would only hide the problem.
  if (row !== undefined) throw new WrongSecret();
  return [await source.make()];
}

function firstProof(wrappings: readonly Uint8Array[]) {
  const [wrapping] = wrappings;
  if (wrapping === undefined) throw new WrongSecret();
  const wrapped = wrap(wrapping, proofPurpose, 1, randomBytes(keyBytes));
  return { purpose: proofPurpose, key_id: 1, wrapped };
}

function openWithAny(
  wrappings: readonly Uint8Array[],
  purpose: string,
  keyId: number,
  wrapped: Buffer,
): Uint8Array | null {
  for (const wrapping of wrappings) {
    const key = unwrap(wrapping, purpose, keyId, wrapped);
    if (key !== null) return key;
  }
  return null;
}

/** The next number; concurrent callers wait until our transaction has ended. */
async function nextKeyId(trx: Db, purpose: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext(${`wrapped_key ${purpose}`}))`.execute(trx);
  const { last } = await trx
    .selectFrom('wrapped_key')
    .select(({ fn }) => fn.max<number | null>('key_id').as('last'))
    .where('purpose', '=', purpose)
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}

/** The candidate that currently wraps the keys. @throws {WrongSecret} if none of them does */
export async function findPresentSecret(db: Db, candidates: readonly string[]): Promise<string> {
  const { wrapped } = await wrappedKey(db, proofPurpose, 1).executeTakeFirstOrThrow();
  const present = candidates.find(
    (secret) => unwrap(wrappingKey(secret), proofPurpose, 1, wrapped) !== null,
  );
  if (present === undefined) throw new WrongSecret();
  return present;
}

/**
 * Wraps every key again under a new installation secret, in one transaction (its own, or that of `db`); returns how
 * many. Store the new secret first: a process that cannot open a key reads the source again. @throws {WrongSecret} when
 * that is not the present secret: nothing has changed
 */
export async function rewrapKeys(
  db: Db,
  presentSecret: string,
  newSecret: string,
): Promise<number> {
  const oldWrapping = wrappingKey(presentSecret);
  const newWrapping = wrappingKey(newSecret);
  return inTransaction(db, async (trx) => {
    // Writing a key locks the proof: after this lock no key can be written, and all existing ones are visible.
    await trx
      .selectFrom('wrapped_key')
      .select('key_id')
      .where('purpose', '=', proofPurpose)
      .forUpdate()
      .execute();
    const rows = await trx
      .selectFrom('wrapped_key')
      .select(['purpose', 'key_id', 'wrapped'])
      .execute();
    for (const { purpose, key_id, wrapped } of rows) {
      const key = unwrap(oldWrapping, purpose, key_id, wrapped);
      if (key === null) throw new WrongSecret();
      await trx
        .updateTable('wrapped_key')
        .set({
          wrapped: wrap(newWrapping, purpose, key_id, key),
          ...(purpose === proofPurpose ? { created_on: sql<Date>`now()` } : {}),
        })
        .where('purpose', '=', purpose)
        .where('key_id', '=', key_id)
        .execute();
    }
    return rows.length;
  });
}
