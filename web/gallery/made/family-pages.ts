/**
 * The pages of families without a file of their own. Not loaded on demand, as the product does: the gallery waits for
 * its parts before it is there to be imported.
 */
import { calls as kessv2Calls } from '@recodery/contract/family-routes/kessv2';
import { calls as ktagCalls } from '@recodery/contract/family-routes/ktag';
import { describePage } from '../../src/features/recoding/families/describe-page.ts';
import { ktagLook } from '../../src/features/recoding/families/registry.ts';

export const kessv2 = describePage('kessv2', kessv2Calls);
export const ktag = describePage('ktag', ktagCalls, ktagLook);
