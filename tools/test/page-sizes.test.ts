/**
 * Each page stays within its budget, with every commit: one import in the wrong place can double what a phone loads.
 */
import { expect, test } from 'vitest';
import { weighPages } from '../audit/page-sizes.ts';

const sizes = weighPages();

test('there are budgets for home, the device pages, the sign-in, the check of a receipt, the settings of programs, jobs, the administration, the account and the setup', () => {
  expect(sizes.map(({ budget }) => budget).filter((budget) => budget !== 250_000)).toEqual([
    161_000, 189_000, 20_000, 20_000, 167_000, 165_000, 159_000, 183_000, 202_000, 175_000, 208_000,
    233_000, 246_000, 242_000,
  ]);
});

test('a page without a line of its own has the budget of every page, and only one that needs no other texts', () => {
  const added = sizes.filter(({ name }) => name.endsWith('-page'));
  expect(added).toMatchObject([{ name: 'not-found-page', budget: 250_000 }]);
});

test.each(sizes)('$name stays within its budget', ({ weight, budget }) => {
  expect(weight).toBeGreaterThan(0);
  expect(weight).toBeLessThanOrEqual(budget);
});
