/** The engine of a vendor that speaks the Encoding API: has its service decode and encode, and fetches the results. */
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type DecodeJob,
  type EncodeJob,
  type Engine,
  type EngineDecode,
  type EngineEncode,
  type EngineFile,
  type EngineImage,
  type EngineJob,
  EngineRefused,
  EngineUnavailable,
} from '../engine.ts';
import type { EngineTools } from '../kind.ts';
import { unreported } from '../unreported.ts';
import { asEngineError, openPatience, type Patience } from '../patience.ts';
import { contextsOf, readRemoteWork, type RemoteWork } from './remote-work.ts';
import type { EncodingApiClient } from '../../encoding-api-client/client.ts';
import { joinWords, readErrorWords } from '../../encoding-api-client/error-words.ts';
import { RequestRefused } from '../../encoding-api-client/errors.ts';
import {
  type ApiRequest,
  decodeRequest,
  encodeRequest,
  listRequest,
  operationRequest,
  type SentFile,
  slotRequest,
  uploadRequest,
} from '../../encoding-api-client/requests.ts';
import {
  readDecodeResult,
  readEncodeResult,
  readOperation,
  readSlots,
  readUploaded,
  type RemoteOperation,
} from '../../encoding-api-client/records.ts';

export interface EncodingApiEngineDependencies
  extends Pick<EngineTools, 'log' | 'maxFileBytes' | 'times' | 'stop' | 'receive'> {
  readonly client: EncodingApiClient;
  /** Whether an operation besides this one needs a slot there to be open. */
  isNeeded(slotGuid: string, exceptOperation: string): Promise<boolean>;
}

/** The progress at which each part of the work is done. */
const parts = { sent: 0.2, done: 0.8 } as const;

/** Opens the engine of a connection. */
export function createEncodingApiEngine(deps: EncodingApiEngineDependencies): Engine {
  const run = <J extends EngineJob, T>(
    job: J,
    work: (visit: Visit<J>) => Promise<T>,
  ): Promise<T> => {
    const visit = openVisit(deps, job);
    return work(visit)
      .catch((error: unknown) => {
        throw asEngineError(error, (text) => deps.client.hideSecrets(text));
      })
      .finally(() => {
        // if another attempt continues the work, it keeps its slot
        if (!job.signal.aborted) void leave(visit);
      });
  };
  return {
    decode: (job) => run(job, decode),
    encode: (job) => run(job, encode),
  };
}

/** One job at the vendor's service. */
interface Visit<J extends EngineJob = EngineJob> extends Patience {
  readonly deps: EncodingApiEngineDependencies;
  readonly job: J;
  /** A free label of the caller's customer. */
  readonly userCode: string;
  remote: RemoteWork;
  /** Sends a request and reads its response, until both succeed or the time has passed. */
  ask<T>(request: ApiRequest, read: (json: unknown) => T): Promise<T>;
}

function openVisit<J extends EngineJob>(deps: EncodingApiEngineDependencies, job: J): Visit<J> {
  const patience = openPatience(job, deps);
  return {
    ...patience,
    deps,
    job,
    userCode: job.customerCode === '' ? 'recodery' : job.customerCode,
    remote: readRemoteWork(job.contexts),
    ask: (request, read) =>
      patience.retry(async () => read(await deps.client.call(request, job.signal))),
  };
}

async function remember(visit: Visit, change: Partial<RemoteWork>): Promise<void> {
  visit.remote = { ...visit.remote, ...change };
  await visit.job.remember(contextsOf(visit.remote));
}

async function openFile(job: EngineJob, file: EngineFile): Promise<SentFile> {
  const path = await job.bring(file);
  return { name: file.name, size: file.size, open: () => openAsBlob(path) };
}

async function decode(visit: Visit<DecodeJob>): Promise<EngineDecode> {
  const { job } = visit;
  const { family } = job;
  const request = async (): Promise<ApiRequest> =>
    decodeRequest(family, {
      userCode: visit.userCode,
      file: await openFile(job, job.read),
      idempotencyKey: job.operationGuid,
    });
  const found = await follow(visit, request, (json, slotGuid) =>
    readDecodeResult(family, json, slotGuid),
  );
  if (visit.remote.slotGuid === null) await remember(visit, { slotGuid: found.slotGuid });
  for (const [at, { component, url, size }] of found.images.entries()) {
    await fetchFile(visit, { url, size, path: join(job.folder, `${component}.bin`) });
    visit.advance(parts.done + ((1 - parts.done) * (at + 1)) / found.images.length);
  }
  return {
    ...unreported,
    name: found.name,
    mode: found.mode,
    components: found.images.map(({ component }) => component),
    isImageMissing: found.isImageMissing,
    isChecksumCorrectionNeeded: found.isChecksumCorrectionNeeded,
    isCVNCorrectionPossible: found.isCVNCorrectionPossible,
    isDouble: found.isDouble,
  };
}

async function encode(visit: Visit<EncodeJob>): Promise<EngineEncode> {
  const { job } = visit;
  const { family } = job;
  const { slotGuid } = visit.remote;
  if (slotGuid === null) throw new EngineUnavailable('the slot at the vendor is unknown');
  if (visit.remote.operationGuid === null) await prepare(visit, slotGuid);
  const request = async (): Promise<ApiRequest> =>
    encodeRequest(family, {
      mode: job.mode,
      userCode: visit.userCode,
      slotGuid,
      fileGuids: visit.remote.fileGuids,
      ...(job.willCorrectCVN && job.isCVNCorrectionPossible ? { willCorrectCVN: true } : {}),
      idempotencyKey: job.operationGuid,
    });
  const { url, name, size } = await follow(visit, request, (json) =>
    readEncodeResult(family, json, slotGuid),
  );
  const path = join(job.folder, 'encoded');
  await fetchFile(visit, { url, size, path });
  return { path, name, correctedChecksums: 0, number: null };
}

/** Reopens the slot and uploads the files that the service does not have yet. */
async function prepare(visit: Visit<EncodeJob>, slotGuid: string): Promise<void> {
  const { job, userCode } = visit;
  const { family } = job;
  await reopen(visit, slotGuid);
  const uploads = uploadsOf(job);
  for (const [at, { place, file }] of uploads.entries()) {
    if (visit.remote.fileGuids[place] === undefined) {
      const sent = await openFile(job, file);
      const request = uploadRequest(family, { place, userCode, slotGuid, file: sent });
      const guid = await whileOpen(visit, slotGuid, () => visit.ask(request, readUploaded));
      await remember(visit, { fileGuids: { ...visit.remote.fileGuids, [place]: guid } });
    }
    visit.advance((parts.sent * (at + 1)) / uploads.length);
  }
}

/** The files to upload. An encode of the unmodified read names an image too: the service needs one. */
function uploadsOf(job: EncodeJob) {
  const [first] = job.decoded;
  const unchanged: readonly EngineImage[] = first === undefined ? [] : [first];
  const images = job.modified.length > 0 ? job.modified : unchanged;
  const original = job.original === null ? [] : [{ place: 'original' as const, ...job.original }];
  return [...images.map(({ component, file }) => ({ place: component, file })), ...original];
}

async function reopen({ job, ask }: Visit, slotGuid: string): Promise<void> {
  await ask(slotRequest(job.family, slotGuid, 'reopen'), () => undefined);
}

/**
 * Runs a request that needs the slot open; repeats it if it was refused because another operation had closed the slot.
 */
async function whileOpen<T>(visit: Visit, slotGuid: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestRefused) || !(await mayBeClosed(visit, slotGuid))) throw error;
    await reopen(visit, slotGuid);
    return work();
  }
}

/** Whether the service lists the slot as closed, or returns no list. */
async function mayBeClosed({ job, ask }: Visit, slotGuid: string): Promise<boolean> {
  const slots = await ask(listRequest(job.family), readSlots).catch((error: unknown) => {
    if (error instanceof RequestRefused) return null;
    throw error;
  });
  if (slots === null) return true;
  const slot = slots.find(({ guid }) => guid.toLowerCase() === slotGuid.toLowerCase());
  return slot?.isClosed === true;
}

/** Starts the operation there unless it is known, and polls it until it has succeeded; its result. */
async function follow<R extends object>(
  visit: Visit,
  request: () => Promise<ApiRequest>,
  readResult: (json: unknown, slotGuid: string | null) => R,
): Promise<R> {
  const known = visit.remote.operationGuid;
  const guid = known ?? (await start(visit, await request()));
  visit.advance(parts.sent);
  for (;;) {
    const { slotGuid: expected } = visit.remote;
    const { operation, result } = await visit.ask(operationRequest(guid), (json) => {
      const record = readRecord(json, { guid, slotGuid: expected });
      const isDone = record.status === 'succeeded';
      const slotGuid = expected ?? record.slotGuid;
      return { operation: record, result: isDone ? readResult(record.result, slotGuid) : null };
    });
    await learnSlot(visit, operation);
    if (result !== null) {
      visit.advance(parts.done);
      return result;
    }
    await pauseBeforePoll(visit, operation);
  }
}

/** An operation that runs or has succeeded. @throws {RequestRefused} when it has failed */
function readRecord(...[json, expected]: Parameters<typeof readOperation>): RemoteOperation {
  const operation = readOperation(json, expected);
  if (operation.status === 'failed')
    throw new RequestRefused(joinWords(readErrorWords(operation.error)) || 'OPERATION_FAILED');
  return operation;
}

async function pauseBeforePoll(
  { deps, job, until }: Visit,
  { pollMs }: RemoteOperation,
): Promise<void> {
  const { poll } = deps.times;
  const pause = Math.min(poll.most, Math.max(poll.least, pollMs ?? poll.usual));
  await wait(pause, undefined, { signal: job.signal });
  if (performance.now() > until)
    throw new EngineUnavailable('the operation at the vendor does not finish');
}

/**
 * Starts the operation and returns its guid. A result in the response is read with the first poll, which can be
 * repeated.
 */
async function start(visit: Visit, request: ApiRequest): Promise<string> {
  const { slotGuid } = visit.remote;
  const ask = (): Promise<RemoteOperation> =>
    visit.ask(request, (json) => readRecord(json, { guid: null, slotGuid }));
  // without a slot, this request creates it
  const operation = await (slotGuid === null ? ask() : whileOpen(visit, slotGuid, ask));
  await remember(visit, {
    operationGuid: operation.guid,
    slotGuid: slotGuid ?? operation.slotGuid,
  });
  if (operation.status === 'running') await pauseBeforePoll(visit, operation);
  return operation.guid;
}

/** A service may name the slot of a decode later than its operation. */
async function learnSlot(visit: Visit, { slotGuid }: RemoteOperation): Promise<void> {
  if (visit.remote.slotGuid === null && slotGuid !== null) await remember(visit, { slotGuid });
}

interface Wanted {
  readonly url: string;
  readonly size: number | null;
  readonly path: string;
}

/**
 * Writes a file of a result to `path`. Never follows an address of a different origin, which would receive the token.
 */
async function fetchFile(visit: Visit, { url, size, path }: Wanted): Promise<void> {
  const { client, maxFileBytes, receive } = visit.deps;
  if (!URL.canParse(url) || new URL(url).origin !== client.origin)
    throw new EngineRefused('RESULT_ADDRESS_OF_ANOTHER_ORIGIN');
  const { signal } = visit.job;
  await visit.retry(() =>
    receive(signal, async () => {
      const wanted = { path: url, size, mostBytes: maxFileBytes };
      await writeFile(path, (await client.download(wanted, signal)).bytes);
    }),
  );
}

/** Closes the slot at the vendor, to free its place. If this fails, the sweep closes it. */
async function leave({ deps, job, remote }: Visit): Promise<void> {
  const { slotGuid } = remote;
  if (slotGuid === null) return;
  const signal = AbortSignal.any([deps.stop, AbortSignal.timeout(10_000)]);
  try {
    if (await deps.isNeeded(slotGuid, job.operationGuid)) return;
    await deps.client.call(slotRequest(job.family, slotGuid, 'close'), signal);
  } catch (error) {
    deps.log.warn({ error, operation: job.operationGuid }, 'could not close a slot of an engine');
  }
}
