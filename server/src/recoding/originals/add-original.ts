/** Adds an original to the library, replacing one with the same numbers. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { newGuid } from '../../config/guids.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { findDamage, type VerifiedStorage } from '../../storage/verified-storage.ts';
import { findOriginal, type OriginalQuestion, originalsPrefix, putOriginal } from './originals.ts';

/** The change to the library. */
export type Added = 'added' | 'replaced' | 'unchanged';

/** A validated image with the numbers that identify it. */
export interface NewOriginal extends OriginalQuestion {
  readonly name: string;
  readonly image: Uint8Array;
}

/** Adds an original. Adding the same image under the same numbers changes nothing, unless its stored file is damaged. */
export async function addOriginal(
  deps: { readonly db: Db; readonly storage: Pick<VerifiedStorage, 'put' | 'verify' | 'delete'> },
  original: NewOriginal,
): Promise<Added> {
  const { db, storage } = deps;
  const { image, name, ...numbers } = original;
  const sha256 = createHash('sha256').update(image).digest('hex');
  const before = await findOriginal(db, numbers);
  if (before?.sha256 === sha256 && (await findDamage(storage, before)) === null) return 'unchanged';
  const storageKey = `${originalsPrefix}/${numbers.protocolId}/${newGuid()}`;
  const written = await storage.put(storageKey, Readable.from([image]));
  await putOriginal(db, { ...numbers, name, storageKey, ...written });
  if (before === null) return 'added';
  await storage.delete(before.storageKey);
  return 'replaced';
}
