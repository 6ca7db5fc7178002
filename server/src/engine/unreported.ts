/** What a vendor's engine does not report of a read. An engine adds what it knows. */
import type { SlaveInformation } from '@recodery/codec/recoding/information';
import { informationKeys } from '@recodery/contract/families/information';
import type { EngineDecode } from './engine.ts';

export const unreported: Omit<EngineDecode, 'name' | 'mode' | 'components'> = {
  protocol: null,
  origin: null,
  information: Object.fromEntries(informationKeys.map((key) => [key, null])) as SlaveInformation,
  isChecksumRight: null,
  isRecognised: null,
  recognitions: null,
  virtualReading: null,
  isImageMissing: false,
  isChecksumCorrectionNeeded: false,
  isCVNCorrectionPossible: false,
  checksumRules: 0,
  wrongChecksums: [],
  warnings: [],
};
