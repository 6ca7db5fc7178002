/** The page of the KESS3 utility: KESS3 with its own texts, and an option to leave checksums unchanged. */
import { calls } from '@recodery/contract/family-routes/kess3';
import { describePage } from './describe-page.ts';
import { kess3 } from './kess3.ts';

export const page = describePage('kess3-utility', calls, {
  ...kess3,
  words: {
    lead: 'recoding.utility.lead',
    drop: 'recoding.utility.drop',
    downloadDecoded: 'recoding.utility.downloadDecoded',
    encode: 'recoding.utility.encode',
    encodeAndSend: 'recoding.utility.encodeAndSend',
  },
  // The purpose of a file is known only after decoding, so both rights are required beforehand.
  offersDecodeSkip: ({ hasDebugFlag, maySkipChecksum }) => hasDebugFlag && maySkipChecksum,
  offersEncodeSkip: ({ hasDebugFlag, maySkipChecksum }, { shape, checksumRules }) =>
    maySkipChecksum && checksumRules > 0 && (shape === 'components' || hasDebugFlag),
});
