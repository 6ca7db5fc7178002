/**
 * The program of `npm run chaos`: kills an installation at random while users decode and encode, and proves that
 * nothing was lost. `--kills 200`, `--layout embedded` or `--layout "roles apart"`; `--seed` repeats the decisions of a
 * run.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runChaos } from './chaos.ts';
import { type Layout, layouts } from './installation.ts';

const usualKills = '200';

interface Wanted {
  readonly kills: number;
  readonly seed: string;
  readonly chosen: readonly Layout[];
}

function readWords(words: readonly string[]): Wanted | string {
  const { values } = parseArgs({
    args: [...words],
    options: {
      kills: { type: 'string', default: usualKills },
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      layout: { type: 'string' },
    },
  });
  const kills = Number(values.kills);
  if (!Number.isInteger(kills) || kills < 0) return '--kills must be a whole number.';
  const chosen = layouts.filter((one) => values.layout === undefined || values.layout === one);
  if (chosen.length === 0) return `--layout must be one of: ${layouts.join(', ')}.`;
  return { kills, seed: values.seed, chosen };
}

/** Runs each layout; returns the exit code. */
async function run(words: readonly string[]): Promise<number> {
  const wanted = readWords(words);
  if (typeof wanted === 'string') {
    process.stderr.write(`${wanted}\n`);
    return 2;
  }
  const { kills, seed, chosen } = wanted;
  let hasPassed = true;
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  for (const layout of chosen) {
    say(`${layout}: ${kills} kills, seed ${seed}`);
    const { faults, ...figures } = await runChaos({ layout, seed, kills, say });
    say(JSON.stringify(figures, null, 2));
    for (const fault of faults) say(`✗ ${fault}`);
    say(`${faults.length === 0 ? '✓' : '✗'} ${layout}, seed ${seed}`);
    hasPassed &&= faults.length === 0;
  }
  return hasPassed ? 0 : 1;
}

process.exitCode = await run(process.argv.slice(2));
