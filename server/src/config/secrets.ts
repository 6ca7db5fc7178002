/** Keys at rest: each stands wrapped in the database under the installation secret, and is unwrapped only in memory. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { CannotStart } from './cannot-start.ts';
import type { Database } from '../postgres/schema.ts';
import type { SecretSource } from './secret-source.ts';

/** A key and its number among the keys of its purpose. */
export interface NumberedKey {
  readonly keyId: number;
  readonly key: Uint8Array;
}

/** The keys of this installation. A purpose is a word such as `session`, or `master:{guid}`. */
export interface Secrets {
  /** The newest key of a purpose that is not retired; the first is made when there is none: 32 random bytes. */
  getCurrentKey(purpose: string): Promise<NumberedKey>;
  /** Every key of a purpose that is not retired, newest first; the first is made when there is none. */
  listKeys(purpose: string): Promise<readonly NumberedKey[]>;
  /** A key by its number, retired or not; null when there is none. */
  getKey(purpose: string, keyId: number): Promise<Uint8Array | null>;
  /** Adds a key (by default 32 random bytes), which becomes the current one. `trx` lets it stand or fall with a transaction. */
  createKey(purpose: string, key?: Uint8Array, trx?: Kysely<Database>): Promise<NumberedKey>;
  /** Takes a key out of use; what it made can still be read by its number. */
  retireKey(purpose: string, keyId: number): Promise<void>;
}

/** The installation secret is not the one that wrapped the keys: the start must end. */
export class WrongSecret extends CannotStart {
  constructor() {
    super(
      'The installation secret is not the one that this database was made with: set RECODERY_SECRET or RECODERY_SECRET_FILE to that one, or put the file "secret" back into the data folder.',
    );
    this.name = 'WrongSecret';
  }
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** First byte of a wrapped key: how it was wrapped. */
const wrapVersion = 1;
/** Milliseconds that a process may still use a list of keys after another process has changed it. */
const listTime = 1000;
/** The purpose of the key that only proves that the installation secret is the right one. */
const proofPurpose = 'proof';

function wrappingKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'recodery/1 wrap', keyBytes));
}

/** version(1) ‖ nonce(12) ‖ ciphertext ‖ tag(16), AES-256-GCM; purpose and number are authenticated along. */
function wrap(wrapping: Uint8Array, purpose: string, keyId: number, key: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', wrapping, nonce);
  cipher.setAAD(Buffer.from(`${purpose}\n${keyId}`));
  const sealed = Buffer.concat([cipher.update(key), cipher.final()]);
  return Buffer.concat([Buffer.of(wrapVersion), nonce, sealed, cipher.getAuthTag()]);
}

/** The key, or null when the wrapping key is another or the row was changed. */
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
  // node:crypto says by an exception what for us is an answer.
  try {
    decipher.final();
  } catch {
    return null;
  }
  return new Uint8Array(key);
}

/** What the keys of a process are opened with and what of them is known already. */
interface Ring {
  readonly db: Kysely<Database>;
  readonly source: SecretSource;
  readonly wrappings: readonly Uint8Array[];
  /**
   * By purpose and number. A key never changes under its number, also when it is wrapped anew: what was opened once
   * stays known, and a running portal goes on through a rotation.
   */
  readonly known: Map<string, Uint8Array>;
  readonly lists: Map<string, { readonly until: number; readonly keys: readonly NumberedKey[] }>;
}

/**
 * Opens the keys and proves the installation secret; a database without any key takes the present secret, or has one
 * made. @throws {WrongSecret}
 */
export async function openSecrets(db: Kysely<Database>, source: SecretSource): Promise<Secrets> {
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
      const row = await db
        .selectFrom('wrapped_key')
        .select('wrapped')
        .where('purpose', '=', purpose)
        .where('key_id', '=', keyId)
        .executeTakeFirst();
      return row === undefined ? null : open(ring, purpose, keyId, row.wrapped);
    },
    async createKey(purpose, key = randomBytes(keyBytes), outer = db) {
      const keyId = await inTransaction(outer, async (trx) => {
        const next = await nextKeyId(trx, purpose);
        await insert(ring, trx, purpose, next, key);
        return next;
      });
      ring.lists.delete(purpose);
      return { keyId, key };
    },
    async retireKey(purpose, keyId) {
      await db
        .updateTable('wrapped_key')
        .set({ retired_on: sql<Date>`now()` })
        .where('purpose', '=', purpose)
        .where('key_id', '=', keyId)
        .where('retired_on', 'is', null)
        .execute();
      ring.lists.delete(purpose);
    },
  };
}

async function open(
  ring: Ring,
  purpose: string,
  keyId: number,
  wrapped: Buffer,
): Promise<Uint8Array> {
  const name = `${purpose}\n${keyId}`;
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
  // When another process is quicker, its key stands.
  await inTransaction(ring.db, (trx) => insert(ring, trx, purpose, 1, randomBytes(keyBytes)));
  return findKeys(ring, purpose);
}

async function findKeys(ring: Ring, purpose: string): Promise<readonly NumberedKey[]> {
  const list = ring.lists.get(purpose);
  if (list !== undefined && list.until > performance.now()) return list.keys;
  const rows = await ring.db
    .selectFrom('wrapped_key')
    .select(['key_id', 'wrapped'])
    .where('purpose', '=', purpose)
    .where('retired_on', 'is', null)
    .orderBy('key_id', 'desc')
    .execute();
  const keys: NumberedKey[] = [];
  for (const { key_id, wrapped } of rows) {
    keys.push({ keyId: key_id, key: await open(ring, purpose, key_id, wrapped) });
  }
  if (keys.length > 0) ring.lists.set(purpose, { until: performance.now() + listTime, keys });
  return keys;
}

async function insert(
  ring: Ring,
  trx: Kysely<Database>,
  purpose: string,
  keyId: number,
  key: Uint8Array,
): Promise<void> {
  const wrapped = wrap(await presentWrapping(ring, trx), purpose, keyId, key);
  await trx
    .insertInto('wrapped_key')
    .values({ purpose, key_id: keyId, wrapped })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The wrapping key to write with: the one that opens the proof key now. */
async function presentWrapping(ring: Ring, trx: Kysely<Database>): Promise<Uint8Array> {
  const proof = await trx
    .selectFrom('wrapped_key')
    .select('wrapped')
    .where('purpose', '=', proofPurpose)
    .where('key_id', '=', 1)
    // A rotation at the same time must be over, or begin after us.
    .forShare()
    .executeTakeFirstOrThrow();
  const candidates = [...ring.wrappings, ...(await ring.source.read()).map(wrappingKey)];
  const present = candidates.find((one) => unwrap(one, proofPurpose, 1, proof.wrapped) !== null);
  if (present === undefined) throw new WrongSecret();
  return present;
}

async function readOrMake(db: Kysely<Database>, source: SecretSource): Promise<readonly string[]> {
  const candidates = await source.read();
  if (candidates.length > 0) return candidates;
  const row = await db.selectFrom('wrapped_key').select('key_id').limit(1).executeTakeFirst();
  // Keys without a secret: a new one could not open them, and would only hide what is missing.
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

function inTransaction<T>(
  db: Kysely<Database>,
  work: (trx: Kysely<Database>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

/** The number after the last; who asks at the same time waits until our transaction has ended. */
async function nextKeyId(trx: Kysely<Database>, purpose: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext(${`wrapped_key ${purpose}`}))`.execute(trx);
  const { last } = await trx
    .selectFrom('wrapped_key')
    .select(({ fn }) => fn.max<number | null>('key_id').as('last'))
    .where('purpose', '=', purpose)
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}

/** The candidate that the keys are wrapped under now. @throws {WrongSecret} when it is none of them. */
export async function findPresentSecret(
  db: Kysely<Database>,
  candidates: readonly string[],
): Promise<string> {
  const { wrapped } = await db
    .selectFrom('wrapped_key')
    .select('wrapped')
    .where('purpose', '=', proofPurpose)
    .where('key_id', '=', 1)
    .executeTakeFirstOrThrow();
  const present = candidates.find(
    (secret) => unwrap(wrappingKey(secret), proofPurpose, 1, wrapped) !== null,
  );
  if (present === undefined) throw new WrongSecret();
  return present;
}

/**
 * Wraps every key anew under another installation secret, in one transaction; gives back how many.
 * Write the new one down first: a process that cannot open a key reads the source again. @throws {WrongSecret} when that is not the present secret: nothing has changed.
 */
export async function rewrapKeys(
  db: Kysely<Database>,
  presentSecret: string,
  newSecret: string,
): Promise<number> {
  const oldWrapping = wrappingKey(presentSecret);
  const newWrapping = wrappingKey(newSecret);
  return db.transaction().execute(async (trx) => {
    // Who writes a key holds the proof: after this lock none is written, and all that were are seen.
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
        .set({ wrapped: wrap(newWrapping, purpose, key_id, key) })
        .where('purpose', '=', purpose)
        .where('key_id', '=', key_id)
        .execute();
    }
    return rows.length;
  });
}
