/** The schemes of real control units. */

import type { KnownScheme } from '../language.ts';
import { boschMe7 } from './bosch-me7.ts';
import { boschTriCore } from './bosch-tricore.ts';
import { subaruDenso } from './subaru-denso.ts';

export const knownSchemes: readonly KnownScheme[] = [boschMe7, subaruDenso, boschTriCore];
