/** The handlers of the Encoding API: wire names to ours, one use case each, and back. */
import type { UploadPlace } from '@recodery/contract/encoding-api/family';
import type { OperationRecord } from '@recodery/contract/encoding-api/operations';
import {
  encodingApiCalls,
  getOperationRecord,
  type ProgramEncode,
} from '@recodery/contract/encoding-api/routes';
import { requestAccessToken } from '@recodery/contract/clients';
import { Refusal } from '@recodery/contract/errors';
import type { Mode } from '@recodery/contract/families/family';
import { type Family, families, findWorkflow } from '@recodery/contract/families/registry';
import { encodingApiOf } from '@recodery/contract/families/routes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { issueToken } from '../clients/access-tokens.ts';
import type { KeepAnswer } from '../http/once.ts';
import type { Router } from '../http/serve.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import { findOperation } from '../operations/operations.ts';
import type { MasterChoice } from '../organisations/devices.ts';
import { type DecodeAsk, requestDecode, type Respond } from '../recoding/decode.ts';
import { type EncodeAsk, requestEncode } from '../recoding/encode.ts';
import { type ImageDependencies, receiveImage } from '../recoding/image-uploads.ts';
import { listSlotStates } from '../slots/slots.ts';
import { findStoredFile, listStoredFiles, type StoredFile } from '../slots/stored-files.ts';
import { NothingStored } from '../storage/storage.ts';
import { baseAddressOf } from './base-address.ts';
import { describeRecord } from './operation-record.ts';
import { sendFileData } from './send-file-data.ts';
import { closeSlot, demandOpenSlot, demandSlot, listSlot, reopenSlot } from './slot-access.ts';

export interface EncodingApiDependencies extends ImageDependencies {
  readonly publicUrl: string;
  /** @throws {Refusal} CALLBACK_URL_NOT_ALLOWED unless webhooks can be sent to this address */
  admitCallbackURL(url: string): Promise<void>;
  /** Slots that a client application can have open at once. */
  readonly mostOpenSlots: number;
}

type Calls = (typeof encodingApiCalls)[Family];

/** Registers all calls of the Encoding API. */
export function serveEncodingApi(router: Router, deps: EncodingApiDependencies): void {
  const { db } = deps;
  router.serve(requestAccessToken, ({ body, request }) => issueToken(db, body, request.ip));

  router.serve(getOperationRecord, async ({ caller, params, request }) => {
    const row = await findOperation(db, caller.organisationId, params.guid);
    if (row === null) throw new Refusal('NOT_FOUND');
    return present(deps, request, row);
  });

  for (const family of families) {
    const calls = encodingApiCalls[family];
    serveSlots(router, deps, family, calls);
    serveFiles(router, deps, family, calls);
    serveWork(router, deps, family, calls);
  }
}

function present(deps: EncodingApiDependencies, request: FastifyRequest, row: OperationRow) {
  return describeRecord(row, baseAddressOf(request, deps.publicUrl));
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
  calls: Calls,
): void {
  const { db, mostOpenSlots } = deps;
  router.serve(calls.listSlots, async ({ caller, query }) => {
    const { ownerCustomerCode } = query;
    const slots = await listSlotStates(db, caller.organisationId, family, ownerCustomerCode);
    return slots.map((slot) => listSlot(caller, slot));
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

function serveFiles(
  router: Router,
  deps: EncodingApiDependencies,
  family: Family,
  calls: Calls,
): void {
  const { db, storage } = deps;
  const { fileTypes } = encodingApiOf(family);
  const send = (
    file: StoredFile | null | undefined,
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  ): Promise<undefined> => {
    if (!file) throw new Refusal('NOT_FOUND');
    return sendFileData(storage, file, request, reply).catch((error: unknown) => {
      if (!(error instanceof NothingStored)) throw error;
      request.log.error({ file: file.guid }, 'the storage has lost a file');
      throw new Refusal('NOT_FOUND');
    });
  };

  router.serve(calls.findFile, async ({ caller, params, query, ...exchange }) => {
    const { role, component, mode } = findType(fileTypes, query.fileType);
    const slot = await demandSlot(db, caller, family, params.slot);
    if (mode !== undefined && mode !== slot.mode) throw new Refusal('NOT_FOUND');
    const files = await listStoredFiles(db, caller.organisationId, slot.guid);
    const newest = files.findLast((file) => file.role === role && file.component === component);
    return send(newest, exchange);
  });

  router.serve(calls.getFile, async ({ caller, params, ...exchange }) => {
    const slot = await demandSlot(db, caller, family, params.slot);
    const file = await findStoredFile(db, caller.organisationId, params.fileGUID);
    return send(file?.slotGuid === slot.guid ? file : null, exchange);
  });
}

/** The address to store with an operation, or null for none. @throws {Refusal} CALLBACK_URL_NOT_ALLOWED */
async function checkCallbackURL(
  deps: EncodingApiDependencies,
  text: string | null,
): Promise<string | null> {
  if (text === null || text === '') return null;
  await deps.admitCallbackURL(text);
  return text;
}

/** The master that the query names; null when it names none. */
function chosenMaster({ groupCode, masterDeviceSerialNumber }: MasterChoice): MasterChoice | null {
  return groupCode || masterDeviceSerialNumber ? { groupCode, masterDeviceSerialNumber } : null;
}

function serveWork(
  router: Router,
  deps: EncodingApiDependencies,
  family: Family,
  calls: Calls,
): void {
  const { db, mostOpenSlots } = deps;
  const { uploadTypes } = encodingApiOf(family);
  const workflow = findWorkflow(family, 'recod');
  if (workflow === null) throw new Error(`${family} decodes nothing`);

  router.serve(calls.decode, async ({ caller, params, query, upload, request, keep }) => {
    const { callbackURL, ...choice } = query;
    const ask = {
      workflow,
      choice: chosenMaster(choice),
      skipChecksum: false,
      debug: false,
      program: {
        clientGuid: caller.clientGuid,
        userCode: params.userCode,
        callbackUrl: await checkCallbackURL(deps, callbackURL),
        mostOpenSlots,
      },
    } satisfies DecodeAsk;
    return requestDecode(deps, caller, ask, upload, answerStarted(deps, request, keep));
  });

  router.serve(calls.upload, async ({ caller, params, upload }) => {
    const place = findType(uploadTypes, params.fileType);
    await demandOpenSlot(db, caller, family, params.slot);
    const ask = { family, slotGuid: params.slot, ...place };
    const { fileGUID } = await receiveImage(deps, caller, ask, upload);
    return { guid: fileGUID };
  });

  for (const { mode, route } of calls.encodes) {
    router.serve(route, async ({ caller, body, query, request, keep }) => {
      await demandOpenSlot(db, caller, family, body.slotGuid);
      const callbackUrl = await checkCallbackURL(deps, query.callbackURL);
      const ask = { ...askOf(family, mode, body), callbackUrl };
      return requestEncode(deps, caller, ask, answerStarted(deps, request, keep));
    });
  }
}

/** An encode as the use case takes it. What it does not name stays as it was read. */
function askOf(family: Family, mode: Mode, body: ProgramEncode): EncodeAsk {
  const { slotGuid, willCorrectCVN, userInfo } = body;
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
    contextData: null,
    notificationInfo: null,
    userInfo,
  };
}
