/** The order of reads for events: one at a time for each group, a few at once in total, and the groups take turns. */

export interface Turns {
  /**
   * Runs `work`, which must not throw, after everything that was added for the group before. A waiting job with the
   * same name is replaced and keeps its place: repeated announcements of one object need only one read.
   */
  add(group: object, name: string, work: () => Promise<void>): void;
}

/** Creates the order; at most `atOnce` jobs run at once, regardless of the number of groups. */
export function createTurns(atOnce: number): Turns {
  // in the order of their turns; a group stays while one of its jobs is running
  const waiting = new Map<object, Map<string, () => Promise<void>>>();
  const busy = new Set<object>();
  let running = 0;

  /** The first group whose turn it is; skips at most as many groups as are running. */
  const findNext = (): object | null => {
    for (const group of waiting.keys()) if (!busy.has(group)) return group;
    return null;
  };

  async function run(): Promise<void> {
    running += 1;
    for (let group = findNext(); group !== null; group = findNext()) {
      const works = waiting.get(group);
      const [first] = works ?? [];
      if (works !== undefined && first !== undefined) {
        const [name, work] = first;
        works.delete(name);
        busy.add(group);
        await work();
        busy.delete(group);
      }
      // the other groups come first
      waiting.delete(group);
      if (works !== undefined && works.size > 0) waiting.set(group, works);
    }
    running -= 1;
  }

  return {
    add(group, name, work) {
      const works = waiting.get(group) ?? new Map<string, () => Promise<void>>();
      works.set(name, work);
      waiting.set(group, works);
      if (running < atOnce && !busy.has(group)) void run();
    },
  };
}
