/** The user's commands on a recoding page, each as an event for the flow and the request that belongs to it. */
import type { PartName } from '../decoded-read.ts';
import { writeContext } from './context-data.ts';
import type {
  DecodeSwitches,
  DeviceQuery,
  FamilyPage,
  Recipient,
} from '../families/family-page.ts';
import type { Fault } from '../fault.ts';
import type { EncodeSource } from '../families/family-page.ts';
import type { FlowEvent } from './flow-events.ts';
import type { FlowStore } from './flow-store.ts';
import { recogniseFile, whyPartTurnedAway, whyTurnedAway } from './recognise-read.ts';
import type { Uploads } from './uploads.ts';

/** What the commands depend on. */
export interface Ground {
  readonly page: FamilyPage;
  readonly device: DeviceQuery;
  readonly isEngineUp: boolean;
  readonly maxFileBytes: number;
  readonly store: FlowStore;
  readonly uploads: Uploads;
}

export interface Commands {
  readonly chooseRead: (file: File, switches: DecodeSwitches) => void;
  readonly cancelRead: () => void;
  /** Uploads the read file again after a failed upload or decode. */
  readonly repeatRead: () => void;
  readonly choosePart: (part: PartName, file: File) => void;
  readonly cancelPart: (part: PartName) => void;
  readonly removePart: (part: PartName, isRemoved: boolean) => void;
  readonly encode: (source: EncodeSource) => void;
  readonly confirmSend: (recipient: Recipient) => void;
  /** Retries the request of a failed encode unchanged. */
  readonly repeatEncode: () => void;
  /** Retries the upload of a part. */
  readonly repeatPart: (part: PartName) => void;
  readonly reset: () => void;
}

let attempts = 0;

/** A number that no other request has during the lifetime of this page. */
function nextAttempt(): number {
  attempts += 1;
  return attempts;
}

function refused(thrown: unknown): Fault {
  return { kind: 'refused', thrown };
}

function uploadRead(ground: Ground, file: File, switches: DecodeSwitches): Promise<void> {
  const { page, device, isEngineUp, maxFileBytes, store, uploads } = ground;
  const { tell, hold } = store;
  hold({ file, switches });
  const label = { name: file.name, size: file.size };
  const attempt = nextAttempt();
  // If the user cancels or leaves while the file is being inspected, it is not sent: the upload starts here.
  return uploads.run(attempt, async (signal) => {
    const away = await recogniseFile(file)
      .then((recognised) => whyTurnedAway(page, recognised, file, maxFileBytes))
      .catch((thrown: unknown) => ({ fault: refused(thrown), goesTo: null }));
    if (signal.aborted) return;
    if (away) {
      tell({ type: 'read-turned-away', file: label, ...away });
      return;
    }
    const next = tell({ type: 'read-chosen', attempt, file: label, isEngineUp });
    if (next.at !== 'uploading' || next.attempt !== attempt) return;
    const onProgress = (fraction: number) => tell({ type: 'read-progressed', attempt, fraction });
    await page.uploadRead(file, device, switches, { signal, onProgress }).then(
      ({ guid }) => tell({ type: 'read-accepted', attempt, operationGUID: guid }),
      (thrown: unknown) => tell({ type: 'read-refused', attempt, fault: refused(thrown) }),
    );
  });
}

async function uploadPart(ground: Ground, part: PartName, file: File): Promise<void> {
  const { page, isEngineUp, maxFileBytes, store, uploads } = ground;
  const { tell } = store;
  const attempt = nextAttempt();
  const label = { name: file.name, size: file.size };
  uploads.keepFile(part, file);
  const next = tell({ type: 'part-chosen', part, attempt, file: label, isEngineUp });
  const state = next.at === 'decoded' ? next.encode.inputs.parts[part] : undefined;
  if (next.at !== 'decoded' || state?.at !== 'uploading' || state.attempt !== attempt) return;
  const { read } = next;
  await uploads.run(attempt, async (signal) => {
    const fault = await recogniseFile(file)
      .then((recognised) => whyPartTurnedAway(page, recognised, file.size, maxFileBytes))
      .catch(refused);
    if (signal.aborted) return;
    if (fault) {
      tell({ type: 'part-refused', attempt, fault });
      return;
    }
    const onProgress = (fraction: number) => tell({ type: 'part-progressed', attempt, fraction });
    await page.uploadPart(read, part, file, { signal, onProgress }).then(
      (uploaded) => tell({ type: 'part-uploaded', attempt, uploaded }),
      (thrown: unknown) => tell({ type: 'part-refused', attempt, fault: refused(thrown) }),
    );
  });
}

/** Sends the request for an encode that the flow has just accepted. */
function request({ page, store }: Ground, attempt: number, event: FlowEvent): void {
  const { tell, now } = store;
  const before = now();
  const next = tell(event);
  if (next === before || next.at !== 'decoded' || next.encode.at !== 'requesting') return;
  const { read, encode } = next;
  const { inputs, plan } = encode;
  const { source, recipient: notificationInfo } = plan;
  const contextData = writeContext(read, inputs, plan);
  page.encode({ read, source, inputs, contextData, notificationInfo }).then(
    ({ guid }) => tell({ type: 'encode-accepted', attempt, operationGUID: guid }),
    (thrown: unknown) => tell({ type: 'encode-refused', attempt, fault: refused(thrown) }),
  );
}

/** Cancels the upload of a part, if one is in progress. */
function abortPart({ store, uploads }: Ground, part: PartName): void {
  const flow = store.now();
  const state = flow.at === 'decoded' ? flow.encode.inputs.parts[part] : undefined;
  if (state?.at === 'uploading') uploads.abort(state.attempt);
}

/** The commands of a page. */
export function commandsOn(ground: Ground): Commands {
  const { store, uploads } = ground;
  const { tell, now } = store;
  return {
    chooseRead: (file, switches) => void uploadRead(ground, file, switches),
    cancelRead: () => {
      const flow = now();
      tell({ type: 'read-cancelled' });
      if (flow.at === 'uploading') uploads.abort(flow.attempt);
    },
    repeatRead: () => {
      const held = store.held();
      if (!held || !ground.isEngineUp) return;
      tell({ type: 'retried' });
      void uploadRead(ground, held.file, held.switches);
    },
    choosePart: (part, file) => void uploadPart(ground, part, file),
    cancelPart: (part) => {
      abortPart(ground, part);
      tell({ type: 'part-cancelled', part });
    },
    removePart: (part, isRemoved) => {
      abortPart(ground, part);
      tell({ type: 'part-removed', part, isRemoved });
    },
    encode: (source) => {
      const attempt = nextAttempt();
      request(ground, attempt, { type: 'encode-asked', source, attempt });
    },
    confirmSend: (recipient) => {
      const attempt = nextAttempt();
      request(ground, attempt, { type: 'send-confirmed', recipient, attempt });
    },
    repeatEncode: () => {
      const attempt = nextAttempt();
      request(ground, attempt, { type: 'encode-repeated', attempt });
    },
    repeatPart: (part) => {
      const file = uploads.fileOf(part);
      if (!file || !ground.isEngineUp) return;
      tell({ type: 'part-restored', part });
      void uploadPart(ground, part, file);
    },
    reset: () => {
      uploads.abortAll();
      tell({ type: 'reset' });
    },
  };
}
