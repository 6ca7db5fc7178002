/** Deletes files that attempts have stored and that are no longer needed. */
import type { Storage } from '../storage/storage.ts';

/** Deletes every key that begins with `prefix`, except those that begin with `except`. */
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
