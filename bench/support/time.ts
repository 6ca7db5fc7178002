/** Measures how long actions take. */
import { median } from './median.ts';

/** Milliseconds of one run. */
export async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Milliseconds of each action (median). The actions take turns, so that load on the machine affects all of them
 * equally. Warm-ups have negative rounds.
 */
export async function timeInTurn<Name extends string>(
  actions: Readonly<Record<Name, (round: number) => unknown>>,
  { rounds, warmUps }: { readonly rounds: number; readonly warmUps: number },
): Promise<Readonly<Record<Name, number>>> {
  const entries = (Object.keys(actions) as Name[]).map((name) => ({ name, times: [] as number[] }));
  for (let round = -warmUps; round < rounds; round += 1)
    for (const { name, times } of entries) {
      const time = await timeOf(() => actions[name](round));
      if (round >= 0) times.push(time);
    }
  const medians = entries.map(({ name, times }) => [name, median(times)]);
  return Object.fromEntries(medians) as Record<Name, number>;
}
