/** KESS3 in the page: OBD and BootBench reads, and the utility that unpacks and compacts backups. */
import { decodeResult as contractDecodeResult } from '@recodery/contract/families/kess3';
import * as contract from '@recodery/contract/families/kess3-routes';
import { call } from '../../../api/call.ts';
import { upload } from '../../../api/upload.ts';
import { zeroGuid } from '@recodery/contract/api';
import type { DecodedRead } from '../decoded-read.ts';
import type { EncodeRequest, FamilyPage } from './family-page.ts';
import {
  alongside,
  componentParts,
  durationOf,
  entryOf,
  fileGUIDOf,
  imageParts,
  isRemoved,
  linesOf,
  recipientFrom,
} from './family-parts.ts';

type Result = ReturnType<typeof contractDecodeResult.parse>;

/** What an OBD read brings: one image, and the original asked for where something needs it. */
function obd(result: Result) {
  const isOriginalNeeded = result.obdIsOriginalFileNeeded || result.obdIsChecksumCorrectionNeeded;
  const decodedFile = result.obdDecodedFileURL
    ? {
        name: result.obdDecodedFileName ?? result.name,
        size: result.obdDecodedFileSize,
        url: result.obdDecodedFileURL,
      }
    : null;
  return {
    shape: 'image',
    decodedFile,
    arrivesByItself: true,
    parts: imageParts(decodedFile, isOriginalNeeded),
    isReencodePossible: !isOriginalNeeded && decodedFile !== null,
  } as const;
}

/** What a BootBench read brings: components, offered in a popup. EEPROM starts removed. */
function bootBench(result: Result) {
  return {
    shape: 'components',
    decodedFile: result.decodedFileURL
      ? {
          name: result.decodedFileName ?? 'components.zip',
          size: null,
          url: result.decodedFileURL,
        }
      : null,
    arrivesByItself: false,
    parts: componentParts(result.bootBenchComponents ?? [], {
      isRemovable: true,
      startsRemoved: ['EEPROM'],
    }),
    isReencodePossible: false,
  } as const;
}

function readOf(operation: Parameters<FamilyPage['readOf']>[0]): DecodedRead {
  const result = contractDecodeResult.parse(operation.result);
  return {
    operationGUID: operation.guid,
    slotGUID: result.kess3FileSlotGUID,
    readFile: { name: result.readFileName, size: result.readFileSize },
    duration: durationOf(operation),
    information: linesOf(result.information),
    idFile: { name: result.idFileName, size: null, url: result.idFileURL },
    ...(result.information.Mode === 'OBD' ? obd(result) : bootBench(result)),
    isCVNCorrectionPossible: result.obdIsCVNCorrectionPossible,
    wasOriginalFoundThroughVirtualReading: result.wasOriginalFileFoundThroughVirtualReading,
    checksumRules: result.checksumRules,
    warnings: result.warnings,
  };
}

/** The names of the two OBD images in the path of an upload. */
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
      body: {
        ...asked,
        modifiedFileGUID: modified,
        originalFileGUID: fileGUIDOf(request, 'original'),
      },
    });
  }
  return call(contract.encodeBootBenchFile, {
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

export const kess3: FamilyPage = {
  id: 'kess3',
  family: 'kess3',
  decodes: 'KESS3Decode',
  encodes: 'KESS3Encode',
  words: {
    title: 'page.kess3',
    menu: 'menu.kess3',
    lead: 'recoding.lead',
    drop: 'recoding.drop',
    downloadDecoded: 'recoding.downloadDecoded',
    encode: 'recoding.encode',
    encodeAndSend: 'recoding.encodeAndSend',
  },
  utility: 'kess3-utility',
  encodedExtension: '.moc',
  opens: 'read-file',
  refuses: {
    families: { kessv2: 'KESS3_FILE_IS_KESSV2', ktag: 'KESS3_FILE_IS_KTAG_BACKUP' },
    kind: 'KESS3_FILE_NOT_RECOGNIZED',
    archive: 'KESS3_FILE_IS_ARCHIVE',
  },
  information: [
    { name: 'Mode', label: 'recoding.information.Mode' },
    { name: 'Recognized', label: 'recoding.information.Recognized', as: 'code' },
    { name: 'Protocol', label: 'recoding.information.Protocol', as: 'code' },
    { name: 'Cks', label: 'recoding.information.Cks', as: 'check' },
    { name: 'Family', label: 'recoding.information.Family', as: 'code' },
    { name: 'HW', label: 'recoding.information.HW', as: 'code' },
    { name: 'HW Ver.', label: 'recoding.information.HW Ver.', as: 'code' },
    { name: 'SW', label: 'recoding.information.SW', as: 'code' },
    { name: 'SW Ver.', label: 'recoding.information.SW Ver.', as: 'code' },
    { name: 'SW upg.', label: 'recoding.information.SW upg.', as: 'code' },
    { name: 'Spare', label: 'recoding.information.Spare', as: 'code' },
    { name: 'System', label: 'recoding.information.System' },
    { name: 'Engine', label: 'recoding.information.Engine' },
    { name: 'VIN', label: 'recoding.information.VIN', as: 'code' },
    { name: 'SN', label: 'recoding.information.slave', as: 'slave' },
    { name: 'Customer Code', label: 'recoding.information.Customer Code', as: 'code' },
    { name: 'Group Code', label: 'recoding.information.Group Code', as: 'code' },
  ],
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
  recipientOf: async ({ slotGUID }, signal) =>
    recipientFrom(await call(contract.notificationDetails, { params: { slotGUID } }, { signal })),
  offersDecodeSkip: () => false,
  offersEncodeSkip: () => false,
};

/** The utility differs in its words, in what it opens, and in the checksums that it may leave alone. */
export const kess3Utility: FamilyPage = {
  ...kess3,
  id: 'kess3-utility',
  words: {
    title: 'page.kess3Utility',
    menu: 'page.kess3Utility',
    lead: 'recoding.utility.lead',
    drop: 'recoding.utility.drop',
    downloadDecoded: 'recoding.utility.downloadDecoded',
    encode: 'recoding.utility.encode',
    encodeAndSend: 'recoding.utility.encodeAndSend',
  },
  utility: null,
  opens: 'utility-backup',
  enter: async (query, signal) => {
    const answer = await call(contract.entry, { query: { ...query, mode: 'utility' } }, { signal });
    const skips = {
      maySkipChecksum: answer.kess3CanSkipChecksum,
      hasDebugFlag: answer.kess3HasIsDebugFlag,
    };
    return { entry: entryOf(answer, skips), active: answer.kess3ActiveFileSlotCreationResult };
  },
  uploadRead: (file, query, { skipsChecksum, hasDebugFlag }, options) =>
    upload(
      contract.uploadReadFile,
      {
        query: {
          ...query,
          fromUtility: 'true',
          ...(skipsChecksum ? { skipChecksum: 'true' } : {}),
          ...(hasDebugFlag ? { hasDebugFlag: 'true' } : {}),
        },
        fields: { userFlow: 'D' },
      },
      file,
      options,
    ),
  // What a file is made for shows only once it is decoded: before that both rights are asked for.
  offersDecodeSkip: ({ hasDebugFlag, maySkipChecksum }) => hasDebugFlag && maySkipChecksum,
  offersEncodeSkip: ({ hasDebugFlag, maySkipChecksum }, { shape, checksumRules }) =>
    maySkipChecksum && checksumRules > 0 && (shape === 'components' || hasDebugFlag),
};
