/** The Flex page: an image of each memory. */
import { calls } from '@recodery/contract/family-routes/flex';
import { describePage, plainWords } from './describe-page.ts';

export const page = describePage('flex', calls, {
  named: ['serialNumber'],
  words: { ...plainWords, downloadDecoded: 'recoding.downloadComponents' },
});
