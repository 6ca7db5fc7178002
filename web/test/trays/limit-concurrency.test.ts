/** Calls wait for their turn. */
import { expect, test } from 'vitest';
import { limitConcurrency } from '../../src/features/trays/limit-concurrency.ts';

test('calls begin in order and within the limit, even after one has failed', async () => {
  const limited = limitConcurrency(2);
  const begun: number[] = [];
  const calls = [0, 1, 2, 3].map((number) => {
    const end = Promise.withResolvers<number>();
    const result = limited(() => {
      begun.push(number);
      return end.promise;
    });
    return { end, result };
  });
  expect(begun).toEqual([0, 1]);
  calls[1]?.end.reject(new Error('this one fails'));
  await expect(calls[1]?.result).rejects.toThrow('this one fails');
  expect(begun).toEqual([0, 1, 2]);
  for (const [number, { end }] of calls.entries()) end.resolve(number);
  expect(await calls[3]?.result).toBe(3);
  expect(begun).toEqual([0, 1, 2, 3]);
  expect(await limited(() => Promise.resolve('later'))).toBe('later');
});
