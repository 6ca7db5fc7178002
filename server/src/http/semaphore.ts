/** A semaphore for each group: limits how many enter at once; others wait briefly, then are refused. */

/** How many of one group can enter at once, and how many can wait. */
export interface Places {
  readonly atOnce: number;
  /** Milliseconds to wait for a place. */
  readonly waitMs: number;
  /** How many can wait; unlimited by default. */
  readonly mostWaiting?: number;
}

export interface Semaphore {
  /** Enters; returns a function that must be called on leaving, or null when no place became free in time. */
  enter(group: string): Promise<(() => void) | null>;
}

/** A semaphore with these places for each group; callers wait in order when it is full. */
export function createSemaphore({ atOnce, waitMs, mostWaiting = Infinity }: Places): Semaphore {
  const inside = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();

  const leave = (group: string): void => {
    const queue = waiting.get(group);
    const [next] = queue ?? [];
    if (queue !== undefined && next !== undefined) {
      // The place passes to the next caller, so the count does not change.
      queue.delete(next);
      next();
      return;
    }
    const left = (inside.get(group) ?? 1) - 1;
    if (left === 0) inside.delete(group);
    else inside.set(group, left);
  };

  const pass = (group: string): (() => void) => {
    let isInside = true;
    return () => {
      if (isInside) leave(group);
      isInside = false;
    };
  };

  return {
    async enter(group) {
      const count = inside.get(group) ?? 0;
      if (count < atOnce) {
        inside.set(group, count + 1);
        return pass(group);
      }
      const queue = waiting.get(group) ?? new Set();
      if (queue.size >= mostWaiting) return null;
      waiting.set(group, queue);
      return new Promise((resolve) => {
        const admitted = (): void => {
          clearTimeout(timer);
          if (queue.size === 0) waiting.delete(group);
          resolve(pass(group));
        };
        const timer = setTimeout(() => {
          queue.delete(admitted);
          if (queue.size === 0) waiting.delete(group);
          resolve(null);
        }, waitMs);
        queue.add(admitted);
      });
    },
  };
}
