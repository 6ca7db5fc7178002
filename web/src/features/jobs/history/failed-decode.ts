/** Which failure of a job is the reason why it has not been decoded. */
import type { JobFailure } from '@recodery/contract/features/jobs/job-history';
import type { Job } from '@recodery/contract/features/jobs/jobs';

/** The decode that failed last, if none has succeeded. */
export function decodeFailureOf({
  decodeOperationGUID,
  isDecoding,
  failures = [],
}: Pick<Job, 'decodeOperationGUID' | 'isDecoding' | 'failures'>): JobFailure | null {
  if (decodeOperationGUID !== null || isDecoding === true) return null;
  return failures.findLast(({ isDecode }) => isDecode) ?? null;
}
