/**
 * The families of control units that are recognized. Not listed: families that no number identifies, such as Magneti
 * Marelli's, whose published texts are too short to prove anything.
 */

import type { EcuFamily } from './ecu-family.ts';
import { boschEdc15 } from './families/bosch-edc15.ts';
import { boschEdc16 } from './families/bosch-edc16.ts';
import { boschMe7Family } from './families/bosch-me7.ts';
import { boschMe9 } from './families/bosch-me9.ts';
import { boschMotronic } from './families/bosch-motronic.ts';
import { boschTricore } from './families/bosch-tricore.ts';
import { delphiMultec } from './families/delphi-multec.ts';
import { densoSubaru } from './families/denso-subaru.ts';
import { rusefi } from './families/rusefi.ts';
import { siemensMs43 } from './families/siemens-ms43.ts';
import { siemensMss54 } from './families/siemens-mss54.ts';
import { siemensSimos } from './families/siemens-simos.ts';
import { siemensTexts } from './families/siemens-texts.ts';
import { speeduino } from './families/speeduino.ts';

/** Every family is asked: if two of them claim an image, it is not identified. */
export const ecuFamilies: readonly EcuFamily[] = [
  boschMe7Family,
  boschTricore,
  boschEdc16,
  boschEdc15,
  boschMe9,
  boschMotronic,
  siemensSimos,
  siemensMs43,
  siemensMss54,
  siemensTexts,
  delphiMultec,
  densoSubaru,
  rusefi,
  speeduino,
];
