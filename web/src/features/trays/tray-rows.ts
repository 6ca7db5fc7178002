/** What a tray shows of each file: the record of the server, and what this tab is doing with it; pure. */
import type { PreflightAnswer } from '@recodery/contract/features/recoding/preflight';
import type { EncodeResult } from '@recodery/contract/results';
import type { Tray, TrayFile } from '@recodery/contract/features/trays';
import type { DecodedRead, Part } from '../recoding/decoded-read.ts';
import type { FamilyPage } from '../recoding/families/family-page.ts';
import { type Fault, faultOf, mayBeTemporary } from '../recoding/fault.ts';
import { writeContext } from '../recoding/flow/drafts/context-data.ts';
import { mayEncode } from '../recoding/flow/state/encode-flow.ts';
import {
  type CompletePart,
  type Inputs,
  inputsOfDraft,
  type RefusedFile,
  refusedOf,
  type SettledPart,
} from '../recoding/inputs.ts';
import { isCheckOf } from '../recoding/preflight-answer.ts';
import { faultOfError } from '../recoding/flow/reads/recognize-read.ts';
import type { LoadedTray, Pages } from './tray-query.ts';
import type { JobState } from './work-queue.ts';

/** The job that uploads a read. */
export const readKey = (fileGUID: string): string => `read/${fileGUID}`;
/** The job that starts an encode. */
export const encodeKey = (fileGUID: string): string => `encode/${fileGUID}`;
/** The job that uploads the modified file of a part. */
export const imageKey = (fileGUID: string, part: string): string => `image/${fileGUID}/${part}`;

type Jobs = ReadonlyMap<string, JobState>;

/**
 * The state of the encode of a row. `none`: it has no modified file. `missing`: the read needs another file too.
 * `refused`: a modified file was refused, which the user must remove or replace: the encode would lack it. `asked`: the
 * checks found a possible mistake, and the user must confirm it. `blocked`: they found something that cannot be encoded.
 */
export type RowEncode =
  | { readonly at: 'none' | 'missing' | 'refused' | 'uploading' | 'ready' | 'queued' }
  | { readonly at: 'asked' | 'blocked'; readonly answer: PreflightAnswer }
  | { readonly at: 'encoding'; readonly fraction: number | null; readonly operationGUID: string }
  | { readonly at: 'encoded'; readonly result: EncodeResult; readonly operationGUID: string }
  | { readonly at: 'failed'; readonly fault: Fault; readonly operationGUID: string | null };

/** A file that was uploaded, is being uploaded, or was refused for a part of a read. */
export interface RowImage {
  readonly part: Part;
  readonly complete: CompletePart | null;
  readonly job: JobState | null;
  /** The last file if it was refused: the server notes it for all tabs, or only this tab knows. */
  readonly refused: RowRefusal | null;
}

/** A file that was refused. `name` null: unknown. */
export interface RowRefusal {
  readonly name: string | null;
  readonly fault: Fault;
}

/** A decoded row. */
export interface DecodedRow {
  readonly at: 'decoded';
  readonly page: FamilyPage;
  readonly read: DecodedRead;
  readonly inputs: Inputs<SettledPart>;
  /** The parts that have a file, or had one that was refused. */
  readonly images: readonly RowImage[];
  readonly encode: RowEncode;
}

/** The state of a file. `missing`: it must be dropped again. `fraction` null: unknown. */
export type RowState =
  | { readonly at: 'missing' | 'queued' }
  | { readonly at: 'uploading' | 'decoding'; readonly fraction: number | null }
  | { readonly at: 'failed'; readonly fault: Fault }
  | DecodedRow;

export interface Row {
  readonly file: TrayFile;
  readonly state: RowState;
}

function undecoded(file: TrayFile, job: JobState | undefined): RowState {
  if (job?.at === 'sending') return { at: 'uploading', fraction: job.fraction };
  if (job?.at === 'queued') return { at: 'queued' };
  if (file.decode?.hasFailed) return { at: 'failed', fault: faultOf(file.decode) };
  if (job?.at === 'refused') return { at: 'failed', fault: job.fault };
  return file.error === null
    ? { at: 'missing' }
    : { at: 'failed', fault: faultOfError(file.error, file) };
}

function imagesOf(file: TrayFile, read: DecodedRead, inputs: Inputs<SettledPart>, jobs: Jobs) {
  return read.parts.flatMap((part): RowImage[] => {
    const state = inputs.parts[part.name];
    const job = jobs.get(imageKey(file.guid, part.name)) ?? null;
    const complete = state?.at === 'complete' ? state : null;
    const refused = refusalOf(job, refusedOf(state));
    return complete === null && job === null && refused === null
      ? []
      : [{ part, complete, job, refused }];
  });
}

/** The last file of a part if it was refused, unless another one is on its way. */
function refusalOf(job: JobState | null, noted: RefusedFile | null): RowRefusal | null {
  if (job?.at === 'refused') return { name: job.fileName, fault: job.fault };
  return job === null && noted ? { name: noted.file.name || null, fault: noted.fault } : null;
}

/** Whether the newest encode used exactly these inputs. */
export function isEncodeOf(
  file: TrayFile,
  read: DecodedRead,
  inputs: Inputs<SettledPart>,
): boolean {
  return file.encode?.contextData === contextOf(read, inputs);
}

/** The context data of an encode of the uploaded parts that is not sent to anyone. */
export function contextOf(read: DecodedRead, inputs: Inputs<SettledPart>): string {
  return writeContext(read, inputs, { source: 'parts', recipient: null });
}

function encodedState({ encode }: TrayFile): RowEncode | null {
  if (encode === null) return null;
  const operationGUID = encode.guid;
  if (encode.hasFailed) return { at: 'failed', fault: faultOf(encode), operationGUID };
  const { result, progress } = encode;
  if (result !== null && 'encodedFileURL' in result)
    return { at: 'encoded', result, operationGUID };
  return { at: 'encoding', fraction: progress.fraction || null, operationGUID };
}

/** Whether a file for one of the parts was refused, and is still listed. */
export function hasRefused({ images }: Pick<DecodedRow, 'images'>): boolean {
  return images.some(({ refused }) => refused !== null);
}

/** Whether an encode failed, or lacks a file that was refused. */
function hasFailed(row: Pick<DecodedRow, 'images' | 'encode'>): boolean {
  const { at } = row.encode;
  if (at === 'encoded') return hasRefused(row);
  return at === 'failed' || at === 'blocked' || at === 'refused';
}

interface Decoded {
  readonly file: TrayFile;
  readonly read: DecodedRead;
  readonly inputs: Inputs<SettledPart>;
  readonly images: readonly RowImage[];
}

function encodeOf({ file, read, inputs, images }: Decoded, jobs: Jobs): RowEncode {
  const job = jobs.get(encodeKey(file.guid));
  if (job?.at === 'queued' || job?.at === 'sending') return { at: 'queued' };
  const done = encodedState(file);
  const isPending = images.some((image) => image.job !== null && image.job.at !== 'refused');
  if (isPending) return { at: 'uploading' };
  if (done?.at === 'encoding') return done;
  // a request that was refused may have been accepted before: then its response was lost
  const isDone = done?.at === 'encoded' && isEncodeOf(file, read, inputs);
  if (hasRefused({ images }) && !isDone) return { at: 'refused' };
  if (job?.at === 'refused' && !isDone)
    return { at: 'failed', fault: job.fault, operationGUID: null };
  // a response about other inputs is out of date
  if (job?.at === 'stopped' && !isDone && isCheckOf(inputs, job.answer.draft))
    return { at: job.answer.status === 'red' ? 'blocked' : 'asked', answer: job.answer };
  if (!images.some(({ complete }) => complete !== null)) return done ?? { at: 'none' };
  // ignore an encode of files other than the current ones
  if (done !== null && isEncodeOf(file, read, inputs)) return done;
  return { at: mayEncode(read, inputs) ? 'ready' : 'missing' };
}

/**
 * The decoded row if its modified files can be encoded and their encode is neither running nor successful; else null.
 */
export function encodableOf({ file, state }: Row): DecodedRow | null {
  if (state.at !== 'decoded') return null;
  const { read, inputs, images } = state;
  const hasFile = images.some(({ complete }) => complete !== null);
  const isStarted = file.encode?.hasFailed === false && isEncodeOf(file, read, inputs);
  const isWhole = hasFile && !hasRefused(state);
  return isWhole && mayEncode(read, inputs) && !isStarted ? state : null;
}

/** Whether the user may start the encode of a row: for the first time, or after a temporary failure. */
export function isReady(row: Row): boolean {
  const state = encodableOf(row);
  if (state === null) return false;
  const { encode } = state;
  return encode.at === 'ready' || (encode.at === 'failed' && mayBeTemporary(encode.fault));
}

function rowState(file: TrayFile, pages: Pages, jobs: Jobs): RowState {
  const { decode, draft, workflow } = file;
  const page = workflow === null ? undefined : pages.get(workflow);
  if (page === undefined || decode === null || decode.hasFailed)
    return undecoded(file, jobs.get(readKey(file.guid)));
  if (!decode.isSuccessful) return { at: 'decoding', fraction: decode.progress.fraction || null };
  const read = page.readOf(decode);
  // the record of the operation arrives before the tray with its draft
  const nothing = { files: [], removed: null, willCorrectCVN: false, willSkipChecksum: false };
  const inputs = inputsOfDraft(read, draft ?? nothing);
  const images = imagesOf(file, read, inputs, jobs);
  const encode = encodeOf({ file, read, inputs, images }, jobs);
  return { at: 'decoded', page, read, inputs, images, encode };
}

/** The rows of a tray, in its order. */
export function rowsOf({ tray, pages }: LoadedTray, jobs: Jobs): readonly Row[] {
  return tray.files.map((file) => ({ file, state: rowState(file, pages, jobs) }));
}

/** The number of a tray's files in each state. */
export interface Totals {
  readonly files: number;
  readonly decoded: number;
  /** Not decoded or not encoded; a row that lacks a refused file among them. */
  readonly failed: number;
  readonly missing: number;
  readonly working: number;
  /** With modified files that may be encoded: for the first time, or again after a temporary failure. */
  readonly ready: number;
  /** With checks that the user must confirm. */
  readonly asked: number;
  readonly encoded: number;
  /** Not decoded yet: waiting, running, or to be dropped again. */
  readonly undecoded: number;
}

/** What a tray is doing, or did last: its files that are finished, failed ones among them. */
export interface Phase {
  readonly name: 'decode' | 'add' | 'encode';
  readonly done: number;
  readonly files: number;
  readonly failed: number;
}

const countOf = (rows: readonly Row[], ...states: readonly RowState['at'][]): number =>
  rows.filter(({ state }) => states.includes(state.at)).length;

/** The phase of a tray: it decodes first; afterward, modified files are added, and then encoded. */
export function phaseOf(rows: readonly Row[]): Phase {
  const files = rows.length;
  const missing = countOf(rows, 'missing');
  const undecoded = missing + countOf(rows, 'queued', 'uploading', 'decoding');
  const decoded = rows.flatMap(({ state }) => (state.at === 'decoded' ? [state] : []));
  const images = decoded.flatMap((state) => state.images);
  const waiting = images.filter(({ job }) => job !== null && job.at !== 'refused').length;
  const encodes = decoded.map(({ encode }) => encode.at);
  const count = (...states: readonly RowEncode['at'][]): number =>
    encodes.filter((at) => states.includes(at)).length;
  const running = count('queued', 'encoding');
  const ended = count('encoded', 'failed', 'blocked', 'asked');
  if (undecoded > missing || images.length + running + ended === 0) {
    const failed = files - undecoded - decoded.length;
    return { name: 'decode', done: files - undecoded, files, failed };
  }
  if (waiting > 0 || running + ended === 0) {
    const failed = images.filter(({ refused }) => refused !== null).length;
    return { name: 'add', done: images.length - waiting, files: images.length, failed };
  }
  const refused = count('refused');
  const failed = decoded.filter(hasFailed).length;
  const done = ended - count('asked') + refused;
  return { name: 'encode', done, files: running + ended + refused, failed };
}

export function totalsOf(rows: readonly Row[]): Totals {
  const decoded = rows.flatMap(({ state }) => (state.at === 'decoded' ? [state] : []));
  const encodes = decoded.map(({ encode }) => encode.at);
  const count = (...states: readonly RowState['at'][]): number => countOf(rows, ...states);
  const busy: readonly RowEncode['at'][] = ['uploading', 'queued', 'encoding'];
  return {
    files: rows.length,
    decoded: count('decoded'),
    failed: count('failed') + decoded.filter(hasFailed).length,
    missing: count('missing'),
    working:
      count('queued', 'uploading', 'decoding') + encodes.filter((at) => busy.includes(at)).length,
    ready: rows.filter(isReady).length,
    asked: encodes.filter((at) => at === 'asked').length,
    encoded: decoded.filter((state) => state.encode.at === 'encoded' && !hasRefused(state)).length,
    undecoded: count('missing', 'queued', 'uploading', 'decoding'),
  };
}

/** The encoded files of a zip of the tray that a single download would have sealed again: expired ones, and others. */
export function countOldSeals({ files }: Tray, now: Date) {
  const countPast = (end: 'freshUntil' | 'expiresOn'): number =>
    files.filter(({ sealing }) => sealing && now > new Date(sealing[end])).length;
  const expired = countPast('expiresOn');
  return { expired, old: countPast('freshUntil') - expired };
}

/** Whether a tray has an encoded file, of the present inputs or of earlier ones. */
export function hasEncoded({ files }: Tray): boolean {
  return files.some(({ encode }) => encode?.isSuccessful);
}
