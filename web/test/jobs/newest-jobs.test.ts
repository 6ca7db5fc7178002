/** New jobs appear at the top of a list whose other pages are not requested again. */
import type { JobSummary } from '@recodery/contract/features/jobs/jobs';
import { expect, test } from 'vitest';
import { withNewest } from '../../src/features/jobs/list/newest-jobs.ts';

/** A page of jobs with these numbers. */
const page = (...numbers: readonly number[]): JobSummary[] =>
  numbers.map((number) => ({ slotGUID: String(number) }) as JobSummary);

test.each([
  ['nothing is new', [page(9, 8, 7), page(6, 5)], page(9, 8, 7), [page(9, 8, 7), page(6, 5)]],
  ['two jobs are new', [page(9, 8, 7), page(6)], page(11, 10, 9), [page(11, 10, 9, 8, 7), page(6)]],
  ['the only page grows', [page(9, 8, 7)], page(10, 9, 8), [page(10, 9, 8, 7)]],
  ['a job was deleted', [page(9, 8, 7), page(6, 5, 4)], page(9, 7, 6), [page(9, 7, 6, 5, 4)]],
  ['all that is listed is older', [page(3, 2, 1)], page(9, 8, 7), [page(9, 8, 7)]],
  ['the oldest job of a short list was deleted', [page(9, 8, 7)], page(9, 8), [page(9, 8)]],
  ['the list has become short', [page(9, 8, 7), page(6)], page(9, 7), [page(9, 7)]],
  ['no job is left', [page(3, 2, 1)], page(), [page()]],
  ['the first job is decoded', [page()], page(1), [page(1)]],
])('when %s', (_when, pages, newest, expected) => {
  expect(withNewest(pages, newest, 3)).toEqual(expected);
});
