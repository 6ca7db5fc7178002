/** "See more" is offered only if there are older operations, even if the last page is full. */
import type { OperationSummary } from '@recodery/contract/features/operations';
import { expect, test } from 'vitest';
import { lastOperationsQuery } from '../../src/features/last-operations/operation-list.ts';

const operations = (count: number): OperationSummary[] =>
  Array.from({ length: count }, (_, at) => ({ guid: `operation ${at}` }) as OperationSummary);

const nextOf = (page: OperationSummary[], before: string | null): string | null | undefined =>
  lastOperationsQuery.getNextPageParam(page, [page], before, [before]);

test.each([
  { received: 6, before: null, next: null },
  { received: 7, before: null, next: 'operation 5' },
  { received: 20, before: 'a', next: null },
  { received: 21, before: 'a', next: 'operation 19' },
])('$received operations after $before continue with $next', ({ received, before, next }) => {
  expect(nextOf(operations(received), before)).toBe(next);
});

test('the operation that shows whether there are more is not listed twice', () => {
  const data = { pages: [operations(7), operations(21)], pageParams: [null, 'a'] };
  const shown = lastOperationsQuery.select?.(data) as unknown as typeof data;
  expect(shown.pages.map(({ length }) => length)).toEqual([6, 20]);
});
