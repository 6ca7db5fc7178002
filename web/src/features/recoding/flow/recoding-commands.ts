/** The user's commands on a recoding page, each as an event for the flow and the request that belongs to it. */
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import { isUploadNoted } from '@recodery/contract/features/slots';
import type { Recognized } from '@recodery/contract/recognize';
import { Refusal } from '@recodery/contract/refusal';
import { withTexts } from '../../../i18n/texts.ts';
import type { FileLabel, PartName } from '../decoded-read.ts';
import { writeContext } from './drafts/context-data.ts';
import type {
  DecodeSwitches,
  DeviceQuery,
  EncodeSource,
  FamilyPage,
  Recipient,
} from '../families/family-page.ts';
import type { Fault } from '../fault.ts';
import type { UploadingPart } from '../inputs.ts';
import type { EncodeEvent, FlowEvent } from './state/flow-events.ts';
import type { FlowStore } from './state/flow-store.ts';
import type { Flow } from './state/recoding-flow.ts';
import {
  pageOf,
  partRefusalReason,
  readRefusalReason,
  recognizeByName,
  recognizeFile,
} from './reads/recognize-read.ts';
import type { Uploads } from './uploads.ts';

/** The dependencies of the commands. */
export interface Ground {
  readonly page: FamilyPage;
  readonly device: DeviceQuery;
  readonly isEngineUp: boolean;
  readonly maxFileBytes: number;
  readonly takesForeignFiles: boolean;
  readonly store: FlowStore;
  readonly uploads: Uploads;
}

type Tail<T extends readonly unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

let attempts = 0;

/** A number that no other request has during the lifetime of this page. */
function nextAttempt(): number {
  attempts += 1;
  return attempts;
}

function refused(thrown: unknown): Fault {
  return { kind: 'refused', thrown };
}

/** The event about an upload that failed; `isNoted`: whether the server notes a refusal with this code. */
function partRefused(
  attempt: number,
  thrown: unknown,
  isNoted: (code: string) => boolean,
): FlowEvent {
  const isLocal = !(thrown instanceof Refusal && isNoted(thrown.code));
  return { type: 'part-refused', attempt, fault: refused(thrown), isLocal };
}

/** What a file is that is in no container; the code for it is loaded with the first one. */
async function findForeign(
  { page, takesForeignFiles }: Ground,
  file: File,
  recognized: Recognized,
  signal: AbortSignal,
) {
  if (recognized.outcome !== 'unknown' && recognized.outcome !== 'archive') return null;
  // a read of this maker may be an archive, whatever it contains
  if (takesForeignFiles && pageOf(recognizeByName(recognized, file)) === page.id) return null;
  // without the code for it, the server decides: an explanation must not keep a file from being sent
  const part = await withTexts(import('./reads/inspect-foreign.ts'), 'foreign').catch(() => null);
  return part && part.inspectForeign(file, recognized, signal);
}

function uploadRead(ground: Ground, file: File, switches: DecodeSwitches): Promise<void> {
  const { page, device, isEngineUp, store, uploads } = ground;
  const { dispatch, hold, now } = store;
  const label = { name: file.name, size: file.size };
  const attempt = nextAttempt();
  // If the user cancels or leaves while the file is being inspected, it is not sent: the upload starts here.
  return uploads.run(attempt, async (signal) => {
    const refusal = await recognizeFile(file)
      .then(async (recognized) => {
        const foreign = await findForeign(ground, file, recognized, signal);
        return readRefusalReason(page, recognized, file, ground, foreign);
      })
      .catch((thrown: unknown) => ({ fault: refused(thrown), goesTo: null }));
    if (signal.aborted) return;
    const before = now();
    const next = dispatch(
      refusal
        ? { type: 'read-rejected', file: label, ...refusal }
        : { type: 'read-chosen', attempt, file: label, isEngineUp },
    );
    // the page has another file by now, or the engine is down
    if (next === before) return;
    hold({ file, switches });
    if (refusal) return;
    const onProgress = (fraction: number) =>
      dispatch({ type: 'read-progressed', attempt, fraction });
    await page.uploadRead(file, device, switches, { signal, onProgress }).then(
      ({ guid }) => dispatch({ type: 'read-accepted', attempt, operationGUID: guid }),
      (thrown: unknown) => dispatch({ type: 'read-refused', attempt, fault: refused(thrown) }),
    );
  });
}

/**
 * Inspects a file before it is uploaded for a part; false if it must not be uploaded there without asking the user. The
 * signal aborts this when the user cancels.
 */
export type Inspect = (signal: AbortSignal) => Promise<boolean>;

/** Uploads a file for a part. The part counts as uploading while the file is being inspected. */
async function uploadPart(
  ground: Ground,
  part: PartName,
  file: File,
  inspect?: Inspect,
): Promise<void> {
  const { page, isEngineUp, maxFileBytes, store, uploads } = ground;
  const { dispatch } = store;
  const attempt = nextAttempt();
  const label = { name: file.name, size: file.size };
  uploads.keepFile(part, file);
  const next = dispatch({ type: 'part-chosen', part, attempt, file: label, isEngineUp });
  if (next.at !== 'decoded' || uploadOf(next, part)?.attempt !== attempt) return;
  const { read } = next;
  await uploads.run(attempt, async (signal) => {
    const isWanted = inspect === undefined || (await inspect(signal));
    if (signal.aborted) return;
    if (!isWanted) {
      dispatch({ type: 'part-canceled', part });
      return;
    }
    const fault = await recognizeFile(file)
      .then((recognized) => partRefusalReason(page, recognized, file.size, maxFileBytes))
      .catch(refused);
    if (signal.aborted) return;
    if (fault) {
      dispatch({ type: 'part-refused', attempt, fault, isLocal: true });
      return;
    }
    const onProgress = (fraction: number) =>
      dispatch({ type: 'part-progressed', attempt, fraction });
    const send = (name: string) => page.uploadPart(read, part, file, { signal, onProgress, name });
    await uploads.sendImage({ slotGUID: read.slotGUID, part, file }, signal, send).then(
      (uploaded) => dispatch({ type: 'part-uploaded', attempt, uploaded }),
      (thrown: unknown) => dispatch(partRefused(attempt, thrown, isUploadNoted)),
    );
  });
}

/** Puts a file that the server already has into a part, as `send` requests. */
async function placePart(
  { isEngineUp, store: { dispatch }, uploads }: Ground,
  part: PartName,
  file: FileLabel,
  send: (signal: AbortSignal) => Promise<UploadedFile>,
): Promise<void> {
  const attempt = nextAttempt();
  const next = dispatch({ type: 'part-chosen', part, attempt, file, isEngineUp });
  if (uploadOf(next, part)?.attempt !== attempt) return;
  await uploads.run(attempt, (signal) =>
    send(signal).then(
      (uploaded) => dispatch({ type: 'part-uploaded', attempt, uploaded }),
      // a note of this page would replace that of the server, which offers the repair
      (thrown: unknown) => dispatch(partRefused(attempt, thrown, () => true)),
    ),
  );
}

/** Sends the request for an encode that the flow has just accepted. */
function request({ page, store }: Ground, event: Extract<EncodeEvent, { attempt: number }>): void {
  const { dispatch, now } = store;
  const { attempt } = event;
  const before = now();
  const next = dispatch(event);
  if (next === before || next.at !== 'decoded' || next.encode.at !== 'requesting') return;
  const { read, encode } = next;
  const { inputs, plan } = encode;
  const { source, recipient: notificationInfo } = plan;
  const contextData = writeContext(read, inputs, plan);
  page.encode({ read, source, inputs, contextData, notificationInfo }).then(
    ({ guid }) => dispatch({ type: 'encode-accepted', attempt, operationGUID: guid }),
    (thrown: unknown) => dispatch({ type: 'encode-refused', attempt, fault: refused(thrown) }),
  );
}

/** The upload of a part in progress, or null. */
function uploadOf(flow: Flow, part: PartName): UploadingPart | null {
  const state = flow.at === 'decoded' ? flow.encode.inputs.parts[part] : undefined;
  return state?.at === 'uploading' ? state : null;
}

/** Cancels the upload of a part, if one is in progress. */
function abortPart({ store, uploads }: Ground, part: PartName): void {
  const upload = uploadOf(store.now(), part);
  if (upload) uploads.abort(upload.attempt);
}

/** Cancels the uploads of all parts, one after the other. The draft without them is then saved. */
function cancelParts(ground: Ground): void {
  const flow = ground.store.now();
  if (flow.at !== 'decoded') return;
  for (const part of Object.keys(flow.encode.inputs.parts)) {
    if (uploadOf(flow, part) === null) continue;
    abortPart(ground, part);
    ground.store.dispatch({ type: 'part-canceled', part });
  }
}

/** The commands of a page. */
export function commandsOn(ground: Ground) {
  const { store, uploads } = ground;
  const { dispatch, now } = store;
  return {
    chooseRead: (file: File, switches: DecodeSwitches): void =>
      void uploadRead(ground, file, switches),
    cancelRead: (): void => {
      const flow = now();
      dispatch({ type: 'read-canceled' });
      if (flow.at === 'uploading') uploads.abort(flow.attempt);
    },
    /** Uploads the read file again after a failed upload or decode, or as that of the selected slave. */
    repeatRead: (slave?: string): void => {
      const held = store.held();
      if (!held || !ground.isEngineUp) return;
      dispatch({ type: 'retried' });
      const switches = slave === undefined ? held.switches : { ...held.switches, slave };
      void uploadRead(ground, held.file, switches);
    },
    choosePart: (part: PartName, file: File, inspect?: Inspect): void =>
      void uploadPart(ground, part, file, inspect),
    placePart: (...asked: Tail<Parameters<typeof placePart>>): void =>
      void placePart(ground, ...asked),
    cancelPart: (part: PartName): void => {
      abortPart(ground, part);
      dispatch({ type: 'part-canceled', part });
    },
    removePart: (part: PartName, isRemoved: boolean): void => {
      abortPart(ground, part);
      dispatch({ type: 'part-removed', part, isRemoved });
    },
    encode: (source: EncodeSource): void =>
      request(ground, { type: 'encode-asked', source, attempt: nextAttempt() }),
    confirmSend: (recipient: Recipient): void =>
      request(ground, { type: 'send-confirmed', recipient, attempt: nextAttempt() }),
    /** Retries the request of a failed encode unchanged. */
    repeatEncode: (): void => request(ground, { type: 'encode-repeated', attempt: nextAttempt() }),
    /** Retries the upload of a part; false: this page does not have the file, perhaps because it was reloaded. */
    repeatPart: (part: PartName): boolean => {
      const file = uploads.fileOf(part);
      if (!file || !ground.isEngineUp) return false;
      void uploadPart(ground, part, file);
      return true;
    },
    reset: (): void => {
      cancelParts(ground);
      uploads.abortAll();
      dispatch({ type: 'reset' });
    },
  };
}

export type Commands = ReturnType<typeof commandsOn>;
