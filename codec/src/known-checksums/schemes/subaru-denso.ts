/**
 * Denso control units of Subaru with SH7055 and SH7058: a table of ranges and differences near the end. Never tried on a
 * real image: only verified.
 */

import type { KnownScheme } from '../language.ts';

/** The number that each range and its difference add up to; as a difference without a range, it switches an entry off. */
const target = '5aa5a55a';

export const subaruDenso: KnownScheme = {
  name: 'Subaru Denso SH7055/SH7058',
  sizes: [0x80000, 0x100000],
  base: 0,
  order: 'be',
  provedBy: ['Table'],
  isProved: false,
  parts: [
    {
      kind: 'entries',
      name: 'Table',
      table: { fromEnd: 0x480 },
      stride: 12,
      most: 17,
      type: 'u32be',
      sum: {
        algorithm: { kind: 'sum', unit: 4, order: 'be', width: 32 },
        type: 'u32be',
        at: 8,
        minus: target,
      },
      off: target,
      isStrict: true,
    },
  ],
};
