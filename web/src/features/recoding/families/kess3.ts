/** The KESS3 page: OBD and BootBench reads. */
import type { DecodeResult } from '@recodery/contract/families/kess3';
import * as contract from '@recodery/contract/family-routes/kess3';
import { componentsFileName } from '@recodery/contract/file-names';
import type { Operation } from '@recodery/contract/features/operations';
import { call } from '../../../api/call.ts';
import { upload } from '../../../api/upload.ts';
import { zeroGuid } from '@recodery/contract/api';
import type { DecodedRead } from '../decoded-read.ts';
import type { EncodeRequest, OwnPage } from './family-page.ts';
import {
  alongside,
  encodeQuery,
  anyRead,
  componentParts,
  entryOf,
  familyPage,
  fileGUIDOf,
  fileLink,
  imageRead,
  isRemoved,
  notDecoded,
  plainPage,
} from './family-parts.ts';

/** The result of an OBD read: one image, and the original where it is needed. */
function obd(result: DecodeResult) {
  const isOriginalNeeded = result.obdIsOriginalFileNeeded || result.obdIsChecksumCorrectionNeeded;
  const name = result.obdDecodedFileName ?? result.name;
  const decodedFile = fileLink(result.obdDecodedFileURL, name, result.obdDecodedFileSize);
  return imageRead(decodedFile, isOriginalNeeded);
}

/** The result of a BootBench read: components, offered in a popup. EEPROM is removed by default. */
function bootBench(result: DecodeResult) {
  return {
    shape: 'components',
    decodedFile: fileLink(result.decodedFileURL, result.decodedFileName ?? componentsFileName),
    arrivesByItself: false,
    parts: componentParts(result.bootBenchComponents ?? [], {
      // a vendor's engine does not remove components; only the portal's own makes an ID file
      isRemovable: result.idFileURL !== null,
      startsRemoved: ['EEPROM'],
    }),
    isReencodePossible: false,
  } as const;
}

function readOf(operation: Operation): DecodedRead {
  const isDecode = operation.asyncOperationType === 'KESS3Decode';
  const result = isDecode ? operation.result : null;
  if (result === null) throw notDecoded(operation);
  return {
    ...anyRead(operation, result),
    slotGUID: result.kess3FileSlotGUID,
    ...(result.information.Mode === 'OBD' ? obd(result) : bootBench(result)),
    isCVNCorrectionPossible: result.obdIsCVNCorrectionPossible,
    wasOriginalFoundThroughVirtualReading: result.wasOriginalFileFoundThroughVirtualReading,
  };
}

/** The path names of the two OBD images in uploads. */
const uploadNames: Readonly<Record<string, string>> = { modified: 'mod', original: 'ori' };

function encode(request: EncodeRequest) {
  const asked = {
    kess3FileSlotGUID: request.read.slotGUID,
    willCorrectCVN: request.inputs.correctsCVN,
    willSkipChecksum: request.inputs.skipsChecksum,
    ...alongside(request),
  };
  if (request.read.shape === 'image') {
    const modified = request.source === 'decoded' ? zeroGuid : fileGUIDOf(request, 'modified');
    return call(contract.encodeObdFile, {
      query: encodeQuery(request),
      body: {
        ...asked,
        modifiedFileGUID: modified,
        originalFileGUID: fileGUIDOf(request, 'original'),
      },
    });
  }
  return call(contract.encodeBootBenchFile, {
    query: encodeQuery(request),
    body: {
      ...asked,
      FlashFileGUID: fileGUIDOf(request, 'Flash'),
      MicroFileGUID: fileGUIDOf(request, 'Micro'),
      EEPROMFileGUID: fileGUIDOf(request, 'EEPROM'),
      MapFileGUID: fileGUIDOf(request, 'MapFile'),
      RemoveFlash: isRemoved(request, 'Flash'),
      RemoveMicro: isRemoved(request, 'Micro'),
      RemoveEEPROM: isRemoved(request, 'EEPROM'),
      RemoveMapFile: isRemoved(request, 'MapFile'),
    },
  });
}

/** The common parts of the recoding page and the utility. */
export const kess3: OwnPage = {
  ...plainPage,
  refuses: {
    families: { kessv2: 'KESS3_FILE_IS_KESSV2', ktag: 'KESS3_FILE_IS_KTAG_BACKUP' },
    kind: 'KESS3_FILE_NOT_RECOGNIZED',
    archive: 'KESS3_FILE_IS_ARCHIVE',
  },
  information: [
    { name: 'Mode', label: 'recoding.information.mode' },
    { name: 'Recognized', label: 'recoding.information.recognized', as: 'code' },
    { name: 'Protocol', label: 'recoding.information.protocol', as: 'code' },
    { name: 'Cks', label: 'recoding.information.checksum', as: 'check' },
    { name: 'Family', label: 'recoding.information.family', as: 'code' },
    { name: 'HW', label: 'recoding.information.hardware', as: 'code' },
    { name: 'HW Ver.', label: 'recoding.information.hardwareVersion', as: 'code' },
    { name: 'SW', label: 'recoding.information.software', as: 'code' },
    { name: 'SW Ver.', label: 'recoding.information.softwareVersion', as: 'code' },
    { name: 'SW upg.', label: 'recoding.information.softwareUpgrade', as: 'code' },
    { name: 'Spare', label: 'recoding.information.spare', as: 'code' },
    { name: 'System', label: 'recoding.information.system' },
    { name: 'Engine', label: 'recoding.information.engine' },
    { name: 'VIN', label: 'recoding.information.vin', as: 'code' },
    { name: 'SN', label: 'recoding.information.serialNumber', as: 'slave' },
    { name: 'Customer Code', label: 'recoding.information.customerCode', as: 'code' },
    { name: 'Group Code', label: 'recoding.information.groupCode', as: 'code' },
  ],
  identifiedBy: [['Protocol', 'Recognized'], ['Engine'], ['SW'], ['VIN'], ['SN']],
  hasComponentsPopup: true,
  enter: async (query, signal) => {
    const answer = await call(contract.entry, { query: { ...query, mode: 'recod' } }, { signal });
    return { entry: entryOf(answer), active: answer.kess3ActiveFileSlotCreationResult };
  },
  uploadRead: (file, query, _switches, options) =>
    upload(contract.uploadReadFile, { query, fields: { userFlow: 'D' } }, file, options),
  readOf,
  uploadPart: ({ slotGUID }, part, file, options) =>
    upload(
      contract.uploadModifiedFile,
      { params: { slot: slotGUID, component: uploadNames[part] ?? part } },
      file,
      options,
    ),
  encode,
};

export const page = familyPage('kess3', kess3);
