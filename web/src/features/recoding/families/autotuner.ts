/** The AutoTuner page: one image. */
import { calls } from '@recodery/contract/family-routes/autotuner';
import { describePage } from './describe-page.ts';

export const page = describePage('autotuner', calls, { named: ['family', 'system'] });
