/**
 * The recoding pages of this tab with unfinished work: they stay alive, uploads included, while the user visits other
 * pages.
 */
import { getEncodeDraft, type SlotDraft } from '@recodery/contract/features/slots';
import { Refusal } from '@recodery/contract/refusal';
import { call } from '../../../api/call.ts';
import { draftSaver, type UnsavedDraft } from './draft-saver.ts';
import type { FamilyPage } from '../families/family-page.ts';
import type { FlowEvent } from './flow-events.ts';
import { type FlowStore, flowStore } from './flow-store.ts';
import type { DecodedRead } from '../decoded-read.ts';
import { type LostChange, newsOf, withoutChange } from '../draft-news.ts';
import { type Inputs, inputsOfDraft, isSameDraft, isSameShown, withUploads } from '../inputs.ts';
import { isOpen, unencodedInputs } from './encode-flow.ts';
import { type Flow, wouldLoseFiles, isUploading } from './recoding-flow.ts';
import { forgetUnsaved, keepUnsaved, saveDraft, saveUnsaved } from './save-draft.ts';
import { beginning, eventsOf, operationShown, type Resumed } from './resume-operation.ts';
import { noUploads, type Uploads } from './uploads.ts';

export interface LivePage {
  readonly store: FlowStore;
  readonly uploads: Uploads;
}

/** The key of a page: the workflow, the customer code and the master device. */
export interface LivePageKey {
  readonly page: FamilyPage;
  readonly customerCode: string;
  readonly device: string;
}

interface Kept extends LivePage {
  /** The text of its key. */
  readonly name: string;
  readonly saved: () => Promise<void>;
  readonly finished: () => Promise<void>;
  /** Ends its uploads and saves nothing more. */
  readonly close: () => void;
  /** The changes that the server has refused for other reasons than a change by others, until the page shows that. */
  readonly lost: () => LostChange | null;
  readonly forgetLost: () => void;
}

const pages = new Map<string, Kept>();
/**
 * Pages that another read has replaced, until the server has their uploads and changes; each with the function that
 * ends the wait for that.
 */
const replaced = new Map<Kept, () => void>();
const rememberedKey = 'recodery.shown-operations';

function textOf({ page, customerCode, device }: LivePageKey): string {
  return `${customerCode}/${page.id}/${device}`;
}

const livePages = (): readonly Kept[] => [...pages.values(), ...replaced.keys()];

/** The live pages that show a read of a slot. */
const pagesOf = (slotGUID: string): readonly Kept[] =>
  livePages().filter(({ store }) => slotOf(store.now()) === slotGUID);

const slotOf = (flow: Flow): string | null => (flow.at === 'decoded' ? flow.read.slotGUID : null);

/** The version of the draft that the page shows after an event; null: the server may have another one. */
function versionShown(flow: Flow, event: FlowEvent): number | null {
  if (flow.at !== 'decoded' || !isOpen(flow.encode)) return null;
  const { inputs } = flow.encode;
  switch (event.type) {
    case 'decode-ended':
      return 0;
    case 'draft-changed':
      return isSameShown(event.to, inputs) ? event.version : null;
    case 'read-resumed':
      return isSameShown(event.inputs, inputs) ? event.version : null;
    default:
      return null;
  }
}

function begin(key: LivePageKey, resumed: Resumed | null): Kept {
  const name = textOf(key);
  const flow = beginning(key.page, resumed);
  let lost: LostChange | null = null;
  const save = async (change: UnsavedDraft): Promise<void> => {
    await saveDraft(change);
    lost = withoutChange(lost, change.draft);
  };
  const saver = draftSaver(save, undefined, ({ slotGUID, draft }, thrown) => {
    const hasConflict = thrown instanceof Refusal && thrown.code === 'DRAFT_CHANGED';
    // what others have not changed is then saved
    if (hasConflict) lost = withoutChange(lost, draft);
    else lost = { ...lost, ...draft, files: { ...lost?.files, ...draft.files } };
    void showSavedDraft(slotGUID);
  });
  if (resumed?.slot) {
    const { read, draft } = resumed.slot;
    const inputs = inputsOfDraft(read, draft);
    saver.note({ at: 'decoded', read, encode: { at: 'preparing', inputs } }, draft.version);
  }
  const store = flowStore(flow, (next, event) => {
    saver.note(next, versionShown(next, event));
    if (pages.get(name)?.store === store) rememberShown(name, operationShown(next));
  });
  const leave = (): void => {
    const unsaved = saver.flush();
    if (unsaved !== null) keepUnsaved(unsaved);
  };
  // the browser restores a page that was left, with the change that was kept
  const comeBack = (): void => {
    const now = store.now();
    if (now.at === 'decoded') forgetUnsaved(now.read.slotGUID);
  };
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', comeBack);
  const uploads = noUploads(key.customerCode);
  const close = (): void => {
    saver.stop();
    window.removeEventListener('pagehide', leave);
    window.removeEventListener('pageshow', comeBack);
    uploads.abortAll();
  };
  const { saved, finished } = saver;
  const forgetLost = (): void => {
    lost = null;
  };
  return { name, store, uploads, saved, finished, close, lost: () => lost, forgetLost };
}

/** Keeps a page that another read replaces until the server has its uploads and changes. */
function replace(page: Kept): void {
  const endWhenDone = async (): Promise<void> => {
    if (isUploading(page.store.now())) return;
    await page.finished();
    if (!isUploading(page.store.now()) && endWait(page)) page.close();
  };
  replaced.set(
    page,
    page.store.subscribe(() => void endWhenDone()),
  );
  void endWhenDone();
}

/** Ends the wait for the work of a replaced page; false if the page is not one. */
function endWait(page: Kept): boolean {
  replaced.get(page)?.();
  return replaced.delete(page);
}

/** Makes a page the one that its key opens. */
function putFirst(page: Kept): void {
  const before = pages.get(page.name);
  endWait(page);
  pages.set(page.name, page);
  if (before !== undefined && before !== page) replace(before);
  rememberShown(page.name, operationShown(page.store.now()));
}

/**
 * The page with its work. Its previous state is restored, unless its address now names another existing operation. An
 * operation of the same read is then shown next to the work; otherwise uploads of the previous state still finish.
 */
export function openLivePage(
  key: LivePageKey,
  resumed: Resumed | null,
  named: string | null,
): LivePage {
  const name = textOf(key);
  const before = pages.get(name);
  const isEmpty = before?.store.now().at === 'choosing';
  if (before && named === null && !(isEmpty && resumed)) return before;
  const isOpened = ({ store }: Kept): boolean => operationShown(store.now()) === named;
  const slotGUID = resumed?.slot?.read.slotGUID;
  const isOfRead = ({ store }: Kept): boolean =>
    slotGUID !== undefined && slotOf(store.now()) === slotGUID;
  const own = [
    ...(before ? [before] : []),
    ...[...replaced.keys()].filter((page) => page.name === name),
  ];
  const live = named === null ? undefined : (own.find(isOpened) ?? own.find(isOfRead));
  if (live && resumed && !isOpened(live)) {
    for (const event of eventsOf(key.page, resumed)) live.store.dispatch(event);
  }
  const opened = live ?? begin(key, resumed);
  putFirst(opened);
  return opened;
}

/** Resolves once the server has the draft of a slot as this tab shows it; rejects when it could not be saved. */
export async function draftSaved(slotGUID: string): Promise<void> {
  await saveUnsaved(slotGUID);
  for (const { saved } of pagesOf(slotGUID)) await saved();
}

/** The inputs of a slot for its next encode; null if the page shows something else. */
function preparedIn(flow: Flow, slotGUID: string) {
  if (flow.at !== 'decoded' || flow.read.slotGUID !== slotGUID) return null;
  const { read, encode } = flow;
  const inputs = unencodedInputs(encode) ?? ('plan' in encode ? encode.plan?.prepared : null);
  return inputs ? { read, inputs } : null;
}

/**
 * Shows the draft that the server has on the open pages of a slot; their uploads continue. They report what others have
 * changed, unless the change `isOwn`: made by another part of this tab; and which of their own changes were not saved. A
 * page whose draft cannot be read is updated with its next checks.
 */
export async function showSavedDraft(slotGUID: string, isOwn = false): Promise<void> {
  for (const { store, saved, lost, forgetLost } of pagesOf(slotGUID)) {
    let isShown = false;
    while (!isShown) {
      const before = preparedIn(store.now(), slotGUID);
      if (before === null) break;
      const draft = await saved()
        .then(() => call(getEncodeDraft, { params: { slotGUID } }))
        .catch(() => null);
      const now = preparedIn(store.now(), slotGUID);
      if (draft === null || now === null) break;
      // otherwise the user has changed something, which is being saved
      isShown = isSameDraft(before.inputs, now.inputs);
      if (!isShown) continue;
      store.dispatch(draftChanged(now, draft, isOwn, lost()));
      forgetLost();
    }
  }
}

/** The event that shows a draft of the server. */
function draftChanged(
  { read, inputs }: { readonly read: DecodedRead; readonly inputs: Inputs },
  draft: SlotDraft,
  isOwn: boolean,
  lost: LostChange | null = null,
): Extract<FlowEvent, { readonly type: 'draft-changed' }> {
  const to = withUploads(inputsOfDraft(read, draft), inputs, Object.keys(lost?.files ?? {}));
  const news = isOwn ? [] : newsOf(inputs, to, draft.changes, lost);
  return { type: 'draft-changed', from: inputs, to, version: draft.version, news };
}

/** Shows a draft that the server has announced on the open pages of its slot. */
export function showAnnouncedDraft(draft: SlotDraft): void {
  const { slotGUID } = draft;
  const isShown = pagesOf(slotGUID).every(({ store }) => {
    const now = preparedIn(store.now(), slotGUID);
    if (now === null) return true;
    const event = draftChanged(now, draft, false);
    // this page has made the change: nothing changes but the version that it knows
    const isSame = isSameShown(event.to, now.inputs);
    if (isSame) store.dispatch(event);
    return isSame;
  });
  if (!isShown) void showSavedDraft(slotGUID);
}

/**
 * Discards the work on a slot in this tab, because its draft is replaced on the server: the page that opens next reads
 * the draft again. Resolves once no request for the draft is in progress.
 */
export async function forgetLivePages(slotGUID: string): Promise<void> {
  forgetUnsaved(slotGUID);
  const ends: Promise<void>[] = [];
  for (const page of pagesOf(slotGUID)) {
    if (!endWait(page)) pages.delete(page.name);
    page.close();
    // after closing, a failed request is not retried
    ends.push(page.saved().catch(() => {}));
  }
  await Promise.all(ends);
}

/** Whether this tab is uploading a file for a slot. */
export function isUploadingTo(slotGUID: string): boolean {
  return pagesOf(slotGUID).some(({ store }) => isUploading(store.now()));
}

/** Whether the page contains files that have not been encoded yet. */
export function isPrepared(key: LivePageKey): boolean {
  const live = pages.get(textOf(key));
  return live !== undefined && wouldLoseFiles(live.store.now());
}

function remembered(): Record<string, string> {
  const entries: unknown = JSON.parse(sessionStorage.getItem(rememberedKey) ?? '{}');
  // Written by `rememberShown`.
  return entries as Record<string, string>;
}

/** The operation that the page showed last in this tab, including before a reload of another page. */
export function operationRemembered(key: LivePageKey): string | null {
  return remembered()[textOf(key)] ?? null;
}

/** Remembers the operation that the page shows; null: the page is empty. */
function rememberShown(name: string, guid: string | null): void {
  const { [name]: before, ...others } = remembered();
  if (before === (guid ?? undefined)) return;
  const next = guid === null ? others : { ...others, [name]: guid };
  sessionStorage.setItem(rememberedKey, JSON.stringify(next));
}
