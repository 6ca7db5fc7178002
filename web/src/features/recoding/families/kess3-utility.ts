/** The page of the KESS3 utility: KESS3 with its own texts, and an option to leave checksums unchanged. */
import * as contract from '@recodery/contract/family-routes/kess3';
import { call } from '../../../api/call.ts';
import { upload } from '../../../api/upload.ts';
import { entryOf, familyPage } from './family-parts.ts';
import { kess3 } from './kess3.ts';

export const page = familyPage('kess3-utility', {
  ...kess3,
  words: {
    lead: 'recoding.utility.lead',
    drop: 'recoding.utility.drop',
    downloadDecoded: 'recoding.utility.downloadDecoded',
    encode: 'recoding.utility.encode',
    encodeAndSend: 'recoding.utility.encodeAndSend',
  },
  enter: async (query, signal) => {
    const answer = await call(contract.entry, { query: { ...query, mode: 'utility' } }, { signal });
    const skips = {
      maySkipChecksum: answer.kess3CanSkipChecksum,
      hasDebugFlag: answer.kess3HasIsDebugFlag,
    };
    return { entry: entryOf(answer, skips), active: answer.kess3ActiveFileSlotCreationResult };
  },
  uploadRead: (file, query, { skipsChecksum, hasDebugFlag }, options) =>
    upload(
      contract.uploadReadFile,
      {
        query: {
          ...query,
          fromUtility: 'true',
          ...(skipsChecksum ? { skipChecksum: 'true' } : {}),
          ...(hasDebugFlag ? { hasDebugFlag: 'true' } : {}),
        },
        fields: { userFlow: 'D' },
      },
      file,
      options,
    ),
  // The purpose of a file is known only after decoding, so both rights are required beforehand.
  offersDecodeSkip: ({ hasDebugFlag, maySkipChecksum }) => hasDebugFlag && maySkipChecksum,
  offersEncodeSkip: ({ hasDebugFlag, maySkipChecksum }, { shape, checksumRules }) =>
    maySkipChecksum && checksumRules > 0 && (shape === 'components' || hasDebugFlag),
});
