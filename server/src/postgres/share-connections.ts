/** Lets queries that begin at the same time use the same connections instead of opening one each. */
import type pg from 'pg';

/**
 * Milliseconds that the first waiting query waits for a connection before it opens another one: that takes as long, and
 * a new connection has to read the description of each table again.
 */
const shareMs = 5;

/** The queue in front of a pool. */
export interface ConnectionSharing {
  /** Resolves when the pool has a free connection or should open one. */
  wait(): Promise<void>;
  /** A connection was returned to the pool. */
  returned(): void;
}

/** `size`: the number of connections at which the pool itself lets queries wait. */
export function shareConnections(
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
  size: number,
): ConnectionSharing {
  const queue: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const letFirst = (): void => {
    clearTimeout(timer);
    queue.shift()?.();
    timer = queue.length > 0 ? setTimeout(letFirst, shareMs) : undefined;
  };
  return {
    async wait() {
      const { totalCount, idleCount, waitingCount } = pool;
      if (totalCount === 0 || totalCount >= size || idleCount > waitingCount) return;
      const turn = Promise.withResolvers<void>();
      queue.push(turn.resolve);
      timer ??= setTimeout(letFirst, shareMs);
      await turn.promise;
    },
    returned: letFirst,
  };
}
