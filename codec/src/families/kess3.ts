/** KESS3: one image or several components, as the file specifies. */

import type { WorkflowRules } from '../recoding/family-codec.ts';
import { given, okOrKo, protocolTitle } from '../recoding/information.ts';
import { kess3Errors } from './kess3-errors.ts';
import { makeCodec } from './make-codec.ts';

/** The common parts of the recoding page and the utility. */
export const kess3Rules = {
  workflow: 'kess3',
  mayImageBeMissing: true,
  wrongChecksumsWarning: 'KESS3_DECODED_WITH_CHECKSUM_ERROR',
  keepsInformation: false,
  errorNames: kess3Errors,
  showsCodes: true,
  labels: [
    ['Mode', ({ mode }) => (mode === 'obd' ? 'OBD' : 'BootBench')],
    ['Cks', ({ isChecksumRight }) => okOrKo(isChecksumRight)],
    ['Protocol', protocolTitle],
    ['Family', given('family')],
    ['HW', given('hardware')],
    ['HW Ver.', given('hardwareVersion')],
    ['SW', given('software')],
    ['SW Ver.', given('softwareVersion')],
    ['SW upg.', given('softwareUpgrade')],
    ['Spare', given('spare')],
    ['System', given('system')],
    ['VIN', given('vin')],
    ['Engine', given('engine')],
    ['Recognized', ({ isRecognised }) => okOrKo(isRecognised)],
    ['SN', given('serialNumber')],
    ['Customer Code', ({ customerCode }) => customerCode],
    ['Group Code', ({ groupCode }) => groupCode],
  ],
} as const satisfies WorkflowRules;

export const kess3 = makeCodec(kess3Rules);
