/** What the chaos test kills, and when: at random moments while operations run. */
import { setTimeout as wait } from 'node:timers/promises';
import { maxDeaths } from '../../src/operations/operation-rules.ts';
import { findEngines } from '../fixtures/recodery-process.ts';
import type { PatientDatabase } from './database.ts';
import type { Installation, Layout } from './installation.ts';
import { kill } from './processes.ts';
import { type Random, shuffle } from './random.ts';
import type { Supervised } from './supervisor.ts';
import { until } from './until.ts';

/**
 * An engine, one process, its whole group, a connection's process in the database, its main process, or all at once.
 */
type Target = 'engine' | 'process' | 'group' | 'connection' | 'database' | 'everything';

/** Ten kills in random order. An installation with separate roles has three processes; an embedded one has one. */
const decks: Readonly<Record<Layout, readonly Target[]>> = {
  embedded: [
    ...(['engine', 'engine', 'engine', 'connection', 'connection'] as const),
    ...(['database', 'process', 'process', 'group', 'everything'] as const),
  ],
  'roles apart': [
    ...(['engine', 'engine', 'connection', 'connection', 'database'] as const),
    ...(['process', 'process', 'process', 'group', 'everything'] as const),
  ],
};

/** Milliseconds within which the embedded database may be killed at most `most` times: it gives up after five. */
const endurance = { most: 4, within: 60_000 };

export interface Monkey {
  readonly installation: Installation;
  readonly database: PatientDatabase;
  readonly random: Random;
  say(line: string): void;
}

/** Picks the targets for this number of kills at random. */
export function drawTargets(layout: Layout, random: Random, count: number): readonly Target[] {
  const targets: Target[] = [];
  while (targets.length < count) targets.push(...shuffle(random, decks[layout]));
  return targets.slice(0, count);
}

/** Kills the targets one after the other; returns how often each was killed. `isOver` ends it early. */
export async function killAll(
  monkey: Monkey,
  targets: readonly Target[],
  isOver: () => boolean,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const databaseKills: number[] = [];
  for (const [index, target] of targets.entries()) {
    // sometimes the next kill finds everything just starting
    const isAtOnce = monkey.random.below(5) === 0;
    const pause = monkey.random.below(1500);
    if (!isAtOnce) await waitForWork(monkey, isOver);
    await wait(pause);
    if (isOver()) break;
    if (target === 'database') await rest(databaseKills);
    const name = await killOne(monkey, target);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    monkey.say(`kill ${index + 1} of ${targets.length}: ${name}`);
  }
  return counts;
}

/** Waits until everything runs, and at least one operation is being worked on. */
async function waitForWork(
  { installation, database }: Monkey,
  isOver: () => boolean,
): Promise<void> {
  await until('an operation runs', async () => {
    if (isOver()) return true;
    await installation.becomesReady();
    const unfinished = await database.listUnfinished();
    return unfinished.some(({ status }) => status === 'running') || null;
  });
}

/** Waits until the database has had enough time since the previous kills. */
async function rest(kills: number[]): Promise<void> {
  const before = kills.at(-endurance.most);
  const now = performance.now();
  if (before !== undefined) await wait(Math.max(0, before + endurance.within - now));
  kills.push(performance.now());
}

/** Kills one target; returns what it was. */
async function killOne(monkey: Monkey, target: Target): Promise<string> {
  const { installation, database, random } = monkey;
  const draw = (): Supervised => random.pick(installation.processes);
  switch (target) {
    case 'engine':
      return killEngine(monkey);
    case 'process':
    case 'group': {
      await waitUntilMostlyAlive(monkey);
      const victim = draw();
      await victim.kill(target);
      return target === 'group' ? `${victim.name} with its group` : victim.name;
    }
    case 'connection': {
      const pids = await database.listBackends();
      const pid = pids[random.below(Math.max(1, pids.length))];
      if (pid !== undefined) kill(pid);
      return 'a process of the database';
    }
    case 'database':
      await installation.killDatabase();
      return 'the database';
    case 'everything':
      await waitUntilMostlyAlive(monkey);
      await Promise.all([
        installation.killDatabase(),
        ...installation.processes.map((one) => one.kill('group')),
      ]);
      return 'everything at once';
  }
}

/**
 * Kills an engine. An operation whose engine was killed twice fails, because its file may be the cause: so no operation
 * that has already lost its engine may be left.
 */
async function killEngine({ installation, database, random }: Monkey): Promise<string> {
  return until('an engine runs', async () => {
    const unfinished = await database.listUnfinished();
    if (unfinished.some(({ crashes }) => crashes > 0)) return null;
    const engines = installation.processes.flatMap((one) => findEngines({ pid: one.pid() }));
    const pid = engines[random.below(Math.max(1, engines.length))];
    return pid !== undefined && kill(pid) ? 'an engine' : null;
  });
}

/** An operation whose worker has died three times fails: no operation may be left that has lost two. */
async function waitUntilMostlyAlive({ database }: Monkey): Promise<void> {
  await until('no operation has lost two workers', async () => {
    const unfinished = await database.listUnfinished();
    return unfinished.every(({ lost_workers }) => lost_workers.length < maxDeaths - 1) || null;
  });
}
