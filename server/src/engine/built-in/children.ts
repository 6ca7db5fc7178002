/** Keeps a number of engine processes alive, hands out free ones in order, and replaces those that have exited. */
import type { EngineChild } from './child.ts';
import { removeTree } from './remove-tree.ts';

/** The running children. */
export interface Children<Child extends EngineChild> {
  /** A free child, in the order of the calls. @throws the signal's reason; or when no more can be started */
  take(signal: AbortSignal | undefined): Promise<Child>;
  /** Releases the child; one that has exited or is exiting is replaced instead. */
  handBack(child: Child): void;
  /** Terminates all of them. */
  close(): Promise<void>;
}

/** Consecutive failed starts after which the program is considered broken. */
const mostFailedStarts = 3;
/** Milliseconds until it is retried anyway. */
const restMs = 1_000;

/** The queue of callers that wait for a child, and the free children: one of the two is always empty. */
function createDispatcher<Child>() {
  const free: Child[] = [];
  const queue: PromiseWithResolvers<Child>[] = [];
  const forget = <T>(list: T[], one: T): void => {
    const index = list.indexOf(one);
    if (index >= 0) list.splice(index, 1);
  };
  return {
    offer(child: Child): void {
      const next = queue.shift();
      if (next === undefined) free.push(child);
      else next.resolve(child);
    },
    withdraw: (child: Child): void => forget(free, child),
    rejectAll(error: unknown): void {
      for (const waiting of queue.splice(0)) waiting.reject(error);
    },
    async take(signal: AbortSignal | undefined): Promise<Child> {
      const first = free.shift();
      if (first !== undefined) return first;
      const waiting = Promise.withResolvers<Child>();
      queue.push(waiting);
      const abort = (): void => {
        forget(queue, waiting);
        waiting.reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort);
      return waiting.promise.finally(() => signal?.removeEventListener('abort', abort));
    },
  };
}

/** Starts `count` children and keeps that many running. @throws when they exit before they are ready */
export async function keepChildren<Child extends EngineChild>(
  count: number,
  start: () => Promise<Child>,
): Promise<Children<Child>> {
  const living = new Set<Child>();
  const dispatcher = createDispatcher<Child>();
  let isClosed = false;
  let failedStarts = 0;

  const remove = async (child: Child): Promise<void> => {
    child.kill();
    await child.gone;
    await removeTree(child.folder);
  };
  const add = async (): Promise<void> => {
    const child = await start();
    if (isClosed) return remove(child);
    living.add(child);
    void child.gone.then(() => replace(child));
    await child.ready;
    failedStarts = 0;
    dispatcher.offer(child);
  };
  const addAgain = (): void => {
    add().catch((error: unknown) => {
      failedStarts += 1;
      if (failedStarts >= mostFailedStarts) dispatcher.rejectAll(error);
    });
  };
  const replace = (child: Child): void => {
    living.delete(child);
    dispatcher.withdraw(child);
    // If this fails, the folder is removed with the pool's folder.
    remove(child).catch(() => undefined);
    if (isClosed) return;
    if (failedStarts < mostFailedStarts) addAgain();
    else setTimeout(addAgain, restMs).unref();
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    dispatcher.rejectAll(new Error('the engines are closed'));
    // If this fails, the folder is removed with the pool's folder.
    await Promise.allSettled([...living].map(remove));
  };

  const [failed] = (await Promise.allSettled(Array.from({ length: count }, () => add()))).filter(
    (outcome) => outcome.status === 'rejected',
  );
  if (failed !== undefined) {
    await close();
    throw failed.reason;
  }
  return {
    async take(signal) {
      signal?.throwIfAborted();
      if (isClosed) throw new Error('the engines are closed');
      return dispatcher.take(signal);
    },
    handBack(child) {
      if (living.has(child) && child.isUsable()) dispatcher.offer(child);
    },
    close,
  };
}
