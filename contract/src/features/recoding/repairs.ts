/** The calls that use the repair of a file that does not fit. */
import * as z from 'zod/mini';
import { json, route } from '../../api.ts';
import { byFamily, definitionOf, type Family } from '../../families/registry.ts';
import { slotUploadRefusals, uploadedFile } from './recoding.ts';

function repairRoute(family: Family) {
  return route('POST', `/api/${family}/slots/{slotGUID}/repairs/{repairGUID}`, {
    summary: `Uses the repair that the diagnosis of a refused or doubtful ${definitionOf(family).name} upload offers, in place of the file. Repairs are kept for one hour.`,
    access: 'session',
    params: z.object({ slotGUID: z.string(), repairGUID: z.string() }),
    startsWork: true,
    answer: json(uploadedFile),
    ...slotUploadRefusals(family),
  });
}

/** The call of each family that uses a repair. */
export const repairRoutes = byFamily(repairRoute);
