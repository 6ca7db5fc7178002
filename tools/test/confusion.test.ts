/** A short confusion table: damaged images of a few kinds. The whole one is `npm run confusion`. */
import { expect, test } from 'vitest';
import { listReferences } from '../confusion/references.ts';
import { makeTable } from '../confusion/table.ts';

test('names every damage of a sample image and of an ME7 image, and repairs exactly those that can be undone', () => {
  const rows = makeTable(listReferences(false), () => undefined, true);
  const faults = rows.filter(
    ({ cases, right, wrongRepairs, silent }) =>
      cases === 0 || right < cases || wrongRepairs.length > 0 || silent.length > 0,
  );
  expect(faults).toEqual([]);
});
