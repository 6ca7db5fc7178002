/** The engine of a vendor that speaks the Encoding API: has its service decode and encode, and fetches the results. */
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { informationKeys, type SlaveInformation } from '@recodery/codec/recoding/information';
import type { Log } from '../../config/log.ts';
import {
  type DecodeJob,
  type EncodeJob,
  type Engine,
  type EngineDecode,
  type EngineEncode,
  EngineRefused,
  EngineUnavailable,
  type Job,
  type JobFile,
  type JobImage,
} from '../engine.ts';
import type { VendorClient, VendorRequest } from './client.ts';
import {
  decodePath,
  encodeFields,
  encodePath,
  listRequest,
  slotRequest,
  uploadPath,
} from './family-requests.ts';
import { type RetryBounds, retryWhileUnavailable } from './retry.ts';
import {
  readDecodeResult,
  readEncodeResult,
  readFileAnswer,
  readOperation,
  readSlots,
  readUploaded,
  type RemoteOperation,
} from './records.ts';

/** Milliseconds. */
export interface EncodingApiTimes {
  /** How long an operation may take, from its first attempt. */
  readonly patience: number;
  readonly pauses: RetryBounds['pauses'];
  /** How long a request waits without progress. */
  readonly answer: number;
  /** Between two polls: the minimum, if the service specifies no interval, and the maximum. */
  readonly poll: { readonly least: number; readonly usual: number; readonly most: number };
}

export const encodingApiTimes: EncodingApiTimes = {
  patience: 10 * 60_000,
  pauses: { first: 1000, longest: 15_000 },
  answer: 45_000,
  poll: { least: 500, usual: 10_000, most: 30_000 },
};

export interface EncodingApiDependencies {
  readonly client: VendorClient;
  readonly log: Log;
  /** Bytes that a file may have. */
  readonly maxFileBytes: number;
  readonly times: EncodingApiTimes;
  /** Aborts what no operation waits for. */
  readonly stop: AbortSignal;
  /** Admits only a few at a time: a file is in memory while it is received. */
  receive<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Whether an operation besides this one needs a slot there to be open. */
  isNeeded(slotGuid: string, exceptOperation: string): Promise<boolean>;
}

/** The progress at which each part of the work is done. */
const parts = { sent: 0.2, done: 0.8 } as const;

/** Opens the engine of a connection. */
export function createEncodingApiEngine(deps: EncodingApiDependencies): Engine {
  const run = <J extends Job, T>(job: J, work: (visit: Visit<J>) => Promise<T>): Promise<T> => {
    const visit = openVisit(deps, job);
    return work(visit)
      .catch((error: unknown) => {
        if (!(error instanceof EngineRefused)) throw error;
        throw new EngineRefused(deps.client.hideSecrets(error.message), error.status);
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
interface Visit<J extends Job = Job> {
  readonly deps: EncodingApiDependencies;
  readonly job: J;
  /** A free label of the caller's customer. */
  readonly userCode: string;
  remote: Job['remote'];
  fraction: number;
  /** The `performance.now()` at which the operation's time has passed. */
  readonly until: number;
  /** Sends a request and reads its response, until both succeed or the time has passed. */
  ask<T>(request: VendorRequest, read: (json: unknown) => T): Promise<T>;
  /** Repeats the work until it succeeds or the time has passed. */
  retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T>;
}

function openVisit<J extends Job>(deps: EncodingApiDependencies, job: J): Visit<J> {
  const { client, log, times } = deps;
  const { signal } = job;
  const bounds: RetryBounds = {
    until: performance.now() + times.patience - job.workedMs,
    pauses: times.pauses,
    signal,
    onUnavailable(reason) {
      if (reason !== null) log.warn({ operation: job.operationGuid, reason }, 'engine unavailable');
      job.report(visit.fraction, reason !== null);
    },
  };
  const visit: Visit<J> = {
    deps,
    job,
    until: bounds.until,
    userCode: job.customerCode === '' ? 'recodery' : job.customerCode,
    remote: job.remote,
    fraction: 0,
    ask: (request, read) =>
      retryWhileUnavailable(bounds, async () => read(await client.call(request, signal))),
    retryWhileUnavailable: (work) => retryWhileUnavailable(bounds, work),
  };
  return visit;
}

function advance(visit: Visit, fraction: number): void {
  visit.fraction = Math.max(visit.fraction, fraction);
  visit.job.report(visit.fraction, false);
}

async function remember(visit: Visit, change: Partial<Job['remote']>): Promise<void> {
  visit.remote = { ...visit.remote, ...change };
  await visit.job.remember(visit.remote);
}

async function formOf(job: Job, field: string, file: JobFile): Promise<() => Promise<FormData>> {
  const path = await job.bring(file);
  return async () => {
    const form = new FormData();
    form.append(field, await openAsBlob(path), file.name);
    return form;
  };
}

async function decode(visit: Visit<DecodeJob>): Promise<EngineDecode> {
  const { job } = visit;
  const { family } = job;
  const request = async (): Promise<VendorRequest> => ({
    verb: 'POST',
    path: decodePath(family, visit.userCode),
    form: await formOf(job, 'readFile', job.read),
    sends: job.read.size,
    idempotencyKey: job.operationGuid,
  });
  const found = await follow(visit, request, (json, slotGuid) =>
    readDecodeResult(family, json, slotGuid),
  );
  if (visit.remote.slotGuid === null) await remember(visit, { slotGuid: found.slotGuid });
  for (const [at, { component, url, size }] of found.images.entries()) {
    await fetchFile(visit, { url, size, path: join(job.folder, `${component}.bin`) });
    advance(visit, parts.done + ((1 - parts.done) * (at + 1)) / found.images.length);
  }
  const noInformation = Object.fromEntries(informationKeys.map((key) => [key, null]));
  return {
    name: found.name,
    mode: found.mode,
    protocol: null,
    origin: null,
    components: found.images.map(({ component }) => component),
    information: noInformation as SlaveInformation,
    isChecksumRight: null,
    isRecognised: null,
    virtualReading: null,
    isImageMissing: found.isImageMissing,
    isChecksumCorrectionNeeded: found.isChecksumCorrectionNeeded,
    isCVNCorrectionPossible: found.isCVNCorrectionPossible,
    checksumRules: 0,
    wrongChecksums: [],
    warnings: [],
  };
}

async function encode(visit: Visit<EncodeJob>): Promise<EngineEncode> {
  const { job } = visit;
  const { family } = job;
  const { slotGuid } = visit.remote;
  if (slotGuid === null) throw new EngineUnavailable('the slot at the vendor is unknown');
  if (visit.remote.operationGuid === null) await prepare(visit, slotGuid);
  const request = async (): Promise<VendorRequest> => ({
    verb: 'POST',
    path: encodePath(family, job.mode),
    body: {
      userCustomerCode: visit.userCode,
      ...encodeFields(job, slotGuid, visit.remote.fileGuids),
      ...(job.willCorrectCVN && job.isCVNCorrectionPossible ? { willCorrectCVN: true } : {}),
    },
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
      const form = await formOf(job, 'file', file);
      const path = uploadPath(family, place, { userCode, slotGuid });
      const request = { verb: 'PUT', path, form, sends: file.size } as const;
      const guid = await whileOpen(visit, slotGuid, () => visit.ask(request, readUploaded));
      await remember(visit, { fileGuids: { ...visit.remote.fileGuids, [place]: guid } });
    }
    advance(visit, (parts.sent * (at + 1)) / uploads.length);
  }
}

/** The files to upload. An encode of the unmodified read names an image too: the service needs one. */
function uploadsOf(job: EncodeJob) {
  const [first] = job.decoded;
  const unchanged: readonly JobImage[] = first === undefined ? [] : [first];
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
    if (!(error instanceof EngineRefused) || !(await mayBeClosed(visit, slotGuid))) throw error;
    await reopen(visit, slotGuid);
    return work();
  }
}

/** Whether the service lists the slot as closed, or returns no list. */
async function mayBeClosed({ job, ask }: Visit, slotGuid: string): Promise<boolean> {
  const slots = await ask(listRequest(job.family), readSlots).catch((error: unknown) => {
    if (error instanceof EngineRefused) return null;
    throw error;
  });
  if (slots === null) return true;
  const slot = slots.find(({ guid }) => guid.toLowerCase() === slotGuid.toLowerCase());
  return slot?.isClosed === true;
}

/** Starts the operation there unless it is known, and polls it until it has succeeded; its result. */
async function follow<R>(
  visit: Visit,
  request: () => Promise<VendorRequest>,
  readResult: (json: unknown, slotGuid: string | null) => R,
): Promise<R> {
  const known = visit.remote.operationGuid;
  const guid = known ?? (await start(visit, await request()));
  advance(visit, parts.sent);
  const path = `/api/async-operations/${encodeURIComponent(guid)}`;
  for (;;) {
    const { slotGuid: expected } = visit.remote;
    const operation = await visit.ask({ verb: 'GET', path }, (json) =>
      readOperation(json, { guid, slotGuid: expected }, readResult),
    );
    await learnSlot(visit, operation);
    if (operation.result !== null) {
      advance(visit, parts.done);
      return operation.result;
    }
    await pauseBeforePoll(visit, operation);
  }
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
async function start(visit: Visit, request: VendorRequest): Promise<string> {
  const { slotGuid } = visit.remote;
  const ask = (): Promise<RemoteOperation<true>> =>
    visit.ask(request, (json) => readOperation(json, { guid: null, slotGuid }, () => true));
  // without a slot, this request creates it
  const operation = await (slotGuid === null ? ask() : whileOpen(visit, slotGuid, ask));
  await remember(visit, {
    operationGuid: operation.guid,
    slotGuid: slotGuid ?? operation.slotGuid,
  });
  if (operation.result === null) await pauseBeforePoll(visit, operation);
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
  // Base64, plus a name
  const longestAnswer = Math.ceil(maxFileBytes / 3) * 4 + 64 * 1024;
  const request = { verb: 'GET', path: url, longestAnswer } as const;
  const { signal } = visit.job;
  await visit.retryWhileUnavailable(() =>
    receive(signal, async () => {
      const bytes = readFileAnswer(await client.call(request, signal), size);
      if (bytes.length > maxFileBytes) throw new EngineRefused('ANSWER_TOO_LARGE');
      await writeFile(path, bytes);
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
