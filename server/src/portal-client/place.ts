/** The work on one read file of a watched folder: decode it once, then encode each modified file that is saved. */
import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { describeRefusal, type RemoteClient } from './client.ts';
import { CredentialsRefused, RequestRefused } from '../encoding-api-client/errors.ts';
import { hashOf } from '../encoding-api-client/records.ts';
import { uploadTargetOf } from '../encoding-api-client/requests.ts';
import { readPlainFile } from './folder.ts';
import { decodedName, encodedName } from './names.ts';
import { writeNewFile } from './new-file.ts';
import { describeNeed, needsSlave } from './slave-needed.ts';
import { type EncodeWork, type Image, type ReadRecord, saveRecord } from './record.ts';
import {
  awaitOperation,
  describeOperationError,
  downloadDecoded,
  downloadEncoded,
  readDecodeSummary,
  type SlotOperation,
  startDecode,
  startRemoteEncode,
  turnSlot,
  uploadImage,
} from './work.ts';

/** What is needed to work in a folder. */
export interface WatchTools {
  readonly client: RemoteClient;
  readonly folder: string;
  /** The label of the workshop's customer. */
  readonly userCode: string;
  readonly willCorrectCVN: boolean;
  /** Of real control units. */
  readonly willCorrectChecksums: boolean;
  /** The family of files that are not recognized; null: they are skipped. */
  readonly foreignFamily: Family | null;
  /** The slave that wrote the read files, where the service of their maker needs it; undefined: not stated. */
  readonly slave?: string | undefined;
  /** Reports an event, in one line. */
  log(text: string): void;
  /** Reports a failure, in one line. */
  complain(text: string): void;
}

/** A read file and its record. */
export interface WatchedRead {
  readonly name: string;
  readonly record: ReadRecord;
}

/** An image of an encode, with its bytes. */
export interface LoadedImage extends Image {
  readonly bytes: Uint8Array;
}

/** The record of a read file that has not been processed yet. */
export function newRecord(
  tools: WatchTools,
  ask: { readonly file: string; readonly family: Family; readonly bytes: Uint8Array },
  previous: ReadRecord | null,
): ReadRecord {
  const { file, family, bytes } = ask;
  return {
    outcome: 'decoding',
    slot: null,
    family,
    read: { file, size: bytes.length, sha256: hashOf(bytes) },
    decode: {
      ...newWork(tools),
      mode: null,
      isCVNCorrectionPossible: false,
      files: [],
    },
    encodes: [],
    previous: previous === null ? [] : [{ ...previous, previous: [] }, ...previous.previous],
  };
}

function newWork({ userCode }: WatchTools) {
  const key = `recodery-remote-${randomUUID()}`;
  return { outcome: 'running' as const, key, userCode, operation: null, error: null };
}

/** Has a read decoded again that was refused because its slave was not known, now that one is given. */
export function reopenDecode(tools: WatchTools, record: ReadRecord): ReadRecord {
  const { decode } = record;
  return decode.needsSlave === true && tools.slave !== undefined
    ? { ...record, decode: { ...decode, ...newWork(tools), needsSlave: false } }
    : record;
}

function save({ folder }: WatchTools, { name, record }: WatchedRead): Promise<void> {
  return saveRecord(folder, name, record);
}

/** A refusal of this work, as text; any other error is rethrown. */
function refusalOf(error: unknown): string {
  if (error instanceof RequestRefused && !(error instanceof CredentialsRefused))
    return describeRefusal(error);
  throw error;
}

/** Closes the slot, which would otherwise count toward the limit of open slots. */
async function closeAgain({ client }: WatchTools, { family, slot }: ReadRecord): Promise<void> {
  // a slot that no longer exists need not be closed
  if (slot !== null) await turnSlot(client, family, slot, 'close').catch(refusalOf);
}

/** Decodes the read, continuing at the step at which an earlier run was interrupted. */
export async function finishDecode(tools: WatchTools, place: WatchedRead): Promise<void> {
  const { client, folder } = tools;
  const { record } = place;
  const { decode, family, read } = record;
  try {
    if (decode.operation === null) {
      tools.log(`${read.file}: decoding (${definitionOf(family).name})`);
      const bytes = await readPlainFile(join(folder, read.file));
      if (hashOf(bytes) !== read.sha256) return;
      await save(tools, place);
      const { slave } = tools;
      const asked = { ...decode, name: read.file, bytes, slave };
      const started = await startDecode(client, family, asked);
      record.slot = started.slotGuid;
      decode.operation = started.guid;
      await save(tools, place);
    }
    const ended = await awaitOperation(client, decode.operation);
    record.slot = ended.slotGuid;
    if (ended.status === 'succeeded') await storeDecoded(tools, place, ended);
    else decode.error = describeOperationError(ended);
  } catch (error) {
    decode.needsSlave = needsSlave(error);
    decode.error = needsSlave(error) ? describeNeed(tools.slave) : refusalOf(error);
  }
  await closeAgain(tools, record);
  decode.outcome = decode.error === null ? 'succeeded' : 'failed';
  await save(tools, place);
  const files = decode.files.map((one) => one.file).join(', ');
  if (decode.error !== null) tools.complain(`${read.file}: not decoded: ${decode.error}`);
  else if (files === '')
    tools.log(`${read.file}: decoded; it contains no image, only the identification`);
  else tools.log(`${read.file}: decoded to ${files}`);
}

async function storeDecoded(
  { client, folder }: WatchTools,
  { name, record }: WatchedRead,
  { slotGuid, result }: SlotOperation,
): Promise<void> {
  const { decode, family } = record;
  const found = readDecodeSummary(family, result);
  decode.mode = found.mode;
  decode.isCVNCorrectionPossible = found.isCVNCorrectionPossible;
  decode.files = [];
  for (const component of found.components) {
    const { bytes } = await downloadDecoded(client, family, slotGuid, component);
    const wanted = { name: decodedName(name, component), extension: '.decoded.bin' };
    const file = await writeNewFile(folder, wanted, bytes);
    decode.files.push({ component, file, size: bytes.length, sha256: hashOf(bytes) });
  }
}

/** Whether the newest encode was made from other files. A file that was deleted since then does not count. */
export function areNew(images: readonly Image[], { encodes }: ReadRecord): boolean {
  const known = encodes.at(-1)?.images ?? [];
  return images.some(
    ({ role, component, sha256 }) =>
      !known.some(
        (one) => one.role === role && one.component === component && one.sha256 === sha256,
      ),
  );
}

/** Uploads images and encodes them. */
export async function startNewEncode(
  tools: WatchTools,
  place: WatchedRead,
  images: readonly LoadedImage[],
): Promise<void> {
  const { client } = tools;
  const { record } = place;
  const { family, slot } = record;
  if (slot === null) return;
  const work: EncodeWork = {
    ...newWork(tools),
    images: images.map(({ role, component, file, size, sha256 }) => {
      return { role, component, file, size, sha256 };
    }),
    uploads: [],
    willCorrectCVN: tools.willCorrectCVN && record.decode.isCVNCorrectionPossible,
    willCorrectChecksums: tools.willCorrectChecksums,
    file: null,
  };
  tools.log(`${filesOf(work)}: encoding for ${record.read.file}`);
  try {
    await turnSlot(client, family, slot, 'reopen');
    for (const image of images) {
      const { file, bytes } = image;
      const given = { place: uploadTargetOf(image), name: basename(file), bytes };
      const ask = { ...given, userCode: work.userCode, slotGuid: slot };
      work.uploads.push(
        await uploadImage(client, family, ask).catch((error: unknown) => {
          throw new RequestRefused(`${image.file}: ${refusalOf(error)}`);
        }),
      );
    }
  } catch (error) {
    work.error = refusalOf(error);
  }
  record.encodes.push(work);
  // stored before the encode is requested: after a crash, the same files and key are sent again
  await save(tools, place);
  await finishEncode(tools, place, work);
}

/** Encodes the uploaded images, continuing at the step at which an earlier run was interrupted. */
export async function finishEncode(
  tools: WatchTools,
  place: WatchedRead,
  work: EncodeWork,
): Promise<void> {
  const { client } = tools;
  if (work.error === null) {
    try {
      work.operation ??= await requestEncode(tools, place, work);
      await save(tools, place);
      const ended = await awaitOperation(client, work.operation);
      if (ended.status === 'succeeded') await storeEncoded(tools, place, work, ended);
      else work.error = describeOperationError(ended);
    } catch (error) {
      work.error = refusalOf(error);
    }
  }
  await closeAgain(tools, place.record);
  work.outcome = work.error === null ? 'succeeded' : 'failed';
  await save(tools, place);
  if (work.error === null) tools.log(`${filesOf(work)}: encoded to ${work.file?.file}`);
  else tools.complain(`${filesOf(work)}: not encoded: ${work.error}`);
}

const filesOf = ({ images }: EncodeWork): string => images.map(({ file }) => file).join(', ');

async function requestEncode(
  { client }: WatchTools,
  { record }: WatchedRead,
  work: EncodeWork,
): Promise<string> {
  const { family, decode, slot } = record;
  if (slot === null) throw new RequestRefused('NOT_FOUND');
  // another program may have closed it, and an interrupted run does not know
  await turnSlot(client, family, slot, 'reopen');
  const { guid } = await startRemoteEncode(client, family, {
    mode: decode.mode ?? 'obd',
    userCode: work.userCode,
    slotGuid: slot,
    fileGuids: Object.fromEntries(
      work.images.map((image, at) => [uploadTargetOf(image), work.uploads[at] ?? '']),
    ),
    willCorrectCVN: work.willCorrectCVN,
    willCorrectChecksums: work.willCorrectChecksums === true,
    idempotencyKey: work.key,
  });
  return guid;
}

async function storeEncoded(
  { client, folder }: WatchTools,
  { name, record }: WatchedRead,
  work: EncodeWork,
  ended: SlotOperation,
): Promise<void> {
  const { bytes } = await downloadEncoded(client, record.family, ended);
  const file = await writeNewFile(folder, encodedName(name, record.family), bytes);
  work.file = { file, size: bytes.length, sha256: hashOf(bytes) };
}
