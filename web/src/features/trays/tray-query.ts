/** A tray as the server has it, with the pages of its families, kept up to date by the events of its operations. */
import { describeOperationType, type Workflow } from '@recodery/contract/families/registry';
import type { Operation } from '@recodery/contract/features/operations';
import { getTray, listTrays, type Tray, type TrayFile } from '@recodery/contract/features/trays';
import { queryOptions } from '@tanstack/react-query';
import { type Call, call } from '../../api/call.ts';
import { streamIsUp } from '../../api/events/events.ts';
import { loadTexts } from '../../i18n/texts.ts';
import { noteLost } from './lost-uploads.ts';
import type { FamilyPage } from '../recoding/families/family-page.ts';

export type Pages = ReadonlyMap<Workflow, FamilyPage>;

/** A tray, and its families' pages. */
export interface LoadedTray {
  readonly tray: Tray;
  readonly pages: Pages;
}

/** How a tray is loaded. */
export interface TraySource {
  readonly call: Call;
  readonly loadPage: (workflow: Workflow) => Promise<FamilyPage>;
}

/** Adds the pages of the families that a tray needs, and loads its texts. */
export async function withPages(loadPage: TraySource['loadPage'], tray: Tray): Promise<LoadedTray> {
  const workflows = [...new Set(tray.files.flatMap(({ workflow }) => workflow ?? []))];
  const pages = await Promise.all(
    workflows.map(async (id): Promise<[Workflow, FamilyPage]> => [id, await loadPage(id)]),
  );
  // the texts of what was not checked
  if (tray.files.some(({ limits }) => limits)) await loadTexts('checks');
  return { tray, pages: new Map(pages) };
}

const isRunning = (operation: Operation | null): boolean =>
  operation !== null && !operation.isCompleted;

/** The operations of a tray that are waiting or running. */
export function runningOperations({ files }: Tray): number {
  const operations = files.flatMap(({ decode, encode }) => [decode, encode]);
  return operations.filter(isRunning).length;
}

/** Milliseconds between requests. While the stream reports the operations, requests only verify it. */
const polling = { running: 2000, checked: 10_000, calm: 60_000 } as const;

/** Keys that begin with `code` belong to the customer code and are removed with it. */
export const traysKey = ['code', 'trays'] as const;

/** The tray as the server has it now. Rejects as `call` does. */
export async function fetchTray(
  source: TraySource,
  guid: string,
  signal?: AbortSignal,
): Promise<LoadedTray> {
  await noteLost(source.call);
  const tray = await source.call(getTray, { params: { trayGUID: guid } }, { signal });
  return withPages(source.loadPage, tray);
}

export function trayQuery(source: TraySource, guid: string) {
  return queryOptions({
    queryKey: [...traysKey, guid],
    queryFn: ({ signal }) => fetchTray(source, guid, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.data === undefined || runningOperations(state.data.tray) === 0) return polling.calm;
      return streamIsUp() ? polling.checked : polling.running;
    },
  });
}

/** The caller's last trays, newest first. */
export const traysQuery = queryOptions({
  queryKey: [...traysKey, 'list'],
  queryFn: ({ signal }) => call(listTrays, {}, { signal }),
  staleTime: 0,
});

function isNewer(one: Operation, other: Operation | null): boolean {
  return other === null || other.guid === one.guid || one.startedOn >= other.startedOn;
}

function changeFile(file: TrayFile, operation: Operation): TrayFile {
  if (file.decode?.guid === operation.guid) return { ...file, decode: operation };
  const { isDecode } = describeOperationType(operation.asyncOperationType);
  const isItsEncode = !isDecode && file.slotGUID !== null && file.slotGUID === operation.slotGUID;
  return isItsEncode && isNewer(operation, file.encode) ? { ...file, encode: operation } : file;
}

/** The tray with a newer record of an operation; the same tray if the operation is not one of its own. */
export function withOperation(tray: Tray, operation: Operation): Tray {
  const files = tray.files.map((file) => changeFile(file, operation));
  return files.every((file, index) => file === tray.files[index]) ? tray : { ...tray, files };
}

/** The tray after a file has been uploaded: its operation has been accepted. */
export function withDecode(tray: Tray, fileGUID: string, decode: Operation): Tray {
  const files = tray.files.map((file) =>
    file.guid === fileGUID ? { ...file, decode, slotGUID: decode.slotGUID, error: null } : file,
  );
  return { ...tray, files };
}
