/** The KESSv2 page: one image read by OBD. */
import { calls } from '@recodery/contract/family-routes/kessv2';
import { describePage } from './describe-page.ts';

export const page = describePage('kessv2', calls);
