/** The bFlash page: one image. */
import { calls } from '@recodery/contract/family-routes/bflash';
import { describePage } from './describe-page.ts';

export const page = describePage('bflash', calls, { named: ['serialNumber'] });
