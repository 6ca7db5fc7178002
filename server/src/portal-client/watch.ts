/** Watches a folder: decodes each read file that appears, and encodes each modified file that is saved next to it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { replaceInvisible } from '@recodery/contract/file-names';
import { type Family, findWorkflow, workflowOf } from '@recodery/contract/families/registry';
import type { Recognized } from '@recodery/contract/recognize';
import { CredentialsRefused, ServiceUnavailable } from '../encoding-api-client/errors.ts';
import { hashOf } from '../encoding-api-client/records.ts';
import { pauseAfter } from '../queue/retry-rules.ts';
import { FolderFiles, type Listing, readPlainFile, recognizeFileAt } from './folder.ts';
import { chooseName, expectedImages, isMeantFor, mayBeForeign, modifiedEnd } from './names.ts';
import { deleteDrafts } from './new-file.ts';
import {
  areNew,
  finishDecode,
  finishEncode,
  type LoadedImage,
  newRecord,
  reopenDecode,
  startNewEncode,
  type WatchedRead,
  type WatchTools,
} from './place.ts';
import { loadRecord, type ReadRecord, recordEnd } from './record.ts';

/** Milliseconds between two scans of the folder. */
const lookMs = 500;
/** Read files that are worked on at the same time. */
const mostAtWork = 4;
/** Seconds after which work is retried that failed for a reason other than its files. */
const pauses = { first: 5, longest: 300 };

/** A read file of the folder, and its progress. */
interface Known {
  readonly name: string;
  file: string;
  /** null until the read file has been examined. */
  record: ReadRecord | null;
  /** The versions of the files with which the work was finished last. */
  finished: string | null;
  isInProgress: boolean;
  failures: number;
  /** The time before which it is not retried. */
  notBefore: number;
}

/** Watches until `stop`. @throws {CredentialsRefused} */
export async function watchFolder(tools: WatchTools, stop: AbortSignal): Promise<void> {
  await deleteDrafts(tools.folder);
  const watch = new FolderWatch(tools, stop);
  await watch.run();
}

class FolderWatch {
  readonly #tools: WatchTools;
  readonly #stop: AbortSignal;
  readonly #files: FolderFiles;
  readonly #known = new Map<string, Known>();
  /** The versions of files that were examined, and are not read files or were reported. */
  readonly #examined = new Map<string, string>();
  readonly #atWork = new Set<Promise<void>>();
  #fatal: CredentialsRefused | null = null;
  #folderFault: string | null = null;

  constructor(tools: WatchTools, stop: AbortSignal) {
    this.#tools = tools;
    this.#stop = stop;
    this.#files = new FolderFiles(tools.folder);
  }

  async run(): Promise<void> {
    while (!this.#stop.aborted && this.#fatal === null) {
      await this.#look();
      await wait(lookMs, undefined, { signal: this.#stop }).catch(() => undefined);
    }
    await Promise.all(this.#atWork);
    if (this.#fatal !== null) throw this.#fatal;
  }

  async #look(): Promise<void> {
    const listing = await this.#list();
    if (listing === null) return;
    for (const [file, problem] of listing.unusable) this.#reportOnce(file, problem, problem);
    await this.#loadRecords(listing);
    await this.#findReads(listing);
    for (const known of this.#known.values()) this.#workOn(known, listing);
    this.#reportStray(listing);
  }

  /** Lists the folder. Returns null while it cannot be read, for example because a network drive is not connected. */
  async #list(): Promise<Listing | null> {
    try {
      const listing = await this.#files.list(performance.now());
      this.#folderFault = null;
      return listing;
    } catch (error) {
      const fault = (error as NodeJS.ErrnoException).code ?? String(error);
      if (this.#folderFault !== fault)
        this.#tools.complain(`${this.#tools.folder}: cannot be read (${fault}). Retrying.`);
      this.#folderFault = fault;
      return null;
    }
  }

  /** Loads new records, and forgets those that were deleted: their read files are decoded again. */
  async #loadRecords({ names, unusable }: Listing): Promise<void> {
    for (const [name, { record, isInProgress, file }] of this.#known) {
      const needed = record === null ? file : name + recordEnd;
      // it may have been written since the folder was listed
      if (isInProgress || names.has(needed) || existsSync(join(this.#tools.folder, needed)))
        continue;
      this.#known.delete(name);
      this.#examined.delete(file);
    }
    for (const file of names) {
      const name = file.endsWith(recordEnd) ? file.slice(0, -recordEnd.length) : null;
      if (name === null || unusable.has(file) || this.#known.has(name)) continue;
      if (name !== replaceInvisible(name)) {
        this.#reportOnce(file, 'unused', 'has control characters in its name. Rename it.');
        continue;
      }
      const record = await loadRecord(this.#tools.folder, name).catch(() => null);
      if (record === null)
        this.#reportOnce(file, 'is damaged', 'is damaged. Delete it to decode again.');
      else
        this.#known.set(name, newKnown(name, record.read.file, reopenDecode(this.#tools, record)));
    }
  }

  #reportOnce(file: string, version: string, text: string): void {
    if (this.#examined.get(file) === version) return;
    this.#examined.set(file, version);
    this.#tools.complain(`${file} ${text}`);
  }

  /** Finds the read files among the files that are new or have changed. */
  async #findReads({ names, versions }: Listing): Promise<void> {
    for (const [file, version] of versions) {
      if (file.endsWith(recordEnd) || file.endsWith(modifiedEnd)) continue;
      if (this.#examined.get(file) === version) continue;
      const recognized = await recognizeFileAt(join(this.#tools.folder, file)).catch(() => null);
      if (recognized === null) continue;
      this.#examined.set(file, version);
      if (recognized.outcome === 'text-transfer')
        this.#tools.complain(`${file}: damaged because it was transferred as text. Copy it again.`);
      const isKnown = [...this.#known.values()].some((known) => known.file === file);
      if (isKnown || this.#familyOf(file, recognized) === null) continue;
      const name = chooseName(file, (one) => this.#known.has(one) || names.has(one + recordEnd));
      this.#known.set(name, newKnown(name, file, null));
    }
    for (const file of this.#examined.keys()) if (!names.has(file)) this.#examined.delete(file);
  }

  #workOn(known: Known, { names, versions }: Listing): void {
    if (known.isInProgress || this.#atWork.size >= mostAtWork) return;
    if (performance.now() < known.notBefore) return;
    const { record, file, name } = known;
    // a file that is still being written, including a new version of a known file
    if (names.has(file) && !versions.has(file)) return;
    if (!names.has(file) && record?.decode.operation == null) return;
    const { mode } = record?.decode ?? { mode: null };
    const expected =
      record === null || mode === null ? [] : expectedImages([name, file], record.family, mode);
    const candidates = expected.flatMap((image) => image.names);
    if (candidates.some((one) => names.has(one) && !versions.has(one))) return;
    const versionOf = (one: string): string => `${one} ${versions.get(one) ?? ''}`;
    const signature = [file, ...candidates].map(versionOf).join('\n');
    if (known.finished === signature) return;
    known.isInProgress = true;
    const work = this.#advance(known, versions)
      .then(
        (isDone) => {
          known.failures = 0;
          // after a decode there may be modified files already
          if (isDone) known.finished = signature;
        },
        (error: unknown) => this.#postpone(known, error),
      )
      .finally(() => {
        known.isInProgress = false;
        this.#atWork.delete(work);
      });
    this.#atWork.add(work);
  }

  /** Work that failed for a reason other than its files is retried later. */
  #postpone(known: Known, error: unknown): void {
    if (this.#stop.aborted) return;
    if (error instanceof CredentialsRefused) {
      this.#fatal = error;
      return;
    }
    known.failures += 1;
    const seconds = pauseAfter(known.failures, pauses);
    known.notBefore = performance.now() + seconds * 1000;
    const reason = error instanceof Error ? error.message : String(error);
    const cause = error instanceof ServiceUnavailable ? `no response (${error.word})` : reason;
    this.#tools.complain(`${known.file}: ${cause}. Trying again in ${seconds} seconds.`);
  }

  /** Does the remaining work for a read file. True when it is finished, until a file changes. */
  async #advance(known: Known, versions: Listing['versions']): Promise<boolean> {
    const tools = this.#tools;
    const place = await this.#examineRead(known, versions);
    if (place === null) return true;
    const { record, name } = place;
    if (record.decode.outcome === 'running') {
      await finishDecode(tools, place);
      return false;
    }
    const last = record.encodes.at(-1);
    if (last?.outcome === 'running') {
      await finishEncode(tools, place, last);
      return false;
    }
    const { mode, outcome } = record.decode;
    if (mode === null || outcome !== 'succeeded') return true;
    const images: LoadedImage[] = [];
    for (const { role, component, names } of expectedImages(
      [name, known.file],
      record.family,
      mode,
    )) {
      const file = names.find((one) => versions.has(one));
      if (file === undefined) continue;
      const bytes = await readPlainFile(join(tools.folder, file));
      images.push({ role, component, file, bytes, size: bytes.length, sha256: hashOf(bytes) });
    }
    const isAsked = images.some(({ role }) => role === 'modified') && areNew(images, record);
    if (isAsked) await startNewEncode(tools, place, images);
    return true;
  }

  /** The record of the read file as it is now; a new one when its content has changed. */
  async #examineRead(known: Known, versions: Listing['versions']): Promise<WatchedRead | null> {
    const { folder } = this.#tools;
    const { name, file, record } = known;
    if (record !== null && !versions.has(file)) return { name, record };
    const bytes = await readPlainFile(join(folder, file));
    if (record !== null && record.read.sha256 === hashOf(bytes)) return { name, record };
    const recognized = await recognizeFileAt(join(folder, file));
    const family = this.#familyOf(file, recognized);
    if (family === null) return record === null ? null : { name, record };
    known.record = newRecord(this.#tools, { file, family, bytes }, record);
    return { name, record: known.record };
  }

  /** The family of a file if it is a read file; with `--family`, every file of an unknown format counts as one. */
  #familyOf(file: string, recognized: Recognized): Family | null {
    if (isRead(recognized)) return recognized.family;
    // a vendor's read file may be an archive
    const isForeign = ['unknown', 'archive'].includes(recognized.outcome) && mayBeForeign(file);
    return isForeign ? this.#tools.foreignFamily : null;
  }

  /** Reports modified files that do not belong to a read file, once every read file is decoded. */
  #reportStray({ versions }: Listing): void {
    const all = [...this.#known.values()];
    if (all.some(({ record }) => record === null || record.decode.outcome === 'running')) return;
    const expected = all.flatMap(({ name, file, record }) =>
      record === null || record.decode.mode === null
        ? []
        : expectedImages([name, file], record.family, record.decode.mode).map((image) => ({
            ...image,
            of: [name, file],
          })),
    );
    for (const [file, version] of versions) {
      if (!file.endsWith(modifiedEnd) || expected.some(({ names }) => names.includes(file)))
        continue;
      const fitting = expected.filter(
        ({ of, role }) => role === 'modified' && isMeantFor(of, file),
      );
      const names = fitting.map((image) => image.names[0]).join(', ');
      const text =
        names === ''
          ? 'does not belong to a decoded read file in this folder. Check its name.'
          : `is not encoded: save it as ${names}.`;
      this.#reportOnce(file, version, text);
    }
  }
}

function newKnown(name: string, file: string, record: ReadRecord | null): Known {
  return { name, file, record, finished: null, isInProgress: false, failures: 0, notBefore: 0 };
}

/** Whether a file is a read file that the Encoding API decodes. */
function isRead(file: Recognized): file is Extract<Recognized, { outcome: 'recognized' }> {
  if (file.outcome !== 'recognized') return false;
  const workflow = findWorkflow(file.family, { isUtility: false });
  return workflow !== null && workflowOf(workflow).readKind === file.kind;
}
