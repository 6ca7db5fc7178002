/** What happened to a job's files: failures, sendings and downloads. */
import type { JobFailure } from '@recodery/contract/features/jobs';
import {
  DecodeFailure,
  decodeFailureOf,
  FailedEncodes,
} from '../src/features/jobs/job-failures.tsx';
import { guidOf } from './answers.ts';
import { Part, State } from './state.tsx';

const now = new Date();
const hoursAgo = (hours: number): string =>
  new Date(now.getTime() - hours * 3_600_000).toISOString();

const failure: JobFailure = {
  operationGUID: guidOf(30),
  isDecode: true,
  completedOn: hoursAgo(2),
  userDisplayName: 'Anna Conti',
  error: { errorName: 'KESS3_DECRYPT_ERROR', detail: null, cause: 'FILE_CORRUPTED' },
};
const encodeFailures: readonly JobFailure[] = [
  {
    ...failure,
    operationGUID: guidOf(31),
    isDecode: false,
    error: {
      errorName: 'KESS3_CHECKSUM_ERROR',
      detail: 'Flash',
      cause: 'CHECKSUM_UNCORRECTABLE',
    },
  },
  {
    ...failure,
    operationGUID: guidOf(32),
    isDecode: false,
    completedOn: hoursAgo(30),
    userDisplayName: null,
    error: { errorName: 'FROM_A_NEWER_SERVER', detail: null },
  },
];
const failed = decodeFailureOf({ decodeOperationGUID: null, failures: [failure] }) ?? failure;

export function HistoryParts() {
  return (
    <Part file="features/jobs/job-failures.tsx">
      <State name="decode">
        <DecodeFailure failure={failed} page="/kess3" />
      </State>
      <State name="decode, without access to the page">
        <DecodeFailure failure={failed} page={null} />
      </State>
      <State name="encodes">
        <FailedEncodes failures={encodeFailures} now={now} />
      </State>
    </Part>
  );
}
