/** Limits how many enter at once, of each group and of all; others wait in order, for as long as they may. */

/** How many can enter at once, and how many can wait. */
export interface Places {
  /** Of one group. */
  readonly atOnce: number;
  /** Of all groups; unlimited by default. A group that has its places leaves the others room. */
  readonly total?: number;
  /** Milliseconds to wait for a place; unlimited by default. */
  readonly waitMs?: number | undefined;
  /** How many of one group can wait; unlimited by default. */
  readonly mostWaiting?: number;
}

export interface Semaphore<G = string> {
  /**
   * Enters; returns a function that must be called on leaving, or null when no place became free in time. @throws the
   * signal's reason, when it is aborted before
   */
  enter(group: G, signal?: AbortSignal): Promise<(() => void) | null>;
}

interface Waiting<G> {
  readonly group: G;
  admit(): void;
}

/** A semaphore with these places; those who wait enter in order, as soon as their group has a place. */
export function createSemaphore<G = string>(places: Places): Semaphore<G> {
  const { atOnce, total = Infinity, waitMs, mostWaiting = Infinity } = places;
  const inside = new Map<G, number>();
  const waiting = new Set<Waiting<G>>();
  let all = 0;
  const insideOf = (group: G): number => inside.get(group) ?? 0;
  const hasPlace = (group: G): boolean => all < total && insideOf(group) < atOnce;

  const take = (group: G): (() => void) => {
    all += 1;
    inside.set(group, insideOf(group) + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      all -= 1;
      const left = insideOf(group) - 1;
      if (left === 0) inside.delete(group);
      else inside.set(group, left);
      // one place is free: at most one can enter
      for (const one of waiting) if (hasPlace(one.group)) return one.admit();
    };
  };

  return {
    async enter(group, signal) {
      signal?.throwIfAborted();
      if (hasPlace(group)) return take(group);
      if (mostWaiting < Infinity) {
        const count = [...waiting].filter((one) => one.group === group).length;
        if (count >= mostWaiting) return null;
      }
      return new Promise((resolve, reject) => {
        const end = (): void => {
          waiting.delete(one);
          clearTimeout(timer);
          signal?.removeEventListener('abort', abort);
        };
        const abort = (): void => {
          end();
          reject(signal?.reason);
        };
        const one: Waiting<G> = {
          group,
          admit() {
            end();
            resolve(take(group));
          },
        };
        const giveUp = (): void => {
          end();
          resolve(null);
        };
        const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
        signal?.addEventListener('abort', abort);
        waiting.add(one);
      });
    },
  };
}
