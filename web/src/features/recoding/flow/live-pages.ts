/**
 * The recoding pages of this tab that have work on them: they stay alive, uploads included, while the user visits other
 * pages.
 */
import { getEncodeDraft } from '@recodery/contract/features/slots';
import { call } from '../../../api/call.ts';
import { draftSaver } from './draft-saver.ts';
import type { FamilyPage } from '../families/family-page.ts';
import { type FlowStore, flowStore } from './flow-store.ts';
import { inputsOfDraft, isSameDraft, withUploads } from '../inputs.ts';
import { type Flow, isAtWork, isUploading } from './recoding-flow.ts';
import { forgetUnsaved, keepUnsaved, saveDraft, saveUnsaved } from './save-draft.ts';
import { beginning, operationShown, type Resumed } from './resume-operation.ts';
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
  readonly saved: () => Promise<void>;
  /** Ends its uploads and saves nothing more. */
  readonly close: () => void;
}

const pages = new Map<string, Kept>();
const rememberedKey = 'recodery.shown-operations';

function textOf({ page, customerCode, device }: LivePageKey): string {
  return `${customerCode}/${page.id}/${device}`;
}

function begin(key: LivePageKey, resumed: Resumed | null): Kept {
  const flow = beginning(key.page, resumed);
  const saver = draftSaver(saveDraft);
  saver.note(flow, true);
  const store = flowStore(flow, (next, event) => {
    saver.note(next, event.type === 'decode-ended' || event.type === 'draft-changed');
    rememberShown(key, operationShown(next));
  });
  rememberShown(key, operationShown(flow));
  const leave = (): void => {
    const unsaved = saver.flush();
    if (unsaved !== null) keepUnsaved(unsaved);
  };
  // the browser shows a page that was left again, with the change that was kept
  const comeBack = (): void => {
    const now = store.now();
    if (now.at === 'decoded') forgetUnsaved(now.read.slotGUID);
  };
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', comeBack);
  const uploads = noUploads();
  const close = (): void => {
    saver.stop();
    window.removeEventListener('pagehide', leave);
    window.removeEventListener('pageshow', comeBack);
    uploads.abortAll();
  };
  return { store, uploads, saved: saver.saved, close };
}

/**
 * The page with its work. Its previous state is restored, unless its address now names another existing operation; in
 * that case uploads of the previous state still finish.
 */
export function openLivePage(
  key: LivePageKey,
  resumed: Resumed | null,
  named: string | null,
): LivePage {
  const before = pages.get(textOf(key));
  if (before) {
    const flow = before.store.now();
    const isSame = named === null || named === operationShown(flow);
    if (flow.at !== 'choosing' && isSame) return before;
  }
  const opened = begin(key, resumed);
  pages.set(textOf(key), opened);
  return opened;
}

/** Resolves once the server has the draft of a slot as this tab shows it; rejects when it could not be saved. */
export async function draftSaved(slotGUID: string): Promise<void> {
  await saveUnsaved(slotGUID);
  for (const { store, saved } of pages.values()) {
    const flow = store.now();
    if (flow.at === 'decoded' && flow.read.slotGUID === slotGUID) await saved();
  }
}

/** The inputs of a slot that are being prepared; null if the page shows something else. */
function preparedIn(flow: Flow, slotGUID: string) {
  const isPrepared = flow.at === 'decoded' && flow.encode.at === 'preparing';
  return isPrepared && flow.read.slotGUID === slotGUID
    ? { read: flow.read, inputs: flow.encode.inputs }
    : null;
}

/**
 * Shows the draft that this tab has changed elsewhere on the open pages of a slot; what they are uploading stays. A page
 * whose draft cannot be read follows it with its next checks.
 */
export async function showSavedDraft(slotGUID: string): Promise<void> {
  for (const { store, saved } of pages.values()) {
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
      const to = withUploads(inputsOfDraft(now.read, draft), now.inputs);
      if (isShown) store.dispatch({ type: 'draft-changed', from: now.inputs, to });
    }
  }
}

/**
 * Forgets the work on a slot in this tab, because its draft is replaced on the server: the page that opens next reads
 * the draft again. Resolves once no request for the draft is under way.
 */
export async function forgetLivePages(slotGUID: string): Promise<void> {
  forgetUnsaved(slotGUID);
  const ends: Promise<void>[] = [];
  for (const [name, { store, saved, close }] of pages) {
    const flow = store.now();
    if (flow.at !== 'decoded' || flow.read.slotGUID !== slotGUID) continue;
    pages.delete(name);
    close();
    // after closing, a request that fails is not repeated
    ends.push(saved().catch(() => {}));
  }
  await Promise.all(ends);
}

/** Whether this tab is uploading a file for a slot. */
export function isUploadingTo(slotGUID: string): boolean {
  return [...pages.values()].some(({ store }) => {
    const flow = store.now();
    return flow.at === 'decoded' && flow.read.slotGUID === slotGUID && isUploading(flow);
  });
}

/** Whether the page contains files that were not encoded yet. */
export function isPrepared(key: LivePageKey): boolean {
  const live = pages.get(textOf(key));
  return live !== undefined && isAtWork(live.store.now());
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
function rememberShown(key: LivePageKey, guid: string | null): void {
  const { [textOf(key)]: before, ...others } = remembered();
  if (before === (guid ?? undefined)) return;
  const next = guid === null ? others : { ...others, [textOf(key)]: guid };
  sessionStorage.setItem(rememberedKey, JSON.stringify(next));
}
