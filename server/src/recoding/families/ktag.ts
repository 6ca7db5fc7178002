/** Routes of the K-TAG page: translates between the contract's names and ours. */
import {
  type DecodeResult,
  information,
  ktagComponentTypes,
} from '@recodery/contract/families/ktag';
import { labelRead } from '@recodery/codec/families/registry';
import * as contract from '@recodery/contract/family-routes/ktag';
import { componentsFileName } from '@recodery/contract/file-names';
import type { Router } from '../../http/serve.ts';
import { sendComponents } from '../../slots/send-components.ts';
import { enter } from '../entry-checks.ts';
import {
  chosenImages,
  describeActive,
  describeComponents,
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

const family = 'ktag' as const;

// path and result types use our own names
const components = ktagComponentTypes.map((type) => ({ type, component: type }));

/** What the K-TAG page shows of a decode. */
const shapeDecode: ShapeDecode = (facts, slotGuid, addresses) =>
  ({
    ktagSlotGUID: slotGuid,
    ktagSlotID: slotGuid,
    ...describeDecode(facts, addresses),
    decodedFileURL: addresses.zip,
    decodedFileName: componentsFileName,
    components: describeComponents(facts, components, addresses),
    information: information.parse(labelRead('ktag', facts)),
  }) satisfies DecodeResult;

function serve(router: Router, deps: FamilyRouteDependencies): void {
  router.serve(contract.entry, async ({ caller, query }) => {
    const answer = await enter(deps, caller, { workflow: family, choice: query });
    return {
      ...describeEntry(answer),
      ktagActiveFileSlotCreationResult: await describeActive(deps, answer),
    };
  });

  router.serve(contract.uploadReadBackup, ({ query, ...asked }) => {
    return startDecode(deps, asked, { workflow: family, choice: query });
  });

  router.serve(contract.uploadModifiedComponentFile, ({ caller, params, upload, keep }) => {
    const { slotGUID: slotGuid, componentType: component } = params;
    return receiveImage(
      deps,
      caller,
      { family, slotGuid, role: 'modified', component },
      { upload, keep },
    );
  });

  router.serve(contract.encodeBackup, ({ body, ...asked }) =>
    startEncode(deps, asked, {
      family,
      slotGuid: body.ktagFileSlotGUID,
      modified: chosenImages({
        flash: body.FlashFileGUID,
        micro: body.MicroFileGUID,
        eeprom: body.EEPROMFileGUID,
        tuningfile: body.TuningFileGUID,
      }),
      contextData: body.contextData,
      notificationInfo: body.notificationInfo,
    }),
  );

  router.serve(contract.notificationDetails, ({ caller, params }) =>
    readNotificationDetails(deps, caller, family, params.slotGUID),
  );

  router.serve(contract.downloadAllFiles, (asked) => sendComponents(deps, family, asked));
}

/** The calls of the K-TAG page, and what it shows. */
export const ktag: FamilyRoutes = {
  encodeOptions: { correctsCVN: false, skipsChecksum: false, removes: false },
  shapeDecode,
  serve,
};
