/** Adds an original to the library, replacing one with the same numbers. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { newGuid } from '../../config/guids.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import { findOriginal, type OriginalQuestion, originalsPrefix, putOriginal } from './originals.ts';

/** The change to the library. */
export type Added = 'added' | 'replaced' | 'unchanged';

/** A validated image with the numbers that identify it. */
export interface NewOriginal extends OriginalQuestion {
  readonly name: string;
  readonly image: Uint8Array;
}

/** Adds an original. Adding the same image under the same numbers changes nothing, unless the storage has lost it. */
export async function addOriginal(
  { db, storage }: { readonly db: Db; readonly storage: Pick<Storage, 'put' | 'head' | 'delete'> },
  original: NewOriginal,
): Promise<Added> {
  const { image, name, ...numbers } = original;
  const sha256 = createHash('sha256').update(image).digest('hex');
  const before = await findOriginal(db, numbers);
  const isThere = before !== null && (await storage.head(before.storageKey)) !== null;
  if (isThere && before.sha256 === sha256) return 'unchanged';
  const storageKey = `${originalsPrefix}/${numbers.protocolId}/${newGuid()}`;
  const written = await storage.put(storageKey, Readable.from([image]));
  await putOriginal(db, { ...numbers, name, storageKey, ...written });
  if (before === null) return 'added';
  await storage.delete(before.storageKey);
  return 'replaced';
}
