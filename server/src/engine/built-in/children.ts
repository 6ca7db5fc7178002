/** Keeps a number of engine processes alive, hands out free ones in order, and replaces those that have exited. */
import { settleAll } from '../../config/settle-all.ts';
import type { EngineChild } from './child.ts';
import { removeTree } from './remove-tree.ts';

/** The running children. */
export interface Children<Child extends EngineChild> {
  /**
   * A free child, in the order of the calls, that has worked for no other organisation.
   * @throws the signal's reason; or when no more can be started
   */
  take(organisation: string, signal: AbortSignal | undefined): Promise<Child>;
  /** Releases the child; one that has exited or is exiting is replaced instead. */
  handBack(child: Child): void;
  /** Terminates all of them. */
  close(): Promise<void>;
}

/** Consecutive failed starts after which the program is considered broken. */
const mostFailedStarts = 3;
/** Milliseconds until it is retried anyway. */
const restMs = 1_000;

/** Children beyond those that work: ready for an organisation that has none. */
const spare = 1;

function forget<T>(list: T[], one: T): void {
  const index = list.indexOf(one);
  if (index >= 0) list.splice(index, 1);
}

/**
 * The free children, and whose they are. A child that has worked for an organisation never works for another: code of a
 * file could have stayed in it.
 */
function createFree<Child extends EngineChild>(most: number) {
  /** Those that have been offered and live. */
  const ready = new Set<Child>();
  const free: Child[] = [];
  const owners = new Map<Child, string>();
  const withdraw = (child: Child): void => {
    ready.delete(child);
    owners.delete(child);
    forget(free, child);
  };
  return {
    withdraw,
    add(child: Child): void {
      ready.add(child);
      free.push(child);
    },
    /** Takes a child for an organisation: its own if possible, else a new one. */
    takeFor(organisation: string): Child | undefined {
      const child =
        free.find((one) => owners.get(one) === organisation) ??
        free.find((one) => !owners.has(one));
      if (child === undefined) return undefined;
      forget(free, child);
      owners.set(child, organisation);
      return child;
    },
    /** Has one child always be new, or on its way: the next organisation rarely waits for its start. */
    renew(): void {
      const isAllUsed = ready.size === most + spare && free.every((child) => owners.has(child));
      const [oldest] = free;
      if (!isAllUsed || oldest === undefined) return;
      withdraw(oldest);
      oldest.kill();
    },
  };
}

/** A caller that waits for a child. */
interface Waiting<Child> {
  readonly organisation: string;
  readonly child: PromiseWithResolvers<Child>;
}

/** Gives children to waiting callers in order, at most `most` at the same time. */
function createDispatcher<Child extends EngineChild>(most: number) {
  const free = createFree<Child>(most);
  const queue: Waiting<Child>[] = [];
  let taken = 0;
  const dispatch = (): void => {
    for (let [next] = queue; next !== undefined && taken < most; [next] = queue) {
      const child = free.takeFor(next.organisation);
      if (child === undefined) break;
      queue.shift();
      taken += 1;
      next.child.resolve(child);
    }
    free.renew();
  };
  return {
    withdraw: free.withdraw,
    offer(child: Child): void {
      free.add(child);
      dispatch();
    },
    /** A caller no longer uses its child. */
    release(): void {
      taken -= 1;
      dispatch();
    },
    rejectAll(error: unknown): void {
      for (const { child } of queue.splice(0)) child.reject(error);
    },
    async take(organisation: string, signal: AbortSignal | undefined): Promise<Child> {
      const waiting = { organisation, child: Promise.withResolvers<Child>() };
      queue.push(waiting);
      dispatch();
      const abort = (): void => {
        forget(queue, waiting);
        waiting.child.reject(signal?.reason);
        dispatch();
      };
      signal?.addEventListener('abort', abort);
      return waiting.child.promise.finally(() => signal?.removeEventListener('abort', abort));
    },
  };
}

/** Ends a child, and deletes what it leaves behind. */
async function remove(child: EngineChild): Promise<void> {
  child.kill();
  await child.gone;
  await removeTree(child.folder);
}

/** Starts and removals that have not ended: one that continued after the pool is closed could make the pool's folder again. */
function createBusy() {
  const all = new Set<Promise<void>>();
  return {
    /** Has `wait` wait for this work, however it ends. */
    track(work: Promise<void>): void {
      const tracked = work.catch(() => undefined).finally(() => all.delete(tracked));
      all.add(tracked);
    },
    /** Resolves when all work has ended. */
    async wait(): Promise<void> {
      while (all.size > 0) await Promise.all(all);
    },
  };
}

/** Kills all processes; their folders are removed as after any other end. Resolves when they have exited. */
async function killAll(living: ReadonlySet<EngineChild>): Promise<void> {
  const ends = [...living].map(({ gone }) => gone);
  for (const child of living) child.kill();
  await Promise.all(ends);
}

/** Starts one child more than `count`, which can be taken at the same time, and keeps them running. @throws when they exit before they are ready */
export async function keepChildren<Child extends EngineChild>(
  count: number,
  start: () => Promise<Child>,
): Promise<Children<Child>> {
  const living = new Set<Child>();
  const dispatcher = createDispatcher<Child>(count);
  const busy = createBusy();
  let isClosed = false;
  let failedStarts = 0;

  const add = async (): Promise<void> => {
    // without a child there is none whose end would start another
    const child = await start().catch((error: unknown) => {
      setTimeout(addAgain, restMs).unref();
      throw error;
    });
    if (isClosed) return remove(child);
    living.add(child);
    void child.gone.then(() => replace(child));
    await child.ready;
    failedStarts = 0;
    dispatcher.offer(child);
  };
  const addAgain = (): void => {
    if (isClosed) return;
    const fail = (error: unknown): void => {
      failedStarts += 1;
      if (failedStarts >= mostFailedStarts) dispatcher.rejectAll(error);
    };
    busy.track(add().catch(fail));
  };
  const replace = (child: Child): void => {
    living.delete(child);
    dispatcher.withdraw(child);
    // If this fails, the folder is removed with the pool's folder.
    busy.track(remove(child));
    if (isClosed) return;
    if (failedStarts < mostFailedStarts) addAgain();
    else setTimeout(addAgain, restMs).unref();
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    dispatcher.rejectAll(new Error('the engines are closed'));
    await killAll(living).then(busy.wait);
  };

  await settleAll(Array.from({ length: count + spare }, add)).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    async take(organisation, signal) {
      signal?.throwIfAborted();
      if (isClosed) throw new Error('the engines are closed');
      return dispatcher.take(organisation, signal);
    },
    handBack(child) {
      if (living.has(child) && child.isUsable()) dispatcher.offer(child);
      dispatcher.release();
    },
    close,
  };
}
