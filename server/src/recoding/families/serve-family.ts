/** Serves the calls of a family's pages: translates between the family's names, which the contract declares, and ours. */
import { readEncode } from '@recodery/contract/family-routes/encode-fields';
import { activeFieldOf, skipFieldsOf } from '@recodery/contract/family-routes/page-calls';
import type { PortalCalls } from '@recodery/contract/family-routes/portal-routes';
import { commonCalls, portalCalls } from '@recodery/contract/family-routes/registry';
import { type Family, findWorkflow, type Workflow } from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/features/operations';
import type { KeepAnswer } from '../../http/requests/idempotency.ts';
import type { Router } from '../../http/serve.ts';
import type { OperationRow } from '../../operations/operation-rules.ts';
import {
  type ComponentsDependencies,
  sendComponents,
} from '../../slots/sending/send-components.ts';
import { requestDecode, type Respond } from '../decode.ts';
import { requestEncode } from '../encode.ts';
import { readChoice } from '../engine-selection/choose-master.ts';
import { enter, type EntryAnswer, type EntryDependencies } from '../entry-checks.ts';
import { type ImageDependencies, receiveImage } from '../images/image-uploads.ts';
import {
  type NotificationDetailsDependencies,
  readNotificationDetails,
} from '../notification-details.ts';

export interface FamilyRouteDependencies
  extends EntryDependencies,
    ImageDependencies,
    ComponentsDependencies,
    NotificationDetailsDependencies {
  /** The current record of an operation, for a response. */
  presentOperation(operation: OperationRow): Promise<Operation>;
}

/** The calls of one family, and what serves them. */
interface Served {
  readonly router: Router;
  readonly deps: FamilyRouteDependencies;
  readonly family: Family;
  readonly calls: PortalCalls;
}

/** The family's utility, or its own page. */
const pageOf = (family: Family, isUtility: boolean): Workflow =>
  findWorkflow(family, { isUtility }) ?? family;

/** The fields that every family's entry returns, under the same names. */
function describeEntry(answer: EntryAnswer) {
  return {
    isAutoSendEnabled: answer.isAutoSendEnabled,
    autoSendDefaultAction: answer.autoSendDefaultAction,
    defaultAutoSendAction: answer.autoSendDefaultAction,
    isAutoSendNotificationPrivateByDefault: answer.isPrivateByDefault,
    canUseReCod: answer.canUseReCod,
    canUseUtility: answer.canUseUtility,
    engine: answer.engine,
    foreignFileMasters: answer.foreignFileMasters.map(({ groupCode, serialNumber }) => ({
      groupCode,
      masterDeviceSerialNumber: serialNumber,
    })),
  };
}

function serveEntry({ router, deps, family, calls }: Served): void {
  router.serve(calls.entry, async ({ caller, query }) => {
    const { mode, ...choice } = query;
    const answer = await enter(deps, caller, {
      workflow: pageOf(family, mode === 'utility'),
      choice,
    });
    const { canSkipChecksum, hasDebugFlag } = skipFieldsOf(family);
    const active = answer.active === null ? null : await deps.presentOperation(answer.active);
    return {
      ...describeEntry(answer),
      [activeFieldOf(family)]: active,
      [canSkipChecksum]: answer.canSkipChecksum,
      [hasDebugFlag]: answer.hasDebugFlag,
    };
  });
}

/** The response to a call that started an operation: its record, which is kept with it. */
function answerStarted(
  { presentOperation }: FamilyRouteDependencies,
  keep: KeepAnswer,
): Respond<Operation> {
  return async (trx, started) => {
    const answer = await presentOperation(started);
    await keep(trx, answer);
    return answer;
  };
}

function serveRead({ router, deps, family, calls }: Served): void {
  router.serve(calls.read.route, ({ query, caller, upload, keep }) => {
    const { fromUtility = false, skipChecksum = false, hasDebugFlag = false, ...choice } = query;
    const { slaveSerialNumber: slave } = choice;
    const ask = {
      workflow: pageOf(family, fromUtility),
      choice: readChoice(choice),
      slave,
      skipChecksum,
      debug: hasDebugFlag,
    };
    return requestDecode(deps, caller, ask, upload, answerStarted(deps, keep));
  });
}

function serveImages({ router, deps, family, calls }: Served): void {
  for (const { call, route } of calls.images) {
    const [only] = Object.values(call.images);
    router.serve(route, ({ caller, params, upload, keep }) => {
      const slotGuid = params[call.slot] ?? '';
      const place = call.image === undefined ? only : call.images[params[call.image] ?? ''];
      if (place === undefined) throw new Error(`${route.path} accepts an image without a place`);
      return receiveImage(deps, caller, { family, slotGuid, ...place }, { upload, keep });
    });
  }
}

function serveEncodes({ router, deps, family, calls }: Served): void {
  for (const { call, route } of calls.encodes) {
    router.serve(route, ({ caller, body, query, keep }) => {
      const { slotGUID, files, ...fields } = readEncode(call, body);
      const modified = files.filter(({ role }) => role === 'modified');
      const original = files.find(({ role }) => role === 'original');
      const isReencode =
        call.reencodes === 'always' || (call.reencodes === 'without-file' && modified.length === 0);
      const ask = {
        ...fields,
        family,
        slotGuid: slotGUID,
        modified: modified.map(({ component, fileGUID }) => ({ component, fileGuid: fileGUID })),
        originalFileGuid: original?.fileGUID ?? null,
        reencode: isReencode,
        isFromTray: query.isFromTray,
        takesAnyRead: call.reads === 'any',
      };
      return requestEncode(deps, caller, ask, answerStarted(deps, keep));
    });
  }
}

/** Serves the calls of a family's pages. */
export function serveFamily(router: Router, deps: FamilyRouteDependencies, family: Family): void {
  const calls = portalCalls[family];
  const served = { router, deps, family, calls };
  serveEntry(served);
  serveRead(served);
  serveImages(served);
  serveEncodes(served);
  const { notificationDetails, downloadAllFiles } = commonCalls[family];
  router.serve(notificationDetails, ({ caller, params }) =>
    readNotificationDetails(deps, caller, family, params.slotGUID),
  );
  if (downloadAllFiles !== null)
    router.serve(downloadAllFiles, (asked) => sendComponents(deps, family, asked));
}
