/**
 * Kills an installation at random while users of several organisations decode and encode, and proves at the end that
 * nothing was lost, nothing happened twice, and nothing needed manual repair.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Actor, type Cast, createCast } from './actors.ts';
import { type Journal, openJournal, runCycle } from './cycles.ts';
import { openPatientDatabase } from './database.ts';
import { type Installation, type Layout, openInstallation } from './installation.ts';
import { drawTargets, killAll } from './kills.ts';
import { listDeadPools, listProcessesOf } from './processes.ts';
import { countTotals, type Evidence, findFaults, type Totals } from './proof.ts';
import { openRandom } from './random.ts';
import { until } from './until.ts';

export interface ChaosOptions {
  readonly layout: Layout;
  /** Decides what is killed when, and which files are decoded and encoded. */
  readonly seed: string;
  readonly kills: number;
  /** Cycles that run at the same time. */
  readonly lanes?: number;
  /** Cycles that run at least, however few kills there are. */
  readonly cycles?: number;
  /** Reports progress. */
  readonly say?: (line: string) => void;
  /** Called after the last cycle and before the proof. Tests of the proof damage something here. */
  readonly beforeProof?: (evidence: Evidence) => Promise<void>;
}

/** The result of a run. */
export interface ChaosReport extends Totals {
  /** What is wrong; empty if everything is as promised. */
  readonly faults: readonly string[];
  readonly kills: Readonly<Record<string, number>>;
  readonly cycles: number;
  /** Requests that were repeated because they got no response, or a temporary refusal. */
  readonly lostResponses: number;
  readonly refusals: number;
  readonly seconds: number;
}

/** Cycles one after the other on each lane, until they are told to stop; a lane that fails stops them all. */
function startLanes({ seed, lanes = 6, cycles = 0 }: ChaosOptions, cast: Cast, journal: Journal) {
  const faults: string[] = [];
  let isEnough = false;
  let next = 0;
  const lane = async (): Promise<void> => {
    while ((!isEnough || next < cycles) && faults.length === 0) {
      const index = next;
      next += 1;
      const actor = cast.actors[index % cast.actors.length] as Actor;
      await runCycle(actor, journal, `${seed}/cycle ${index}`).catch((error: unknown) =>
        faults.push(`cycle ${index} of ${actor.name}: ${String(error)}`),
      );
    }
  };
  const ended = Promise.all(Array.from({ length: lanes }, lane));
  return {
    faults,
    hasFailed: () => faults.length > 0,
    async finish(): Promise<void> {
      isEnough = true;
      await ended;
    },
  };
}

const program = fileURLToPath(import.meta.resolve('../../../recodery.mjs'));

/** The errors that `recodery doctor` reports. */
async function askDoctor({ environment }: Installation): Promise<readonly string[]> {
  const env = { PATH: process.env['PATH'], ...environment };
  return promisify(execFile)(process.execPath, [program, 'doctor'], { env }).then(
    () => [],
    (error: unknown) => [`doctor: ${(error as { stdout?: string }).stdout ?? String(error)}`],
  );
}

/** Shuts the installation down; returns what a shutdown must not leave behind. */
async function shutDown(installation: Installation): Promise<readonly string[]> {
  const { dataDir } = installation.config;
  const pools = await listDeadPools(dataDir);
  await installation.stop();
  const left = await until('all processes have ended', async () => {
    const found = listProcessesOf(dataDir);
    return found.length === 0 ? found : null;
  }).catch(() => listProcessesOf(dataDir));
  return [
    ...pools.map((name) => `the folder ${name} of a dead engine pool is left`),
    ...left.map((command) => `a process is left: ${command}`),
  ];
}

/** Runs the test. The report's `faults` decide. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { layout, seed, say = () => undefined } = options;
  const began = performance.now();
  const incidents: string[] = [];
  const report = (incident: string) => void incidents.push(incident);
  const installation = await openInstallation(layout, { report });
  const database = openPatientDatabase(installation.databaseUrl);
  try {
    const cast = await createCast(installation);
    const journal = openJournal();
    const evidence = { installation, database, cast, journal };
    const lanes = startLanes(options, cast, journal);
    const random = openRandom(`${seed}/kills`);
    const targets = drawTargets(layout, random, options.kills);
    const isOver = () => lanes.hasFailed() || incidents.length > 0;
    const kills = await killAll({ installation, database, random, say }, targets, isOver);
    await lanes.finish();
    await installation.becomesReady();
    await options.beforeProof?.(evidence);
    const faults = [...lanes.faults];
    // a failed cycle without its end leaves nothing that could be verified
    if (faults.length === 0) faults.push(...(await findFaults(evidence)));
    faults.push(...(await askDoctor(installation)));
    const totals = await countTotals(evidence);
    faults.push(...(await shutDown(installation)), ...incidents);
    return {
      faults,
      ...totals,
      kills: Object.fromEntries(kills),
      cycles: journal.cycles,
      lostResponses: journal.repeats.lost,
      refusals: journal.repeats.refused,
      seconds: Math.round((performance.now() - began) / 1000),
    };
  } finally {
    await database.end();
    await installation.stop();
    await installation.remove();
  }
}
