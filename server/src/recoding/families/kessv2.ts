/** Routes of the KESSv2 page: translates between the contract's names and ours. */
import { labelRead } from '@recodery/codec/families/registry';
import { type DecodeResult, information } from '@recodery/contract/families/kessv2';
import * as contract from '@recodery/contract/family-routes/kessv2';
import type { Router } from '../../http/serve.ts';
import { enter } from '../entry-checks.ts';
import {
  chosenImages,
  describeActive,
  describeDecode,
  describeEntry,
  type FamilyRoutes,
  type FamilyRouteDependencies,
  startDecode,
  startEncode,
} from './family-routes.ts';
import { receiveImage } from '../image-uploads.ts';
import { readNotificationDetails } from '../notification-details.ts';
import type { ShapeDecode } from '../results/result-response.ts';

const family = 'kessv2' as const;

/** What the KESSv2 page shows of a decode. */
const shapeDecode: ShapeDecode = (facts, slotGuid, addresses) => {
  const decoded = facts.components[0];
  return {
    kessv2SlotGUID: slotGuid,
    ...describeDecode(facts, addresses),
    decodedFileURL: decoded === undefined ? null : addresses.file(decoded.fileGuid),
    decodedFileName: decoded?.name ?? null,
    decodedFileSize: decoded?.size ?? null,
    wasOriginalFileFoundThroughVirtualReading: facts.wasOriginalFileFound,
    isOriginalFileNeeded: facts.isOriginalFileNeeded,
    isChecksumCorrectionNeeded: facts.isChecksumCorrectionNeeded,
    isCVNCorrectionPossible: facts.isCVNCorrectionPossible,
    information: information.parse(labelRead('kessv2', facts)),
  } satisfies DecodeResult;
};

function serve(router: Router, deps: FamilyRouteDependencies): void {
  router.serve(contract.entry, async ({ caller, query }) => {
    const answer = await enter(deps, caller, { workflow: family, choice: query });
    return {
      ...describeEntry(answer),
      kessv2ActiveFileSlotCreationResult: await describeActive(deps, answer),
    };
  });

  router.serve(contract.uploadReadFile, ({ query, ...asked }) => {
    return startDecode(deps, asked, { workflow: family, choice: query });
  });

  router.serve(contract.uploadModifiedFile, ({ caller, params, upload, keep }) => {
    const { slotGUID: slotGuid } = params;
    const ask = { family, slotGuid, role: 'modified', component: 'obd' } as const;
    return receiveImage(deps, caller, ask, { upload, keep });
  });

  router.serve(contract.uploadOriginalFile, ({ caller, params, upload, keep }) => {
    const { slotGUID: slotGuid } = params;
    const ask = { family, slotGuid, role: 'original', component: 'obd' } as const;
    return receiveImage(deps, caller, ask, { upload, keep });
  });

  router.serve(contract.encodeFile, ({ body, ...asked }) => {
    const { kessv2FileSlotGUID: slotGuid, modifiedFileGUID, originalFileGUID, ...choices } = body;
    const modified = chosenImages({ obd: modifiedFileGUID });
    const ask = { family, slotGuid, modified, originalFileGuid: originalFileGUID, ...choices };
    return startEncode(deps, asked, ask);
  });

  router.serve(contract.reencodeDecodedFile, ({ body, ...asked }) => {
    const { kessv2FileSlotGUID: slotGuid, ...choices } = body;
    return startEncode(deps, asked, { family, slotGuid, reencode: true, ...choices });
  });

  router.serve(contract.notificationDetails, ({ caller, params }) =>
    readNotificationDetails(deps, caller, family, params.slotGUID),
  );
}

/** The calls of the KESSv2 page, and what it shows. */
export const kessv2: FamilyRoutes = {
  encodeOptions: { correctsCVN: true, skipsChecksum: false, removes: false },
  shapeDecode,
  serve,
};
