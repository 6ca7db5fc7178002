/** The K-TAG page: a backup of components. */
import { calls } from '@recodery/contract/family-routes/ktag';
import { describePage, plainWords } from './describe-page.ts';

export const page = describePage('ktag', calls, {
  named: ['family', 'protocol'],
  words: {
    ...plainWords,
    lead: 'recoding.ktag.lead',
    downloadDecoded: 'recoding.downloadComponents',
  },
});
