/** Takes dropped files: reads become files of the tray and are decoded, modified files find their read. */
import { makeFileNameSafe } from '@recodery/contract/file-names';
import type { Entries } from '@recodery/contract/features/session';
import {
  addTray,
  addTrayFiles,
  mostTrayFiles,
  type NewTrayFile,
  type Tray,
  type TrayFile,
} from '@recodery/contract/features/trays';
import { newKey } from '../../../api/request-keys.ts';
import { describeRead, type InspectedFile, inspectFiles, isListed } from './inspect-files.ts';
import { currentRows, type LiveTray, type LiveTrays } from '../live-tray.ts';
import { type Match, matchModified, type Place, placesOf } from './match-modified.ts';
import { type LoadedTray, traysQuery } from '../tray-query.ts';
import type { Row } from '../tray-rows.ts';
import type { Unplaced } from './unplaced-store.ts';

/** What determines where a dropped file goes. */
export interface Rules {
  readonly entries: Entries;
  readonly maxFileBytes: number;
}

/** What happened to dropped files. */
export interface Taken {
  /** Reads that are already in the tray. */
  readonly known: readonly string[];
  /** Modified files that were not uploaded: unchanged ones, those that do not fit, and those to ask about. */
  readonly unplaced: readonly Unplaced[];
  /** Read files that do not fit into the tray. */
  readonly left: readonly string[];
}

/** The file of the tray that matches a dropped file, by its content or, if that is unknown, by its name and size. */
function findKnown(tray: Tray, { file, sha256 }: InspectedFile): TrayFile | undefined {
  return tray.files.find((one) =>
    one.sha256 === null || sha256 === null
      ? one.name === makeFileNameSafe(file.name) && one.size === file.size
      : one.sha256 === sha256,
  );
}

/** Whether a file of a tray waits for its bytes: it was not uploaded, or its decode has failed. */
function isWanted({ decode, workflow }: TrayFile): boolean {
  return workflow !== null && (decode === null || decode.hasFailed);
}

/** Starts to decode the files of a tray that were dropped and are not decoded yet. */
function decodeDropped(tray: Tray, live: LiveTray, reads: readonly InspectedFile[]): void {
  for (const read of reads) {
    const found = findKnown(tray, read);
    if (found !== undefined && isWanted(found)) live.decode(found.guid, read.file);
  }
}

async function keepTray(trays: LiveTrays, tray: Tray): Promise<LoadedTray> {
  const loaded = await trays.show(tray);
  void trays.queries.invalidateQueries({ queryKey: traysQuery.queryKey });
  return loaded;
}

/**
 * Opens a tray for read files and starts to decode them. Returns its GUID, and the modified files that were dropped with
 * them: they belong to reads that are still to be decoded.
 */
export async function openTray(
  trays: LiveTrays,
  files: readonly File[],
  { entries, maxFileBytes }: Rules,
): Promise<{ readonly guid: string; readonly unplaced: readonly Unplaced[] }> {
  const inspected = await inspectFiles(files, maxFileBytes);
  const describe = (one: InspectedFile) => describeRead(one, entries, maxFileBytes);
  const hasReads = inspected.some((one) => describe(one).workflow !== null);
  // without a read, a tray shows why it takes none of them
  const reads = hasReads ? inspected.filter(isListed) : inspected;
  const tray = await trays.call(addTray, { body: { files: reads.map(describe) } });
  const loaded = await keepTray(trays, tray);
  const live = trays.open(tray.guid);
  decodeDropped(tray, live, reads);
  const modified = inspected.filter((one) => !reads.includes(one));
  return { guid: tray.guid, unplaced: placeModified(loaded, live, modified) };
}

/** The tray as the server has it now: other tabs add files too, and a decode is announced before its images. */
async function refreshed(trays: LiveTrays, loaded: LoadedTray): Promise<LoadedTray> {
  const { queries } = trays;
  const query = trays.queryOf(loaded.tray.guid);
  await queries.fetchQuery(query).catch(() => undefined);
  return queries.getQueryData(query.queryKey) ?? loaded;
}

/** The new reads among dropped files, as many as fit into the tray. */
function chooseNew(tray: Tray, reads: readonly InspectedFile[], { entries, maxFileBytes }: Rules) {
  const fresh = reads.filter((read) => findKnown(tray, read) === undefined);
  const room = mostTrayFiles - tray.files.length;
  const described = fresh
    .slice(0, room)
    .map((read): NewTrayFile => describeRead(read, entries, maxFileBytes));
  return { described, left: fresh.slice(room).map(({ file }) => file.name) };
}

/** The place that a file fits but may not replace without an answer, because it has a file; or null. */
export function contestedPlace(match: Match | undefined): Place | null {
  if (match?.at !== 'asked') return null;
  const [only, ...others] = match.places;
  return only?.hasFile && others.length === 0 ? only : null;
}

/** The places that a file may get. One that it was once asked about stays a question, even if it is empty by now. */
function placesFor(rows: readonly Row[], { match }: Partial<Unplaced>): readonly Place[] {
  const asked = contestedPlace(match);
  return placesOf(rows).map((place) =>
    place.fileGUID === asked?.fileGUID && place.part === asked.part
      ? { ...place, hasFile: true }
      : place,
  );
}

/**
 * Uploads modified files that fit exactly one part without a file, and returns the others. If there are two files for a
 * part, the user is asked about the second.
 */
function placeModified(
  loaded: LoadedTray,
  live: LiveTray,
  modified: readonly (Pick<InspectedFile, 'file' | 'sha256'> & Partial<Unplaced>)[],
): readonly Unplaced[] {
  return modified.flatMap((one): Unplaced[] => {
    // with the uploads that the files before this one have started
    const rows = currentRows(loaded, live);
    const isComplete = rows.every(({ state }) => state.at === 'decoded' || state.at === 'failed');
    const { file, sha256, key } = one;
    const modifiedFile = { name: file.name, size: file.size, sha256 };
    const match = matchModified(modifiedFile, placesFor(rows, one), isComplete);
    if (match.at === 'place') {
      placeChosen(loaded, live, file, match.place);
      return [];
    }
    return [{ key: key ?? newKey(), file, sha256, match }];
  });
}

/** Whether more decoded reads may show where a file belongs: it fit none, or one, perhaps of several. */
export const mayBeMatched = ({ match }: Unplaced): boolean =>
  match.at === 'none' || (match.at === 'asked' && match.places.length === 1);

/** Matches files again whose reads may have been decoded since. Returns those that are still unplaced. */
export function placeAgain(
  loaded: LoadedTray,
  live: LiveTray,
  unplaced: readonly Unplaced[],
): readonly Unplaced[] {
  const others = unplaced.filter((one) => !mayBeMatched(one));
  const homeless = unplaced.filter(mayBeMatched);
  return [...others, ...placeModified(loaded, live, homeless)];
}

/** Takes files that were dropped on a tray. */
export async function takeFiles(
  trays: LiveTrays,
  shown: LoadedTray,
  files: readonly File[],
  rules: Rules,
): Promise<Taken> {
  const { guid } = shown.tray;
  const inspected = await inspectFiles(files, rules.maxFileBytes);
  // the inspection takes a while: reads may have been decoded or added since
  const before = trays.queries.getQueryData(trays.queryOf(guid).queryKey) ?? shown;
  const live = trays.open(guid);
  const reads = inspected.filter(isListed);
  const { described, left } = chooseNew(before.tray, reads, rules);
  const known = reads.flatMap((read) => {
    const found = findKnown(before.tray, read);
    return found !== undefined && !isWanted(found) ? [read.file.name] : [];
  });
  const modified = inspected.filter((one) => !isListed(one));
  const loaded =
    described.length === 0
      ? await (modified.length === 0 ? before : refreshed(trays, before))
      : await trays
          .call(addTrayFiles, { params: { trayGUID: guid }, body: { files: described } })
          .then((tray) => keepTray(trays, tray));
  decodeDropped(loaded.tray, live, reads);
  return { known, left, unplaced: placeModified(loaded, live, modified) };
}

/** Uploads a modified file to the place that the user has chosen. */
export function placeChosen(
  loaded: LoadedTray,
  live: LiveTray,
  file: File,
  { fileGUID, part }: { readonly fileGUID: string; readonly part: string },
): void {
  const row = currentRows(loaded, live).find((one) => one.file.guid === fileGUID);
  if (row !== undefined) live.modify(row, part, file);
}
