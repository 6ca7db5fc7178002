/** Routes of the KESS3 pages, recoding and utility: translates between the contract's names and ours. */
import type { ComponentName } from '@recodery/contract/families/family';
import {
  type DecodeResult,
  information,
  type Kess3ComponentType,
} from '@recodery/contract/families/kess3';
import { labelRead } from '@recodery/codec/families/registry';
import * as contract from '@recodery/contract/family-routes/kess3';
import { componentsFileName } from '@recodery/contract/file-names';
import type { Router } from '../../http/serve.ts';
import { sendComponents } from '../../slots/send-components.ts';
import { enter } from '../entry-checks.ts';
import {
  chosenImages,
  chosenRemovals,
  describeActive,
  describeComponents,
  describeDecode,
  describeEntry,
  type FamilyRoutes,
  type FamilyRouteDependencies,
  startDecode,
  startEncode,
} from './family-routes.ts';
import { type ImageAsk, receiveImage } from '../image-uploads.ts';
import { readNotificationDetails } from '../notification-details.ts';
import type { DecodeFacts } from '../results/stored-result.ts';
import type { Addresses, ShapeDecode } from '../results/result-response.ts';

const family = 'kess3' as const;

const components = [
  { type: 'Flash', component: 'flash' },
  { type: 'Micro', component: 'micro' },
  { type: 'EEPROM', component: 'eeprom' },
  { type: 'MapFile', component: 'mapfile' },
] as const satisfies readonly { type: Kess3ComponentType; component: ComponentName }[];

/** The calling page, by the mode in its calls. */
const workflowByMode = { recod: 'kess3', utility: 'kess3-utility' } as const;

type ImagePlace = Pick<ImageAsk, 'role' | 'component'>;

/** What an upload contains, by the last segment of its path. */
const images: Readonly<Record<(typeof contract.kess3Images)[number], ImagePlace>> = {
  mod: { role: 'modified', component: 'obd' },
  ori: { role: 'original', component: 'obd' },
  Flash: { role: 'modified', component: 'flash' },
  Micro: { role: 'modified', component: 'micro' },
  EEPROM: { role: 'modified', component: 'eeprom' },
  MapFile: { role: 'modified', component: 'mapfile' },
};

/** What only a read of one image shows, and what only a read of components shows. */
function shapeFiles(facts: DecodeFacts, addresses: Addresses) {
  const [decoded] = facts.components;
  const image = facts.isOneImage ? decoded : undefined;
  return {
    obdDecodedFileURL: image === undefined ? null : addresses.file(image.fileGuid),
    obdDecodedFileName: image?.name ?? null,
    obdDecodedFileSize: image?.size ?? null,
    decodedFileURL: facts.isOneImage ? null : addresses.zip,
    decodedFileName: facts.isOneImage ? null : componentsFileName,
    bootBenchComponents: facts.isOneImage ? null : describeComponents(facts, components, addresses),
  };
}

/** What the KESS3 pages show of a decode. */
const shapeDecode: ShapeDecode = (facts, slotGuid, addresses) =>
  ({
    kess3FileSlotGUID: slotGuid,
    ...describeDecode(facts, addresses),
    ...shapeFiles(facts, addresses),
    wasOriginalFileFoundThroughVirtualReading: facts.wasOriginalFileFound,
    obdIsOriginalFileNeeded: facts.isOriginalFileNeeded,
    obdIsChecksumCorrectionNeeded: facts.isOneImage && facts.isChecksumCorrectionNeeded,
    obdIsCVNCorrectionPossible: facts.isCVNCorrectionPossible,
    information: information.parse(labelRead('kess3', facts)),
  }) satisfies DecodeResult;

function serve(router: Router, deps: FamilyRouteDependencies): void {
  router.serve(contract.entry, async ({ caller, query }) => {
    const { mode = 'recod', ...choice } = query;
    const answer = await enter(deps, caller, { workflow: workflowByMode[mode], choice });
    return {
      ...describeEntry(answer),
      kess3ActiveFileSlotCreationResult: await describeActive(deps, answer),
      kess3CanSkipChecksum: answer.canSkipChecksum,
      kess3HasIsDebugFlag: answer.hasDebugFlag,
    };
  });

  router.serve(contract.uploadReadFile, ({ query, ...asked }) => {
    const { fromUtility, skipChecksum, hasDebugFlag, ...choice } = query;
    const workflow = workflowByMode[fromUtility ? 'utility' : 'recod'];
    const ask = { workflow, choice, skipChecksum, debug: hasDebugFlag };
    return startDecode(deps, asked, ask);
  });

  router.serve(contract.uploadModifiedFile, ({ caller, params, upload, keep }) =>
    receiveImage(
      deps,
      caller,
      { family, slotGuid: params.slot, ...images[params.component] },
      { upload, keep },
    ),
  );

  serveEncodes(router, deps);

  router.serve(contract.notificationDetails, ({ caller, params }) =>
    readNotificationDetails(deps, caller, family, params.slotGUID),
  );

  router.serve(contract.downloadAllFiles, (asked) => sendComponents(deps, family, asked));
}

function serveEncodes(router: Router, deps: FamilyRouteDependencies): void {
  router.serve(contract.encodeObdFile, ({ body, ...asked }) => {
    const { kess3FileSlotGUID: slotGuid, modifiedFileGUID, originalFileGUID, ...choices } = body;
    return startEncode(deps, asked, {
      ...choices,
      family,
      slotGuid,
      modified: chosenImages({ obd: modifiedFileGUID }),
      originalFileGuid: originalFileGUID,
      reencode: modifiedFileGUID === null,
    });
  });

  router.serve(contract.encodeBootBenchFile, ({ body, ...asked }) =>
    startEncode(deps, asked, {
      family,
      slotGuid: body.kess3FileSlotGUID,
      modified: chosenImages({
        flash: body.FlashFileGUID,
        micro: body.MicroFileGUID,
        eeprom: body.EEPROMFileGUID,
        mapfile: body.MapFileGUID,
      }),
      removed: chosenRemovals({
        flash: body.RemoveFlash,
        micro: body.RemoveMicro,
        eeprom: body.RemoveEEPROM,
        mapfile: body.RemoveMapFile,
      }),
      willCorrectCVN: body.willCorrectCVN,
      willSkipChecksum: body.willSkipChecksum,
      contextData: body.contextData,
      notificationInfo: body.notificationInfo,
    }),
  );
}

/** The calls of the KESS3 pages, and what they show. */
export const kess3: FamilyRoutes = {
  encodeOptions: { correctsCVN: true, skipsChecksum: true, removes: true },
  shapeDecode,
  serve,
};
