/** Adds originals to the library, replaces and removes them; for the command line and the administration. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Refusal } from '@recodery/contract/refusal';
import { newGuid } from '../../config/guids.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import { findDamage, type VerifiedStorage } from '../../storage/verified-storage.ts';
import {
  deleteOriginal,
  findOriginal,
  lockOriginals,
  type Original,
  type OriginalQuestion,
  originalsPrefix,
  putOriginal,
} from './originals.ts';

/** The change to the library. */
export type Added = 'added' | 'replaced' | 'unchanged';

/** A validated image with the numbers that identify it. */
export interface NewOriginal extends OriginalQuestion {
  readonly name: string;
  readonly image: Uint8Array;
}

interface LibraryDeps {
  readonly db: Db;
  readonly storage: Pick<VerifiedStorage, 'put' | 'verify' | 'delete'>;
}

/** Throws a `Refusal` if the original that has the numbers now, or null, must not be replaced. */
export type Admit = (before: Original | null) => void;

/** Runs a change after those of others. */
function change<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await lockOriginals(trx);
    return work(trx);
  });
}

/**
 * Adds an original, or replaces the one with the same numbers if `admit` allows it. Adding the same image under the same
 * numbers changes nothing, unless its stored file is damaged. @throws what `admit` throws
 */
export async function addOriginal(
  { db, storage }: LibraryDeps,
  original: NewOriginal,
  admit: Admit = () => {},
): Promise<Added> {
  const { image, name, ...numbers } = original;
  const sha256 = createHash('sha256').update(image).digest('hex');
  const found = await findOriginal(db, numbers);
  admit(found);
  if (found?.sha256 === sha256 && (await findDamage(storage, found)) === null) return 'unchanged';
  const storageKey = `${originalsPrefix}/${numbers.protocolId}/${newGuid()}`;
  const written = await storage.put(storageKey, Readable.from([image]));
  const stored = { ...numbers, name, storageKey, ...written };
  const put = async (trx: Db): Promise<Original | null> => {
    const before = await findOriginal(trx, numbers);
    admit(before);
    await putOriginal(trx, stored);
    return before;
  };
  const before = await change(db, put).catch(async (error: unknown) => {
    // another error may have come after the commit, which needs the file
    if (error instanceof Refusal) await storage.delete(storageKey);
    throw error;
  });
  if (before === null) return 'added';
  await storage.delete(before.storageKey);
  return 'replaced';
}

/** Removes an original with its file; returns false if there is none. */
export async function removeFromLibrary(
  { db, storage }: Pick<LibraryDeps, 'db'> & { readonly storage: Pick<VerifiedStorage, 'delete'> },
  numbers: OriginalQuestion,
): Promise<boolean> {
  const removed = await change(db, (trx) => deleteOriginal(trx, numbers));
  if (removed === null) return false;
  await storage.delete(removed.storageKey);
  return true;
}
