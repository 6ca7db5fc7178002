/** The AutoFlasher page: an image of each memory. */
import { calls } from '@recodery/contract/family-routes/autoflasher';
import { describePage, plainWords } from './describe-page.ts';

export const page = describePage('autoflasher', calls, {
  named: ['serialNumber'],
  words: { ...plainWords, downloadDecoded: 'recoding.downloadComponents' },
});
