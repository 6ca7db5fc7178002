/**
 * Measures every list, and the check of an access token, with 100,000 rows, compared with 1,000, interleaved in the same
 * run, with the embedded database. That they read the same number of rows is a test (`server/test/lists`).
 * `node bench/lists/lists.ts`
 */
import { fillLists } from '../../server/test/lists/fill.ts';
import { type OpenLists, openLists } from '../../server/test/lists/lists.ts';
import { openNewDemo } from '../support/demo.ts';
import { timeInTurn } from '../support/time.ts';

/** How much longer a list may take with many slots (median). */
const allowed = 1.5;
const [few, many] = [1000, 100_000];
const times = { rounds: 101, warmUps: 10 };

async function open(count: number): Promise<OpenLists> {
  const { platform, close } = await openNewDemo();
  const { lists, stop } = await openLists(platform, await fillLists(platform, count));
  return {
    lists,
    async stop() {
      await stop();
      await close();
    },
  };
}

const [small, large] = [await open(few), await open(many)];
for (const name of Object.keys(small.lists)) {
  const { floor, time } = await timeInTurn(
    { floor: () => small.lists[name]?.(), time: () => large.lists[name]?.() },
    times,
  );
  const ratio = time / floor;
  const verdict = ratio <= allowed ? 'kept' : 'BROKEN';
  console.log(
    `${name}: ${floor.toFixed(2)} ms with ${few} slots, ${time.toFixed(2)} ms with ${many}: ${ratio.toFixed(2)}× (at most ${allowed}×) ${verdict}`,
  );
  if (ratio > allowed) process.exitCode = 1;
}
for (const one of [small, large]) await one.stop();
