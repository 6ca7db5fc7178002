/**
 * What the pre-flight says is what the slave gets, at seeded places of every component of every protocol.
 * `RECODERY_LONG_TESTS=on` visits thousands of others each time.
 */

import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { sweep } from './sweep.ts';

const isLong = process.env['RECODERY_LONG_TESTS'] === 'on';
const places = isLong ? 3000 : 84;
/** Milliseconds that no sweep takes, even on a busy machine. */
const timeout = 600_000 + places * 2000;
/** Other places before each release. A failure is repeated with the printed seed in place of this one. */
const seed = isLong ? randomInt(2 ** 31) : 27;

// promise 5.preflight.overwritten, 5.preflight.protected, 5.preflight.red
test('no changed byte is lost or protected without a word from the checks', { timeout }, () => {
  const { broken, ...figures } = sweep(places, seed);
  console.log({ seed, ...figures, broken: broken.length });
  expect(broken).toEqual([]);
  expect(figures.places).toBeGreaterThanOrEqual(places);
  // the places reach every kind of result
  for (const status of ['green', 'amber', 'red', 'overwritten'] as const) {
    expect(figures[status]).toBeGreaterThan(0);
  }
});
