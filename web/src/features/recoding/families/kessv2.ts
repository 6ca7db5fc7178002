/** The KESSv2 page: one image read by OBD. */
import * as contract from '@recodery/contract/family-routes/kessv2';
import type { Operation } from '@recodery/contract/features/operations';
import { call } from '../../../api/call.ts';
import { upload } from '../../../api/upload.ts';
import type { DecodedRead } from '../decoded-read.ts';
import {
  alongside,
  encodeQuery,
  anyRead,
  entryOf,
  familyPage,
  fileGUIDOf,
  fileLink,
  imageRead,
  notDecoded,
  plainPage,
} from './family-parts.ts';

function readOf(operation: Operation): DecodedRead {
  const isDecode = operation.asyncOperationType === 'KESSv2Decode';
  const result = isDecode ? operation.result : null;
  if (result === null) throw notDecoded(operation);
  const isOriginalNeeded = result.isOriginalFileNeeded || result.isChecksumCorrectionNeeded;
  const name = result.decodedFileName ?? result.name;
  return {
    ...anyRead(operation, result),
    slotGUID: result.kessv2SlotGUID,
    ...imageRead(fileLink(result.decodedFileURL, name, result.decodedFileSize), isOriginalNeeded),
    isCVNCorrectionPossible: result.isCVNCorrectionPossible,
    wasOriginalFoundThroughVirtualReading: result.wasOriginalFileFoundThroughVirtualReading,
  };
}

export const page = familyPage('kessv2', {
  ...plainPage,
  refuses: {
    families: { ktag: 'FILE_IS_KTAG_BACKUP', kess3: 'FILE_IS_KESS3' },
    kind: 'INVALID_FILE',
    archive: 'FILE_IS_ZIP_ARCHIVE',
  },
  information: [
    { name: 'protocolID', label: 'recoding.information.protocolID', as: 'code' },
    { name: 'protocolName', label: 'recoding.information.protocolName', as: 'code' },
    { name: 'serialNumber', label: 'recoding.information.serialNumber', as: 'slave' },
    { name: 'hardware', label: 'recoding.information.hardware', as: 'code' },
    { name: 'software', label: 'recoding.information.software', as: 'code' },
    { name: 'softwareUpgrade', label: 'recoding.information.softwareUpgrade', as: 'code' },
    { name: 'spare', label: 'recoding.information.spare', as: 'code' },
    { name: 'softwareDate', label: 'recoding.information.softwareDate', as: 'date' },
    { name: 'imp', label: 'recoding.information.system' },
    { name: 'engine', label: 'recoding.information.engine' },
    { name: 'vin', label: 'recoding.information.vin', as: 'code' },
    { name: 'softwareVersion', label: 'recoding.information.softwareVersion', as: 'code' },
  ],
  identifiedBy: [['protocolName'], ['engine'], ['software'], ['vin'], ['serialNumber']],
  enter: async (query, signal) => {
    const answer = await call(contract.entry, { query }, { signal });
    return { entry: entryOf(answer), active: answer.kessv2ActiveFileSlotCreationResult };
  },
  uploadRead: (file, query, _switches, options) =>
    upload(contract.uploadReadFile, { query, fields: { userFlow: 'D' } }, file, options),
  readOf,
  uploadPart: ({ slotGUID }, part, file, options) =>
    upload(
      part === 'original' ? contract.uploadOriginalFile : contract.uploadModifiedFile,
      { params: { slotGUID } },
      file,
      options,
    ),
  encode: (request) => {
    const asked = {
      kessv2FileSlotGUID: request.read.slotGUID,
      willCorrectCVN: request.inputs.correctsCVN,
      ...alongside(request),
    };
    return request.source === 'decoded'
      ? call(contract.reencodeDecodedFile, { query: encodeQuery(request), body: asked })
      : call(contract.encodeFile, {
          query: encodeQuery(request),
          body: {
            ...asked,
            modifiedFileGUID: fileGUIDOf(request, 'modified'),
            originalFileGUID: fileGUIDOf(request, 'original'),
          },
        });
  },
});
