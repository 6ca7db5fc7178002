/**
 * What the pre-flight says is what the slave gets, at seeded places of every component of every protocol.
 * `RECODERY_LONG_TESTS=on` visits thousands.
 */

import { expect, test } from 'vitest';
import { sweep } from './sweep.ts';

const places = process.env['RECODERY_LONG_TESTS'] === 'on' ? 3000 : 84;
/** Milliseconds that no sweep takes, even on a busy machine. */
const timeout = 600_000 + places * 2000;
const seed = 27;

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
