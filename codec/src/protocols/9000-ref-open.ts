/** 9000 REF-OPEN: any image of any family, nothing looked at; for open-source firmware. */

import type { ComponentName } from '@recodery/contract/families';
import type { ComponentSpec, Protocol } from './shape.ts';

const anyImage = (name: ComponentName): ComponentSpec => ({
  name,
  sizes: { min: 0x400, max: 0x1000000 },
  required: false,
  areas: [],
  protectedRanges: [],
});

export const refOpen: Protocol = {
  id: 9000,
  name: 'REF-OPEN',
  families: [
    { family: 'kessv2', modes: ['obd'] },
    { family: 'ktag', modes: ['bootbench'] },
    { family: 'kess3', modes: ['obd', 'bootbench'] },
  ],
  components: [
    anyImage('obd'),
    anyImage('flash'),
    anyImage('micro'),
    anyImage('eeprom'),
    anyImage('tuningfile'),
    anyImage('mapfile'),
  ],
  isVirtualReadingPossible: false,
  isCVNCorrectionPossible: false,
};
