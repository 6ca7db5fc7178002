/**
 * 1002 REF-OBD-VR: the image of 1001, but a read contains only the identification; the image comes from Virtual
 * Reading.
 */

import type { Protocol } from '../shape.ts';
import { kessv2AndKess3 } from '../parts.ts';
import { obdImage512K } from './1001-ref-obd-512k.ts';

export const refObdVr: Protocol = {
  id: 1002,
  name: 'REF-OBD-VR',
  ecuFamily: 'REF ECU 1001',
  families: kessv2AndKess3,
  // the same ECUs as 1001's: a read of one protocol can be the original for the other
  components: [obdImage512K],
  isVirtualReadingPossible: true,
};
