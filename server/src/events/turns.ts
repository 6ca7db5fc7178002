/** The order of reads for events: one at a time for each group, a few at once in total, and the groups take turns. */
import { createSemaphore } from '../config/semaphore.ts';

export interface Turns {
  /**
   * Runs `work`, which must not throw, after everything that was added for the group before. A waiting job with the
   * same name is replaced and keeps its place: repeated announcements of one object need only one read.
   */
  add(group: object, name: string, work: () => Promise<void>): void;
}

/** Creates the order; at most `atOnce` jobs run at once, regardless of the number of groups. */
export function createTurns(atOnce: number): Turns {
  const semaphore = createSemaphore<object>({ atOnce: 1, total: atOnce });
  const waiting = new Map<object, Map<string, () => Promise<void>>>();

  /** Runs the jobs of a group. It waits again before each of them, so that the other groups come first. */
  async function run(group: object, works: Map<string, () => Promise<void>>): Promise<void> {
    while (works.size > 0) {
      const leave = await semaphore.enter(group);
      for (const [name, work] of [...works].slice(0, 1)) {
        works.delete(name);
        await work();
      }
      leave?.();
    }
    waiting.delete(group);
  }

  return {
    add(group, name, work) {
      const works = waiting.get(group);
      if (works !== undefined) {
        works.set(name, work);
        return;
      }
      const first = new Map([[name, work]]);
      waiting.set(group, first);
      void run(group, first);
    },
  };
}
