/**
 * The recoding pages of this tab with unfinished work: they stay alive, uploads included, while the user visits other
 * pages. Part of the tab's work.
 *
 *     not open ──── open ────▶ first ─────── another read is opened ──────▶ replaced
 *        ▲                     ▲  │                                         │  │
 *        │                     │  │ forget    ◀──── its read is opened ─────┘  │
 *        │                     │  ▼                                            ▼
 *        └──────────────────── closed ◀─── the server has everything, or forget
 *
 * `first`: the page that its workflow, customer code and device open. `replaced`: it only finishes its uploads and saves
 * its changes. What each page shows is `recodingFlow`; how a draft is saved, `draftSaver`; how an upload is canceled,
 * `canceling`.
 */
import { getEncodeDraft, type SlotDraft } from '@recodery/contract/features/slots';
import { Refusal } from '@recodery/contract/refusal';
import type { Call } from '../../../api/call.ts';
import { useWork, type Work } from '../../../api/work.ts';
import { type Canceling, canceling } from './cancel-uploads.ts';
import { type DraftSaver, draftSaver, type UnsavedDraft } from './drafts/draft-saver.ts';
import type { FamilyPage } from '../families/family-page.ts';
import type { FlowEvent } from './state/flow-events.ts';
import { type FlowStore, flowStore } from './state/flow-store.ts';
import type { DecodedRead } from '../decoded-read.ts';
import { type LostChange, newsOf, withoutChange } from '../draft-news.ts';
import { type Inputs, inputsOfDraft, isSameDraft, isSameShown, withUploads } from '../inputs.ts';
import { isOpen, unencodedInputs } from './state/encode-flow.ts';
import { type Flow, wouldLoseFiles, isUploading } from './state/recoding-flow.ts';
import { type DraftCalls, draftCalls, forgetUnsaved, keepUnsaved } from './drafts/save-draft.ts';
import { beginning, eventsOf, operationShown, type Resumed } from './state/resume-operation.ts';
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

const rememberedKey = 'recodery.shown-operations';

function textOf({ page, customerCode, device }: LivePageKey): string {
  return `${customerCode}/${page.id}/${device}`;
}

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

/** The inputs of a slot for its next encode; null if the page shows something else. */
function preparedIn(flow: Flow, slotGUID: string) {
  if (flow.at !== 'decoded' || flow.read.slotGUID !== slotGUID) return null;
  const { read, encode } = flow;
  const inputs = unencodedInputs(encode) ?? ('plan' in encode ? encode.plan?.prepared : null);
  return inputs ? { read, inputs } : null;
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

/** The live pages. `call` reaches the server. */
export class LivePages {
  readonly #call: Call;
  readonly #drafts: DraftCalls;
  readonly #canceling: Canceling;
  /** The first pages, by the text of their key. */
  readonly #pages = new Map<string, Kept>();
  /** Each with the function that ends the wait until the server has its uploads and changes. */
  readonly #replaced = new Map<Kept, () => void>();

  constructor(call: Call) {
    this.#call = call;
    this.#drafts = draftCalls(call);
    this.#canceling = canceling(call);
  }

  /** Cancels an upload. What the server may not know is kept when the browser leaves, also if no page shows the slot. */
  readonly #cancel: Canceling['cancel'] = (upload) => {
    window.addEventListener('pagehide', this.#keepCanceled);
    this.#canceling.cancel(upload);
  };

  readonly #keepCanceled = (): void => {
    for (const slotGUID of this.#canceling.unsavedSlots()) {
      // a page that shows the slot keeps this with its change
      if (this.#pagesOf(slotGUID).length > 0) continue;
      keepUnsaved({ slotGUID, draft: null, canceled: this.#canceling.unsaved(slotGUID) });
    }
  };

  /**
   * The page with its work. Its previous state is restored, unless its address now names another existing operation. An
   * operation of the same read is then shown next to the work; otherwise uploads of the previous state still finish. If
   * the address names an operation and there is nothing to resume, the page is empty.
   */
  open(key: LivePageKey, resumed: Resumed | null, named: string | null): LivePage {
    const name = textOf(key);
    const before = this.#pages.get(name);
    const isEmpty = before?.store.now().at === 'choosing';
    if (before && named === null && !(isEmpty && resumed)) return before;
    const isOpened = ({ store }: Kept): boolean => operationShown(store.now()) === named;
    const slotGUID = resumed?.slot?.read.slotGUID;
    const isOfRead = ({ store }: Kept): boolean =>
      slotGUID !== undefined && slotOf(store.now()) === slotGUID;
    const own = [
      ...(before ? [before] : []),
      ...[...this.#replaced.keys()].filter((page) => page.name === name),
    ];
    const live =
      named === null || resumed === null ? undefined : (own.find(isOpened) ?? own.find(isOfRead));
    if (live && resumed && !isOpened(live)) {
      for (const event of eventsOf(key.page, resumed)) live.store.dispatch(event);
    }
    const opened = live ?? this.#begin(key, resumed);
    this.#putFirst(opened);
    return opened;
  }

  /** Resolves once the server has the draft of a slot as this tab shows it; rejects when it could not be saved. */
  async saved(slotGUID: string): Promise<void> {
    await this.saveKept(slotGUID);
    await this.#canceling.saved(slotGUID);
    for (const { saved } of this.#pagesOf(slotGUID)) await saved();
  }

  /** Saves what a closed page has kept of a slot. Rejects if this may succeed later. */
  saveKept(slotGUID: string): Promise<void> {
    return this.#drafts.saveKept(slotGUID);
  }

  /**
   * Shows the draft that the server has on the open pages of a slot; their uploads continue. They report what others
   * have changed, unless the change `isOwn`: made by another part of this tab; and which of their own changes were not
   * saved. A page whose draft cannot be read is updated with its next checks.
   */
  async showSaved(slotGUID: string, isOwn = false): Promise<void> {
    for (const { store, saved, lost, forgetLost } of this.#pagesOf(slotGUID)) {
      let isShown = false;
      while (!isShown) {
        const before = preparedIn(store.now(), slotGUID);
        if (before === null) break;
        const draft = await saved()
          .then(() => this.#call(getEncodeDraft, { params: { slotGUID } }))
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

  /** Shows a draft that the server has announced on the open pages of its slot. */
  showAnnounced(draft: SlotDraft): void {
    const { slotGUID } = draft;
    const isShown = this.#pagesOf(slotGUID).every(({ store }) => {
      const now = preparedIn(store.now(), slotGUID);
      if (now === null) return true;
      const event = draftChanged(now, draft, false);
      // this page has made the change: nothing changes but the version that it knows
      const isSame = isSameShown(event.to, now.inputs);
      if (isSame) store.dispatch(event);
      return isSame;
    });
    if (!isShown) void this.showSaved(slotGUID);
  }

  /**
   * Discards the work on a slot in this tab, because its draft is replaced on the server: the page that opens next reads
   * the draft again. Resolves once no request for the draft is in progress.
   */
  async forget(slotGUID: string): Promise<void> {
    forgetUnsaved(slotGUID);
    const ends: Promise<void>[] = [];
    for (const page of this.#pagesOf(slotGUID)) {
      if (!this.#endWait(page)) this.#pages.delete(page.name);
      page.close();
      // after closing, a failed request is not retried
      ends.push(page.saved().catch(() => {}));
    }
    ends.push(this.#canceling.saved(slotGUID).catch(() => {}));
    await Promise.all(ends);
  }

  /** Whether this tab is uploading a file for a slot. */
  isUploadingTo(slotGUID: string): boolean {
    return this.#pagesOf(slotGUID).some(({ store }) => isUploading(store.now()));
  }

  /** Whether the page contains files that have not been encoded yet. */
  isPrepared(key: LivePageKey): boolean {
    const live = this.#pages.get(textOf(key));
    return live !== undefined && wouldLoseFiles(live.store.now());
  }

  /** The live pages that show a read of a slot. */
  #pagesOf(slotGUID: string): readonly Kept[] {
    return [...this.#pages.values(), ...this.#replaced.keys()].filter(
      ({ store }) => slotOf(store.now()) === slotGUID,
    );
  }

  #begin(key: LivePageKey, resumed: Resumed | null): Kept {
    const name = textOf(key);
    let lost: LostChange | null = null;
    const save = async (change: UnsavedDraft): Promise<void> => {
      await this.#drafts.save(change);
      lost = withoutChange(lost, change.draft);
    };
    const saver = draftSaver(save, undefined, ({ slotGUID, draft }, thrown) => {
      const hasConflict = thrown instanceof Refusal && thrown.code === 'DRAFT_CHANGED';
      // what others have not changed is then saved
      if (hasConflict) lost = withoutChange(lost, draft);
      else lost = { ...lost, ...draft, files: { ...lost?.files, ...draft.files } };
      void this.showSaved(slotGUID);
    });
    if (resumed?.slot) {
      const { read, draft } = resumed.slot;
      const inputs = inputsOfDraft(read, draft);
      saver.note({ at: 'decoded', read, encode: { at: 'preparing', inputs } }, draft.version);
    }
    const store = flowStore(beginning(key.page, resumed), (next, event) => {
      saver.note(next, versionShown(next, event));
      if (this.#pages.get(name)?.store === store) rememberShown(name, operationShown(next));
    });
    const uploads = noUploads(key.customerCode, this.#cancel);
    const endKeeping = this.#keepOnLeaving(store, saver);
    const close = (): void => {
      saver.stop();
      endKeeping();
      uploads.abortAll();
    };
    const { saved, finished } = saver;
    const forgetLost = (): void => {
      lost = null;
    };
    return { name, store, uploads, saved, finished, close, lost: () => lost, forgetLost };
  }

  /** Keeps what a page has not saved when the browser leaves it. Returns the function that ends this. */
  #keepOnLeaving(store: FlowStore, saver: DraftSaver): () => void {
    const leave = (): void => {
      const change = saver.flush();
      const slotGUID = change?.slotGUID ?? slotOf(store.now());
      if (slotGUID === null) return;
      const canceled = this.#canceling.unsaved(slotGUID);
      if (change === null && canceled.length === 0) return;
      keepUnsaved({ slotGUID, draft: change?.draft ?? null, canceled });
    };
    // the browser restores a page that was left, with the change that was kept
    const comeBack = (): void => {
      const slotGUID = slotOf(store.now());
      if (slotGUID !== null) forgetUnsaved(slotGUID);
    };
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', comeBack);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', comeBack);
    };
  }

  /** Keeps a page that another read replaces until the server has its uploads and changes. */
  #replace(page: Kept): void {
    const endWhenDone = async (): Promise<void> => {
      if (isUploading(page.store.now())) return;
      await page.finished();
      if (!isUploading(page.store.now()) && this.#endWait(page)) page.close();
    };
    this.#replaced.set(
      page,
      page.store.subscribe(() => void endWhenDone()),
    );
    void endWhenDone();
  }

  /** Ends the wait for the work of a replaced page; false if the page is not one. */
  #endWait(page: Kept): boolean {
    this.#replaced.get(page)?.();
    return this.#replaced.delete(page);
  }

  /** Makes a page the one that its key opens. */
  #putFirst(page: Kept): void {
    const before = this.#pages.get(page.name);
    this.#endWait(page);
    this.#pages.set(page.name, page);
    if (before !== undefined && before !== page) this.#replace(before);
    rememberShown(page.name, operationShown(page.store.now()));
  }
}

const made = ({ call }: Work): LivePages => new LivePages(call);

/** The live pages of the tab's work. */
export function livePagesOf(work: Work): LivePages {
  return work.part(made);
}

/** The live pages of this tab. */
export function useLivePages(): LivePages {
  return livePagesOf(useWork());
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
