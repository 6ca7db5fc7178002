/** The fingerprints of a read, requested when the first file is dropped. */
import { getFingerprints } from '@recodery/contract/fingerprints';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../../api/call.ts';
import type { DecodedRead } from '../../decoded-read.ts';
import type { Inputs } from '../../inputs.ts';

/** They change only with the original file: the decoded images stay as they are. */
export function fingerprintsQuery({ slotGUID }: DecodedRead, { parts }: Inputs) {
  const original = parts['original'];
  const originalGUID = original?.at === 'complete' ? original.fileGUID : null;
  return queryOptions({
    queryKey: ['code', 'fingerprints', slotGUID, originalGUID],
    queryFn: async ({ signal }) =>
      (await call(getFingerprints, { params: { slotGUID } }, { signal })).parts,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
