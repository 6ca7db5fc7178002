/** Clears away what attempts have laid into the storage and nobody will ask for. */
import type { Storage } from '../storage/storage.ts';

/** Deletes everything whose key begins with `prefix`, but not what begins with `except`. */
export async function sweepPrefix(
  storage: Pick<Storage, 'list' | 'delete'>,
  prefix: string,
  except: string | null,
): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) {
    if (except === null || !key.startsWith(except)) keys.push(key);
  }
  await Promise.all(keys.map((key) => storage.delete(key)));
}
