/** The requests of a family's page, in the family's names, which the contract declares. */
import { type PlacedFile, writeEncode } from '@recodery/contract/family-routes/encode-fields';
import {
  activeFieldOf,
  hasUtility,
  skipFieldsOf,
} from '@recodery/contract/family-routes/page-calls';
import { isDouble } from '@recodery/contract/features/demo-doubles';
import type { PortalCalls } from '@recodery/contract/family-routes/portal-routes';
import type { UploadPlace } from '@recodery/contract/families/encoding-api-family';
import type { ComponentName } from '@recodery/contract/families/family';
import { describeWorkflow, type Workflow, workflowOf } from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/features/operations';
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import { call } from '../../../api/call.ts';
import { upload, type UploadOptions } from '../../../api/files/upload.ts';
import type { DecodedRead, Entry, PartName } from '../decoded-read.ts';
import type {
  DecodeSwitches,
  DeviceQuery,
  RequestedEncode,
  Entered,
  PageRequests,
} from './family-page.ts';

/** A page's workflow, and the calls of its family. */
interface Page {
  readonly workflow: Workflow;
  readonly calls: PortalCalls;
}

const isUtility = ({ workflow }: Page): boolean => describeWorkflow(workflow).isUtility;

/** The call of a family for what the page does. @throws if it has none, which is an internal error */
function required<T>(found: T | undefined, { workflow }: Page): T {
  if (found === undefined) throw new Error(`${workflow} has no call for this`);
  return found;
}

/** The place of a part: the modified image of a component, or the original image. */
function placeOf(part: PartName): UploadPlace {
  if (part === 'modified' || part === 'original') return { role: part, component: 'obd' };
  // a family's type is the name of a component in any case; no call is for another part
  return { role: 'modified', component: part.toLowerCase() as ComponentName };
}

async function enter(page: Page, device: DeviceQuery, signal: AbortSignal): Promise<Entered> {
  const { family } = workflowOf(page.workflow);
  const mode = isUtility(page) ? ('utility' as const) : ('recod' as const);
  const query = { ...device, ...(hasUtility(family) ? { mode } : {}) };
  const answer = await call(page.calls.entry, { query }, { signal });
  const { canSkipChecksum, hasDebugFlag } = skipFieldsOf(family);
  const own: Readonly<Record<string, unknown>> = answer;
  const entry: Entry = {
    isAutoSendEnabled: answer.isAutoSendEnabled,
    autoSendDefaultAction: answer.autoSendDefaultAction,
    isPrivateByDefault: answer.isAutoSendNotificationPrivateByDefault,
    canUseUtility: answer.canUseUtility,
    takesForeignFiles: answer.engine.offers.foreignFiles,
    isDouble: isDouble(answer.engine.name),
    someDeviceTakesForeignFiles: answer.foreignFileMasters.length > 0,
    maySkipChecksum: isUtility(page) && own[canSkipChecksum] === true,
    hasDebugFlag: isUtility(page) && own[hasDebugFlag] === true,
  };
  return { entry, active: own[activeFieldOf(family)] as Operation | null };
}

function uploadRead(
  page: Page,
  file: File,
  device: DeviceQuery,
  { skipsChecksum, hasDebugFlag, slave }: DecodeSwitches,
  options: UploadOptions,
): Promise<Operation> {
  const flags = {
    fromUtility: 'true' as const,
    ...(skipsChecksum ? ({ skipChecksum: 'true' } as const) : {}),
    ...(hasDebugFlag ? ({ hasDebugFlag: 'true' } as const) : {}),
  };
  return upload(
    page.calls.read.route,
    {
      query: {
        ...device,
        ...(isUtility(page) ? flags : {}),
        ...(slave === undefined ? {} : { slaveSerialNumber: slave }),
      },
      fields: { userFlow: 'D' },
    },
    file,
    options,
  );
}

function uploadPart(
  page: Page,
  { slotGUID }: DecodedRead,
  part: PartName,
  file: File,
  options: UploadOptions,
): Promise<UploadedFile> {
  const { role, component } = placeOf(part);
  const fitting = page.calls.images.flatMap(({ call: { slot, image, images }, route }) =>
    Object.entries(images)
      .filter(([, place]) => place.role === role && place.component === component)
      .map(([name]) => ({
        route,
        params: { [slot]: slotGUID, ...(image === undefined ? {} : { [image]: name }) },
      })),
  );
  const { route, params } = required(fitting[0], page);
  return upload(route, { params }, file, options);
}

/** The parts of a request whose file is on the server, and those that the user has removed. */
function describeParts({ inputs }: RequestedEncode) {
  const files: PlacedFile[] = [];
  const removed: ComponentName[] = [];
  for (const [part, state] of Object.entries(inputs.parts)) {
    if (state.at === 'complete') files.push({ ...placeOf(part), fileGUID: state.fileGUID });
    if (state.at === 'removed') removed.push(placeOf(part).component);
  }
  return { files, removed };
}

function encode(page: Page, request: RequestedEncode): Promise<Operation> {
  const { read, inputs, contextData, notificationInfo, isFromTray } = request;
  const isReencode = request.source === 'decoded';
  const fitting = page.calls.encodes.find(
    ({ call: { reads, reencodes } }) =>
      (reads === 'any' || reads === read.shape) &&
      (isReencode ? reencodes !== undefined : reencodes !== 'always'),
  );
  const { call: declared, route } = required(fitting, page);
  const body = writeEncode(declared, {
    ...describeParts(request),
    slotGUID: read.slotGUID,
    willCorrectCVN: inputs.correctsCVN,
    willSkipChecksum: inputs.skipsChecksum,
    willCorrectChecksums: inputs.correctsChecksums === true,
    contextData,
    notificationInfo,
    isReencode,
  });
  return call(route, { query: isFromTray ? { isFromTray: 'true' } : {}, body });
}

/** The requests of a workflow's page. */
export function describeRequests(workflow: Workflow, calls: PortalCalls): PageRequests {
  const page = { workflow, calls };
  return {
    enter: (device, signal) => enter(page, device, signal),
    uploadRead: (...asked) => uploadRead(page, ...asked),
    uploadPart: (...asked) => uploadPart(page, ...asked),
    encode: (request) => encode(page, request),
  };
}
