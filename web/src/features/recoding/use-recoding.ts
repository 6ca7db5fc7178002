/** Drives the recoding page: the reducer's state, what the user may do with it, and what goes on behind. */
import { Refusal } from '@recodery/contract/errors';
import { operation as operationShape } from '@recodery/contract/operations';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { onEvent, onStreamState, streamIsUp } from '../../api/events.ts';
import { followOperation, type OperationStream } from '../operations/follow-operation.ts';
import { writeContext } from './context-data.ts';
import type { PartName } from './decoded-read.ts';
import { oweDownload, startDownload, takeOwedDownload } from './downloads.ts';
import type { DecodeSwitches, DeviceQuery, FamilyPage, Recipient } from './family-page.ts';
import type { Fault } from './fault.ts';
import type { EncodeSource, FlowEvent } from './flow-events.ts';
import { type Flow, recodingFlow } from './recoding-flow.ts';
import { recogniseFile, whyPartTurnedAway, whyTurnedAway } from './recognise-read.ts';
import {
  arrivalOf,
  beginning,
  decodeEnd,
  encodeEnd,
  operationAwaited,
  type TakenUp,
} from './taking-up.ts';

const stream: OperationStream = {
  isUp: streamIsUp,
  onOperation: (listener) => onEvent('operation', operationShape, listener),
  onUpOrDown: onStreamState,
};

export interface RecodingParts {
  readonly page: FamilyPage;
  readonly device: DeviceQuery;
  readonly takenUp: TakenUp | null;
  readonly isEngineUp: boolean;
  readonly maxFileBytes: number;
}

export interface Recoding {
  readonly flow: Flow;
  /** The read file that was last chosen here, for another page or another device to take. */
  readonly heldFile: () => File | null;
  readonly tell: (event: FlowEvent) => void;
  readonly chooseRead: (file: File, switches: DecodeSwitches) => void;
  readonly cancelRead: () => void;
  readonly choosePart: (part: PartName, file: File) => void;
  readonly cancelPart: (part: PartName) => void;
  readonly removePart: (part: PartName, isRemoved: boolean) => void;
  readonly encode: (source: EncodeSource) => void;
  readonly confirmSend: (recipient: Recipient) => void;
}

let attempts = 0;

/** A number that no other request of this page life bears. */
function nextAttempt(): number {
  attempts += 1;
  return attempts;
}

function refused(thrown: unknown): Fault {
  return { kind: 'refused', thrown };
}

/** The state, and a way to change it that knows at once what it has become. */
function useFlow(begin: () => Flow) {
  const [flow, setFlow] = useState(begin);
  const latest = useRef(flow);
  const tell = (event: FlowEvent): Flow => {
    latest.current = recodingFlow(latest.current, event);
    setFlow(latest.current);
    return latest.current;
  };
  return { flow, tell, now: () => latest.current };
}

/** Follows the operation that the page waits for, and tells the flow its end. */
function useFollowing(page: FamilyPage, flow: Flow, tell: (event: FlowEvent) => void): void {
  const client = useQueryClient();
  const guid = operationAwaited(flow)?.guid ?? null;
  const isResumed = operationAwaited(flow)?.isResumed ?? false;
  const isDecode = flow.at === 'decoding';
  useEffect(() => {
    if (guid === null) return;
    oweDownload(guid);
    const fail = (fault: Fault): void =>
      tell({ type: isDecode ? 'decode-failed' : 'encode-failed', operationGUID: guid, fault });
    return followOperation(
      { client, stream },
      { guid, isResumed },
      {
        // A result that is not what the contract says rejects here and is shown as our fault.
        onEnded: (ended) =>
          void Promise.resolve(ended)
            .then((done) => (isDecode ? decodeEnd(page, done) : encodeEnd(done)))
            .then(tell, (thrown: unknown) => fail(refused(thrown))),
        onLost: (thrown) =>
          fail(thrown instanceof Refusal ? refused(thrown) : { kind: 'lost', operationGUID: guid }),
      },
    );
    // `tell` is new at each drawing and always the same in effect.
  }, [client, page, guid, isResumed, isDecode]);
}

/** Starts the download of what the user has waited for, once. */
function useArrivals(flow: Flow): void {
  const arrival = arrivalOf(flow);
  const operationGUID = arrival?.operationGUID;
  const url = arrival?.url;
  useEffect(() => {
    if (operationGUID && url && takeOwedDownload(operationGUID)) startDownload(url);
  }, [operationGUID, url]);
}

export function useRecoding(parts: RecodingParts): Recoding {
  const { page, device, takenUp, isEngineUp, maxFileBytes } = parts;
  const { flow, tell, now } = useFlow(() => beginning(page, takenUp));
  const held = useRef<File | null>(null);
  const [uploads] = useState(() => new Map<number, AbortController>());
  useFollowing(page, flow, tell);
  useArrivals(flow);
  useEffect(
    () => () => {
      for (const upload of uploads.values()) upload.abort();
    },
    [uploads],
  );

  /** Runs an upload that can be cancelled by its attempt. */
  async function sending<T>(
    attempt: number,
    send: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const upload = new AbortController();
    uploads.set(attempt, upload);
    return send(upload.signal).finally(() => uploads.delete(attempt));
  }

  async function uploadRead(file: File, switches: DecodeSwitches): Promise<void> {
    held.current = file;
    const label = { name: file.name, size: file.size };
    const away = whyTurnedAway(page, await recogniseFile(file), file, maxFileBytes);
    if (away) return void tell({ type: 'read-turned-away', file: label, ...away });
    const attempt = nextAttempt();
    const next = tell({ type: 'read-chosen', attempt, file: label, isEngineUp });
    if (next.at !== 'uploading' || next.attempt !== attempt) return;
    const onProgress = (fraction: number): void =>
      void tell({ type: 'read-progressed', attempt, fraction });
    await sending(attempt, (signal) =>
      page.uploadRead(file, device, switches, { signal, onProgress }),
    ).then(
      ({ guid }) => tell({ type: 'read-accepted', attempt, operationGUID: guid }),
      (thrown: unknown) => tell({ type: 'read-refused', attempt, fault: refused(thrown) }),
    );
  }

  async function uploadPart(part: PartName, file: File): Promise<void> {
    const attempt = nextAttempt();
    const label = { name: file.name, size: file.size };
    const next = tell({ type: 'part-chosen', part, attempt, file: label, isEngineUp });
    const state = next.at === 'decoded' ? next.encode.inputs.parts[part] : undefined;
    if (next.at !== 'decoded' || state?.at !== 'uploading' || state.attempt !== attempt) return;
    const { read } = next;
    const fault = whyPartTurnedAway(page, await recogniseFile(file), file.size, maxFileBytes);
    if (fault) return void tell({ type: 'part-refused', attempt, fault });
    const onProgress = (fraction: number): void =>
      void tell({ type: 'part-progressed', attempt, fraction });
    await sending(attempt, (signal) =>
      page.uploadPart(read, part, file, { signal, onProgress }),
    ).then(
      (uploaded) => tell({ type: 'part-uploaded', attempt, uploaded }),
      (thrown: unknown) => tell({ type: 'part-refused', attempt, fault: refused(thrown) }),
    );
  }

  /** Sends the request that the flow has just let through. */
  function request(attempt: number, event: FlowEvent, recipient: Recipient | null): void {
    const before = now();
    const next = tell(event);
    if (next === before || next.at !== 'decoded' || next.encode.at !== 'requesting') return;
    const { read, encode } = next;
    const { source, inputs } = encode;
    const contextData = writeContext(read.operationGUID);
    page.encode({ read, source, inputs, contextData, notificationInfo: recipient }).then(
      ({ guid }) => tell({ type: 'encode-accepted', attempt, operationGUID: guid }),
      (thrown: unknown) => tell({ type: 'encode-refused', attempt, fault: refused(thrown) }),
    );
  }

  /** Ends the upload of a part, if it is on its way. */
  function abortPart(part: PartName): void {
    const flowNow = now();
    const state = flowNow.at === 'decoded' ? flowNow.encode.inputs.parts[part] : undefined;
    if (state?.at === 'uploading') uploads.get(state.attempt)?.abort();
  }

  return {
    flow,
    heldFile: () => held.current,
    tell: (event) => {
      if (event.type === 'reset') for (const upload of uploads.values()) upload.abort();
      tell(event);
    },
    chooseRead: (file, switches) => void uploadRead(file, switches),
    cancelRead: () => {
      const flowNow = now();
      tell({ type: 'read-cancelled' });
      if (flowNow.at === 'uploading') uploads.get(flowNow.attempt)?.abort();
    },
    choosePart: (part, file) => void uploadPart(part, file),
    cancelPart: (part) => {
      abortPart(part);
      tell({ type: 'part-cancelled', part });
    },
    removePart: (part, isRemoved) => {
      abortPart(part);
      tell({ type: 'part-removed', part, isRemoved });
    },
    encode: (source) => {
      const attempt = nextAttempt();
      request(attempt, { type: 'encode-asked', source, attempt }, null);
    },
    confirmSend: (recipient) => {
      const attempt = nextAttempt();
      const mailTo = recipient.email;
      request(attempt, { type: 'send-confirmed', mailTo, attempt }, recipient);
    },
  };
}
