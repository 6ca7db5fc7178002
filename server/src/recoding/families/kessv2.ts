/** Routes of the KESSv2 page: translates between the contract's names and ours. */
import { labelRead } from '@recodery/codec/families/registry';
import { type DecodeResult, information } from '@recodery/contract/families/kessv2';
import * as contract from '@recodery/contract/families/kessv2-routes';
import type { Door } from '../../http/serve.ts';
import { type DecodeAsk, requestDecode } from '../decode.ts';
import { type EncodeAsk, requestEncode } from '../encode.ts';
import { enter } from '../entry.ts';
import {
  answerStarted,
  describeActive,
  describeEntry,
  type FamilyDoor,
  type FamilyDoorDependencies,
} from './family-routes.ts';
import { receiveImage } from '../image-uploads.ts';
import { readNotificationDetails } from '../notification-details.ts';
import type { ShapeDecode } from '../present.ts';

const family = 'kessv2' as const;

/** What the KESSv2 page shows of a decode. */
const shapeDecode: ShapeDecode = (facts, slotGuid, addresses) => {
  const decoded = facts.components[0];
  return {
    kessv2SlotGUID: slotGuid,
    name: facts.name,
    readFileName: facts.readFileName,
    readFileSize: facts.readFileSize ?? null,
    decodedFileURL: decoded === undefined ? null : addresses.file(decoded.fileGuid),
    decodedFileName: decoded?.name ?? null,
    decodedFileSize: decoded?.size ?? null,
    idFileURL: addresses.file(facts.idFile.fileGuid),
    idFileName: facts.idFile.name,
    wasOriginalFileFoundThroughVirtualReading: facts.wasOriginalFileFound,
    isOriginalFileNeeded: facts.isOriginalFileNeeded,
    isChecksumCorrectionNeeded: facts.isChecksumCorrectionNeeded,
    isCVNCorrectionPossible: facts.isCVNCorrectionPossible,
    information: information.parse(labelRead('kessv2', facts)),
    checksumRules: facts.checksumRules,
    warnings: [...facts.warnings],
  } satisfies DecodeResult;
};

function serve(door: Door, deps: FamilyDoorDependencies): void {
  door.serve(contract.entry, async ({ caller, query }) => {
    const answer = await enter(deps, caller, { workflow: family, choice: query });
    return {
      ...describeEntry(answer),
      kessv2ActiveFileSlotCreationResult: await describeActive(deps, answer),
    };
  });

  door.serve(contract.uploadReadFile, ({ caller, query, upload, keep }) => {
    const ask = {
      workflow: family,
      choice: query,
      skipChecksum: false,
      debug: false,
    } satisfies DecodeAsk;
    return requestDecode(deps, caller, ask, upload, answerStarted(deps, keep));
  });

  door.serve(contract.uploadModifiedFile, ({ caller, params, upload }) => {
    const { slotGUID: slotGuid } = params;
    const ask = { family, slotGuid, role: 'modified', component: 'obd' } as const;
    return receiveImage(deps, caller, ask, upload);
  });

  door.serve(contract.uploadOriginalFile, ({ caller, params, upload }) => {
    const { slotGUID: slotGuid } = params;
    const ask = { family, slotGuid, role: 'original', component: 'obd' } as const;
    return receiveImage(deps, caller, ask, upload);
  });

  serveEncodes(door, deps);

  door.serve(contract.notificationDetails, ({ caller, params }) =>
    readNotificationDetails(deps, caller, family, params.slotGUID),
  );
}

// values that are the same in every KESSv2 encode
const always = { family, removed: [], willSkipChecksum: false } as const;

function serveEncodes(door: Door, deps: FamilyDoorDependencies): void {
  door.serve(contract.encodeFile, ({ caller, body, keep }) => {
    const { modifiedFileGUID, originalFileGUID } = body;
    const ask = {
      ...always,
      slotGuid: body.kessv2FileSlotGUID,
      modified: modifiedFileGUID === null ? [] : [{ component: 'obd', fileGuid: modifiedFileGUID }],
      originalFileGuid: originalFileGUID,
      reencode: false,
      willCorrectCVN: body.willCorrectCVN,
      contextData: body.contextData,
      notificationInfo: body.notificationInfo,
    } satisfies EncodeAsk;
    return requestEncode(deps, caller, ask, answerStarted(deps, keep));
  });

  door.serve(contract.reencodeDecodedFile, ({ caller, body, keep }) => {
    const ask = {
      ...always,
      slotGuid: body.kessv2FileSlotGUID,
      modified: [],
      originalFileGuid: null,
      reencode: true,
      willCorrectCVN: body.willCorrectCVN,
      contextData: body.contextData,
      notificationInfo: body.notificationInfo,
    } satisfies EncodeAsk;
    return requestEncode(deps, caller, ask, answerStarted(deps, keep));
  });
}

/** The calls of the KESSv2 page, and what it shows. */
export const kessv2: FamilyDoor = { shapeDecode, serve };
