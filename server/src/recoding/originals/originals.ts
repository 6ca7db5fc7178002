/**
 * Owns the table original: the library of images that Virtual Reading uses for reads without an image, and that tells
 * whether a read was modified before. An original is the component by which its protocol identifies a read.
 */
import { sql } from 'kysely';
import { newGuid } from '../../config/guids.ts';
import type { Db } from '../../postgres/tables/schema.ts';

/** What identifies an original: the protocol, and the numbers that the slave reports. */
export interface OriginalQuestion {
  readonly protocolId: number;
  readonly hardware: string;
  readonly software: string;
}

/** An original in the library. */
export interface Original extends OriginalQuestion {
  /** The file's name when it was added. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  readonly storageKey: string;
}

/** The storage prefix of the library. */
export const originalsPrefix = 'originals';

/** The original for exactly these numbers, or null. */
export async function findOriginal(db: Db, question: OriginalQuestion): Promise<Original | null> {
  const row = await db
    .selectFrom('original')
    .select(columns)
    .where('protocol_id', '=', question.protocolId)
    .where('hardware', '=', question.hardware)
    .where('software', '=', question.software)
    .executeTakeFirst();
  return row ?? null;
}

/** An original with what operators see of it. */
export interface ListedOriginal extends Original {
  readonly guid: string;
  readonly addedOn: Date;
}

const columns = [
  'protocol_id as protocolId',
  'hardware',
  'software',
  'name',
  'size',
  'sha256',
  'storage_key as storageKey',
] as const;

/** All originals, by protocol and numbers. */
export async function listLibrary(db: Db): Promise<readonly ListedOriginal[]> {
  return db
    .selectFrom('original')
    .select([...columns, 'guid', 'added_on as addedOn'])
    .orderBy('protocol_id')
    .orderBy('hardware')
    .orderBy('software')
    .execute();
}

/** Lets the changes of others wait until the transaction ends. Reads continue. */
export async function lockOriginals(trx: Db): Promise<void> {
  await sql`lock table original in share row exclusive mode`.execute(trx);
}

/** Deletes the original with these numbers; returns it, or null if there is none. */
export async function deleteOriginal(db: Db, question: OriginalQuestion): Promise<Original | null> {
  const row = await db
    .deleteFrom('original')
    .where('protocol_id', '=', question.protocolId)
    .where('hardware', '=', question.hardware)
    .where('software', '=', question.software)
    .returning(columns)
    .executeTakeFirst();
  return row ?? null;
}

/** Records an original, replacing one with the same numbers. */
export async function putOriginal(db: Db, original: Original): Promise<void> {
  const { name, size, sha256, storageKey } = original;
  await db
    .insertInto('original')
    .values({
      guid: newGuid(),
      protocol_id: original.protocolId,
      hardware: original.hardware,
      software: original.software,
      name,
      size,
      sha256,
      storage_key: storageKey,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['protocol_id', 'hardware', 'software'])
        .doUpdateSet({ name, size, sha256, storage_key: storageKey, added_on: sql<Date>`now()` }),
    )
    .execute();
}

/** Removes originals by their bytes, which a backup does not contain. */
export async function removeOriginals(db: Db, storageKeys: readonly string[]): Promise<void> {
  await sql`delete from original where storage_key = any(${storageKeys}::text[])`.execute(db);
}
