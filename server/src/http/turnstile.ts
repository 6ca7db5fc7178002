/** Lets at most so many of one group in at once; who comes too many waits a little, then is turned away. */

/** How many of one group are let in at once, and who may wait for a place. */
export interface Places {
  readonly atOnce: number;
  /** Milliseconds that somebody waits for a place. */
  readonly waitMs: number;
  /** How many may wait; without it as many as come. */
  readonly mostWaiting?: number;
}

export interface Turnstile {
  /** Enters; gives what must be called on leaving. Gives null when no place came free in time. */
  enter(group: string): Promise<(() => void) | null>;
}

/** A turnstile with these places for each group; whoever finds it full waits, in order. */
export function createTurnstile({ atOnce, waitMs, mostWaiting = Infinity }: Places): Turnstile {
  const inside = new Map<string, number>();
  const waiting = new Map<string, Set<() => void>>();

  const leave = (group: string): void => {
    const queue = waiting.get(group);
    const [next] = queue ?? [];
    if (queue !== undefined && next !== undefined) {
      // The place is handed on: the number inside stays as it is.
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
