/** The handlers of the Encoding API: wire names to ours, one use case each, and back. */
import type { UploadPlace } from '@recodery/contract/families/encoding-api-family';
import type { OperationRecord } from '@recodery/contract/encoding-api/operations';
import {
  type EncodingApiCalls,
  encodingApiCallsOf,
  getOperationRecord,
  mostListedSlots,
  type ProgramEncode,
} from '@recodery/contract/encoding-api/routes';
import { requestAccessToken } from '@recodery/contract/features/clients';
import { Refusal } from '@recodery/contract/refusal';
import type { Mode } from '@recodery/contract/families/family';
import {
  apiFamilies,
  type Family,
  findWorkflow,
  isApiFamily,
} from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/family-routes/registry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerTokenRequest } from '../clients/access-tokens.ts';
import type { KeepAnswer } from '../http/requests/idempotency.ts';
import type { Router } from '../http/serve.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import type { ClientCaller } from '../organisations/caller.ts';
import { findOperation } from '../operations/operations.ts';
import { type DecodeAsk, requestDecode, type Respond } from '../recoding/decode.ts';
import { type EncodeAsk, requestEncode } from '../recoding/encode.ts';
import { filesOf } from '../recoding/drafts/draft-rules.ts';
import { readChoice } from '../recoding/engine-selection/choose-master.ts';
import { type ImageDependencies, receiveImage } from '../recoding/images/image-uploads.ts';
import type { SealDependencies } from '../recoding/sealing/seal-again.ts';
import { listSlotStates } from '../slots/open-slots.ts';
import { recordWhenSent } from '../slots/sending/downloads.ts';
import { findLatest } from '../slots/files/deliveries.ts';
import { findStoredFile, listStoredFiles, type StoredFile } from '../slots/files/stored-files.ts';
import { findDelivery } from './find-delivery.ts';
import { baseAddressOf, type KnownAddresses } from './base-address.ts';
import { describeRecord } from './operation-record.ts';
import { sendFileData } from './send-file-data.ts';
import {
  closeSlot,
  requireOpenSlot,
  requireSlot,
  describeSlot,
  reopenSlot,
} from './slot-access.ts';

export interface EncodingApiDependencies extends ImageDependencies {
  readonly addresses: KnownAddresses;
  /** @throws {Refusal} CALLBACK_URL_NOT_ALLOWED unless webhooks can be sent to this address */
  admitCallbackURL(url: string): Promise<void>;
  /** Slots that a client application can have open at once. */
  readonly mostOpenSlots: number;
  readonly sealing: SealDependencies;
}

/** Registers all calls of the Encoding API. */
export function serveEncodingApi(router: Router, deps: EncodingApiDependencies): void {
  const { db } = deps;
  router.serve(requestAccessToken, (asked) => answerTokenRequest(db, asked));

  router.serve(getOperationRecord, async ({ caller, params, request }) => {
    const row = await findOperation(db, caller.organisationId, params.guid);
    if (row === null || !isApiFamily(row.family)) throw new Refusal('NOT_FOUND');
    return present(deps, request, readAs(caller, row));
  });

  for (const family of apiFamilies) {
    const calls = encodingApiCallsOf(family);
    serveSlots(router, deps, family, calls);
    serveFiles(router, deps, family, calls);
    serveWork(router, deps, family, calls);
  }
}

/** An operation as a client application sees it, without what others have attached to theirs. */
function readAs({ clientGuid }: ClientCaller, row: OperationRow): OperationRow {
  return row.clientGuid === clientGuid ? row : { ...row, userInfo: null, callbackUrl: null };
}

function present(deps: EncodingApiDependencies, request: FastifyRequest, row: OperationRow) {
  return describeRecord(row, baseAddressOf(request, deps.addresses));
}

/** The response to a call that started an operation: its record, which is kept with it. */
function answerStarted(
  deps: EncodingApiDependencies,
  request: FastifyRequest,
  keep: KeepAnswer,
): Respond<OperationRecord> {
  return async (trx, row) => {
    const record = present(deps, request, row);
    await keep(trx, record);
    return record;
  };
}

function serveSlots(
  router: Router,
  deps: EncodingApiDependencies,
  family: Family,
  calls: EncodingApiCalls,
): void {
  const { db, mostOpenSlots } = deps;
  router.serve(calls.listSlots, async ({ caller, query }) => {
    const { organisationId, clientGuid } = caller;
    const { ownerCustomerCode: userCode, before } = query;
    const ask = { organisationId, clientGuid, family, userCode, before, count: mostListedSlots };
    const slots = await listSlotStates(db, ask);
    return slots.map((slot) => describeSlot(caller, slot));
  });
  router.serve(calls.closeSlot, ({ caller, params }) => closeSlot(db, caller, family, params.slot));
  router.serve(calls.reopenSlot, ({ caller, params }) =>
    reopenSlot(db, caller, { family, guid: params.slot, mostOpenSlots }),
  );
}

/** The entry of that name in any case. @throws {Refusal} BAD_REQUEST when there is none */
function findType<T>(types: Readonly<Record<string, T>>, name: string): T {
  const known = Object.entries(types).find(([type]) => type.toLowerCase() === name.toLowerCase());
  if (known === undefined) throw new Refusal('BAD_REQUEST');
  return known[1];
}

/** The request for a file, and its response. */
interface FileExchange {
  readonly caller: ClientCaller;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function serveFiles(
  router: Router,
  deps: EncodingApiDependencies,
  family: Family,
  calls: EncodingApiCalls,
): void {
  const { db, storage } = deps;
  const { fileTypes } = encodingApiOf(family);
  const send = async (
    asked: StoredFile | null | undefined,
    seal: 'again' | 'earlier' | undefined,
    { caller: doer, request, reply }: FileExchange,
  ): Promise<undefined> => {
    if (!asked) throw new Refusal('NOT_FOUND');
    const file = await findDelivery(deps.sealing, doer, asked, seal);
    recordWhenSent(db, [file], { way: 'own', doer }, { request, reply });
    return sendFileData(storage, file, request, reply);
  };

  router.serve(calls.findFile, async ({ params, query, ...exchange }) => {
    const { caller } = exchange;
    const { role, component, mode } = findType(fileTypes, query.fileType);
    const slot = await requireSlot(db, caller, family, params.slot);
    if (mode !== undefined && mode !== slot.mode) throw new Refusal('NOT_FOUND');
    const files = await listStoredFiles(db, caller.organisationId, slot.guid);
    const ofType = files.filter((file) => file.role === role && file.component === component);
    // a user may have restored an earlier version
    const current = filesOf(slot.draft).map(({ fileGuid }) => fileGuid);
    const prepared = ofType.find(({ guid }) => current.includes(guid));
    return send(prepared ?? findLatest(ofType), query.seal, exchange);
  });

  router.serve(calls.getFile, async ({ params, query, ...exchange }) => {
    const { caller } = exchange;
    const slot = await requireSlot(db, caller, family, params.slot);
    const file = await findStoredFile(db, caller.organisationId, params.fileGUID);
    return send(file?.slotGuid === slot.guid ? file : null, query.seal, exchange);
  });
}

/** Refuses a callback address that cannot be used. @throws {Refusal} CALLBACK_URL_NOT_ALLOWED */
async function checkCallbackURL(deps: EncodingApiDependencies, url: string | null): Promise<void> {
  if (url !== null) await deps.admitCallbackURL(url);
}

function serveWork(
  router: Router,
  deps: EncodingApiDependencies,
  family: Family,
  calls: EncodingApiCalls,
): void {
  const { db, mostOpenSlots } = deps;
  const { uploadTypes } = encodingApiOf(family);
  const workflow = findWorkflow(family, { isUtility: false });
  if (workflow === null) throw new Error(`${family} decodes nothing`);

  router.serve(calls.decode, async ({ caller, params, query, upload, request, keep }) => {
    const { callbackURL, slaveSerialNumber: slave, ...choice } = query;
    await checkCallbackURL(deps, callbackURL);
    const ask = {
      workflow,
      choice: readChoice(choice),
      slave,
      skipChecksum: false,
      debug: false,
      program: {
        clientGuid: caller.clientGuid,
        userCode: params.userCode,
        callbackUrl: callbackURL,
        baseAddress: baseAddressOf(request, deps.addresses),
        mostOpenSlots,
      },
    } satisfies DecodeAsk;
    const checked = {
      ...upload,
      async receive() {
        const received = await upload.receive();
        if (callbackURL === null) await checkCallbackURL(deps, received.fields.callbackURL);
        return received;
      },
    };
    return requestDecode(deps, caller, ask, checked, answerStarted(deps, request, keep));
  });

  router.serve(calls.upload, async ({ caller, params, upload, keep }) => {
    const place = findType(uploadTypes, params.fileType);
    await requireOpenSlot(db, caller, family, params.slot);
    const ask = { family, slotGuid: params.slot, ...place };
    const { fileGUID } = await receiveImage(deps, caller, ask, { upload, keep });
    return { guid: fileGUID };
  });

  for (const { mode, route } of calls.encodes) {
    router.serve(route, async ({ caller, body, query, request, keep }) => {
      await requireOpenSlot(db, caller, family, body.slotGuid);
      const callbackUrl = query.callbackURL ?? body.callbackURL;
      await checkCallbackURL(deps, callbackUrl);
      const baseAddress = baseAddressOf(request, deps.addresses);
      const ask = { ...askOf(family, mode, body), callbackUrl, baseAddress };
      return requestEncode(deps, caller, ask, answerStarted(deps, request, keep));
    });
  }
}

/** The input of the use case for an encode. Anything that it does not name stays as it was read. */
function askOf(family: Family, mode: Mode, body: ProgramEncode): EncodeAsk {
  const { slotGuid, willCorrectCVN, willCorrectChecksums, userInfo } = body;
  const of = (role: UploadPlace['role']) => body.files.filter((file) => file.role === role);
  const modified = of('modified').map(({ component, fileGuid }) => ({ component, fileGuid }));
  return {
    family,
    slotGuid,
    modified,
    originalFileGuid: of('original')[0]?.fileGuid ?? null,
    removed: [],
    reencode: mode === 'obd' && modified.length === 0,
    willCorrectCVN,
    willSkipChecksum: false,
    willCorrectChecksums,
    contextData: null,
    notificationInfo: null,
    userInfo,
  };
}
