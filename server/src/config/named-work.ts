/** Names what runs: a request or a round of background work, so that what it costs can be counted for it. */
import { AsyncLocalStorage } from 'node:async_hooks';

const names = new AsyncLocalStorage<string>();

/** Names `work` and everything that it starts: a route, or a kind of background work. */
export function named<T>(name: string, work: () => T): T {
  return names.run(name, work);
}

/** The name of what runs; `other` if nothing has named it. */
export function nameOfWork(): string {
  return names.getStore() ?? 'other';
}
