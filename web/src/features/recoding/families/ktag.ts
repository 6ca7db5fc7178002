/** The K-TAG page: a backup of components. */
import { ktagComponentTypes } from '@recodery/contract/families/ktag';
import * as contract from '@recodery/contract/family-routes/ktag';
import type { Operation } from '@recodery/contract/features/operations';
import { call } from '../../../api/call.ts';
import { upload } from '../../../api/upload.ts';
import type { DecodedRead } from '../decoded-read.ts';
import {
  alongside,
  encodeQuery,
  anyRead,
  componentParts,
  entryOf,
  familyPage,
  fileGUIDOf,
  notDecoded,
  plainPage,
} from './family-parts.ts';

function readOf(operation: Operation): DecodedRead {
  const isDecode = operation.asyncOperationType === 'KTAGDecode';
  const result = isDecode ? operation.result : null;
  if (result === null) throw notDecoded(operation);
  return {
    ...anyRead(operation, result),
    slotGUID: result.ktagSlotGUID,
    shape: 'components',
    decodedFile: { name: result.decodedFileName, size: null, url: result.decodedFileURL },
    arrivesByItself: true,
    parts: componentParts(result.components, { isRemovable: false, startsRemoved: [] }),
    isCVNCorrectionPossible: false,
    isReencodePossible: false,
    wasOriginalFoundThroughVirtualReading: false,
  };
}

const [flash, micro, eeprom, tuningfile] = ktagComponentTypes;

export const page = familyPage('ktag', {
  ...plainPage,
  words: {
    ...plainPage.words,
    lead: 'recoding.ktag.lead',
    downloadDecoded: 'recoding.downloadComponents',
  },
  refuses: {
    families: { kessv2: 'FILE_IS_KESSV2', kess3: 'FILE_IS_KESS3' },
    kind: 'INVALID_FILE',
    archive: 'FILE_IS_ZIP_ARCHIVE',
  },
  information: [
    { name: 'PRT', label: 'recoding.information.protocol', as: 'code' },
    { name: 'FAMILY', label: 'recoding.information.family', as: 'code' },
    { name: 'SN', label: 'recoding.information.serialNumber', as: 'slave' },
    { name: 'HW', label: 'recoding.information.hardware', as: 'code' },
    { name: 'SW', label: 'recoding.information.software', as: 'code' },
    { name: 'SW upd', label: 'recoding.information.softwareUpgrade', as: 'code' },
    { name: 'Spare', label: 'recoding.information.spare', as: 'code' },
    { name: 'Impianto', label: 'recoding.information.system' },
    { name: 'Engine', label: 'recoding.information.engine' },
    { name: 'VIN', label: 'recoding.information.vin', as: 'code' },
  ],
  identifiedBy: [['FAMILY', 'PRT'], ['Engine'], ['SW'], ['VIN'], ['SN']],
  enter: async (query, signal) => {
    const answer = await call(contract.entry, { query }, { signal });
    return { entry: entryOf(answer), active: answer.ktagActiveFileSlotCreationResult };
  },
  uploadRead: (file, query, _switches, options) =>
    upload(contract.uploadReadBackup, { query, fields: { userFlow: 'D' } }, file, options),
  readOf,
  uploadPart: ({ slotGUID }, componentType, file, options) =>
    upload(
      contract.uploadModifiedComponentFile,
      { params: { slotGUID, componentType } },
      file,
      options,
    ),
  encode: (request) =>
    call(contract.encodeBackup, {
      query: encodeQuery(request),
      body: {
        ktagFileSlotGUID: request.read.slotGUID,
        FlashFileGUID: fileGUIDOf(request, flash),
        MicroFileGUID: fileGUIDOf(request, micro),
        EEPROMFileGUID: fileGUIDOf(request, eeprom),
        TuningFileGUID: fileGUIDOf(request, tuningfile),
        ...alongside(request),
      },
    }),
});
