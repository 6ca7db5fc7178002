/**
 * The work of trays in this tab: their uploads and encodes continue while the user visits other pages. The server has
 * the state of the files; this contains only what is waiting to be sent. Part of the tab's work.
 *
 *                 a page shows it, or a job is added
 *     resting ─────────────────────────────────────────▶ followed
 *        ▲                                                  │
 *        └── no page shows it, and its last job has ended ──┘
 *
 * A resting tray is forgotten; what the user has confirmed is not. The states of its jobs are those of `WorkQueue`.
 */
import { operation as operationShape } from '@recodery/contract/features/operations';
import { slotDraft } from '@recodery/contract/features/slots';
import { getServiceStatus } from '@recodery/contract/features/service-status';
import { removeTrayFile, type Tray } from '@recodery/contract/features/trays';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { believedCustomerCode } from '../../api/customer-code.ts';
import { onEvent } from '../../api/events/events.ts';
import { upload } from '../../api/files/upload.ts';
import { useWork, type Work } from '../../api/work.ts';
import { askWhile, registerUnsaved } from '../../ui/dialogs/unsaved-work.ts';
import { loadPage } from '../recoding/families/registry.ts';
import { updateDraft } from '../../api/update-draft.ts';
import { type LivePages, livePagesOf } from '../recoding/flow/live-pages.ts';
import { uploadedIn } from '../recoding/inputs.ts';
import { questionOf } from '../recoding/preflight-answer.ts';
import { statusQuery } from '../service-status/service-status.ts';
import { throttle } from './throttle.ts';
import { withoutShown } from './rows/draft-changes.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { BegunUploads, keepLost } from './lost-uploads.ts';
import { sendImage } from './rows/send-image.ts';
import { startEncode } from './rows/start-encode.ts';
import { type UploadReads, uploadReads } from './rows/upload-reads.ts';
import { type DecodedRow, encodeKey, imageKey, readKey, type Row, rowsOf } from './tray-rows.ts';
import {
  fetchTray,
  type LoadedTray,
  runningOperations,
  type TraySource,
  trayQuery,
  withOperation,
  withPages,
} from './tray-query.ts';
import { UnplacedStore } from './dropped/unplaced-store.ts';
import { type QueuedJob, type SendOptions, WorkQueue } from './work-queue.ts';

/** The work of one tray. */
export interface LiveTray extends UploadReads {
  readonly queue: WorkQueue;
  /** Follows the tray until the returned function is called; without that, it is followed only while it has jobs. */
  hold(): () => void;
  /** Uploads the modified file of a part. */
  modify(row: Row, part: string, file: File): void;
  /** Encodes the modified files that a row has when its turn comes, unless their checks stop it. */
  encode(row: Row): void;
  /** Encodes a row although its checks found possible mistakes: these are not shown again. */
  confirm(row: Row): void;
  /** Removes a file that was not decoded. */
  removeFile(row: Row): Promise<void>;
  /** Removes the file of a part from the draft, or the note that it was refused. */
  removeImage(row: Row, part: string): Promise<void>;
}

function later(milliseconds: number, then: () => void): () => void {
  const timer = setTimeout(then, milliseconds);
  return () => clearTimeout(timer);
}

/** A row that is decoded. @throws when it is not: the page offers this only for decoded rows */
function decodedOf({ state }: Row): DecodedRow {
  if (state.at !== 'decoded') throw new Error('the read is not decoded');
  return state;
}

/** While jobs are waiting, the tray is followed without a page, and the browser asks before it closes the tab. */
function followWhileWorking({ queries, query }: Store, queue: WorkQueue): () => void {
  const customerCode = believedCustomerCode();
  let ends: (() => void)[] = [];
  const stop = (): void => {
    for (const end of ends) end();
    ends = [];
  };
  const end = queue.subscribe(() => {
    const isWorking = queue.unfinished().length > 0;
    if (!isWorking) stop();
    else if (ends.length === 0) {
      // first: the observer may report, and the queue call this, before it is subscribed
      ends = [registerUnsaved('upload', customerCode)];
      ends.push(new QueryObserver(queries, query).subscribe(() => queue.pump()));
    }
  });
  return () => {
    stop();
    end();
  };
}

/** The tray in the query cache of this tab. */
interface Store {
  readonly guid: string;
  readonly queries: QueryClient;
  readonly query: ReturnType<typeof trayQuery>;
  readonly queryKey: ReturnType<typeof trayQuery>['queryKey'];
  readonly known: () => LoadedTray | undefined;
  readonly refresh: () => Promise<void>;
  /** Refreshes at most once a second: each request returns the whole tray. */
  readonly refreshSoon: () => void;
  readonly change: (next: (tray: Tray) => Tray) => Promise<void>;
}

function storeOf({ queries, queryOf }: LiveTrays, guid: string): Store {
  const query = queryOf(guid);
  const { queryKey } = query;
  const known = (): LoadedTray | undefined => queries.getQueryData(queryKey);
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey });
  const refreshSoon = throttle(1000, () => void refresh());
  const change = async (next: (tray: Tray) => Tray): Promise<void> => {
    if (known() === undefined) return;
    // a response in progress may be older than the change
    const isFetching = queries.isFetching({ queryKey }) > 0;
    await queries.cancelQueries({ queryKey });
    queries.setQueryData(queryKey, (before) => before && { ...before, tray: next(before.tray) });
    if (isFetching) refreshSoon();
  };
  return { guid, queries, query, queryKey, known, refresh, refreshSoon, change };
}

/**
 * Ends a pause as soon as its reason may have passed: an operation has ended, the service is up, the network is back.
 */
function resumeEarly({ queries, queryKey, refreshSoon }: Store, queue: WorkQueue): () => void {
  const endEvents = onEvent('operation', operationShape, (operation) => {
    const before = queries.getQueryData<LoadedTray>(queryKey);
    if (before !== undefined) {
      const tray = withOperation(before.tray, operation);
      if (tray !== before.tray) queries.setQueryData(queryKey, { ...before, tray });
      // its images and its draft
      if (tray !== before.tray && operation.isCompleted) refreshSoon();
    }
    if (operation.isCompleted) queue.resume();
  });
  const endDrafts = onEvent('draft', slotDraft, ({ slotGUID }) => {
    const { files = [] } = queries.getQueryData<LoadedTray>(queryKey)?.tray ?? {};
    if (files.some((file) => file.slotGUID === slotGUID)) refreshSoon();
  });
  const endStatus = queries.getQueryCache().subscribe(({ query }) => {
    const isUp = query.queryKey[0] === statusQuery.queryKey[0] && isServiceUp(queries);
    if (isUp && queue.state().pausedFor === 'service') queue.resume();
  });
  const resume = (): void => queue.resume();
  addEventListener('online', resume);
  return () => {
    endEvents();
    endDrafts();
    endStatus();
    removeEventListener('online', resume);
  };
}

/** Follows a tray while a page shows it or it has jobs, and forgets it afterward: it then has no listeners. */
function holder(store: Store, queue: WorkQueue, begun: BegunUploads, forget: () => void) {
  let pages = 0;
  let ends: readonly (() => void)[] = [];
  const rest = (): void => {
    if (pages > 0 || queue.state().jobs.size > 0) return;
    for (const end of ends) end();
    ends = [];
    forget();
  };
  const listen = (): void => {
    if (ends.length > 0) return;
    // only this tab knows of a file that could not be sent, or failed each time
    const endQuestion = askWhile(queue.subscribe, () => queue.hasRefused('image'));
    const endWork = followWhileWorking(store, queue);
    const endKeeping = keepLost(() => begun.lost(queue.state().jobs));
    ends = [endQuestion, endWork, endKeeping, resumeEarly(store, queue), queue.subscribe(rest)];
  };
  const hold = (): (() => void) => {
    pages += 1;
    listen();
    return () => {
      pages -= 1;
      rest();
    };
  };
  return { listen, hold };
}

function isServiceUp(queries: QueryClient): boolean {
  return queries.getQueryData(statusQuery.queryKey)?.statusCode !== 503;
}

/** How many operations the tray may start now; null while unknown. */
function placesIn({ queries, known }: Store): number | null {
  const tray = known()?.tray;
  if (tray === undefined) return null;
  return isServiceUp(queries) ? tray.parallelOperations - runningOperations(tray) : 0;
}

/** The work of one tray. `remember` makes it the one that its GUID opens, until `forget`. */
function begin(
  trays: LiveTrays,
  guid: string,
  {
    remember,
    forget,
  }: { readonly remember: (live: LiveTray) => void; readonly forget: () => void },
): LiveTray {
  const store = storeOf(trays, guid);
  const queue = new WorkQueue({ places: () => placesIn(store), later });
  const begun = new BegunUploads();
  const { listen, hold } = holder(store, queue, begun, forget);
  const add = (job: QueuedJob): void => {
    remember(opened);
    listen();
    queue.add(job);
  };
  const opened: LiveTray = {
    queue,
    hold() {
      remember(opened);
      return hold();
    },
    ...uploadReads({ guid, upload: trays.upload, add, change: store.change }),
    modify(row, part, file) {
      const image = { row, state: decodedOf(row), part, file };
      const parts = { ...store, call: trays.call, pages: trays.pages };
      const send = (options: SendOptions): Promise<void> => sendImage(parts, image, options);
      // an encode of the files before this one
      queue.forget(encodeKey(row.file.guid));
      const key = imageKey(row.file.guid, part);
      const before = uploadedIn(image.state.inputs.parts[part])?.fileGUID ?? null;
      begun.begin(key, { slotGUID: image.state.read.slotGUID, part, before }, file);
      add({ key, lane: 'image', fileName: file.name, send });
    },
    ...encodes(trays, store, queue, add),
    ...removals(trays, store, queue),
  };
  return opened;
}

/** The functions that start encodes. */
function encodes(
  { call, pages, fetch, confirmed, limitChecks }: LiveTrays,
  { guid, queries, known, change }: Store,
  queue: WorkQueue,
  add: (job: QueuedJob) => void,
): Pick<LiveTray, 'encode' | 'confirm'> {
  const fetchLatest = async (): Promise<LoadedTray> => {
    const latest = await fetch(guid);
    await change(() => latest.tray);
    return latest;
  };
  const encode = ({ file: { guid: fileGUID, name: fileName } }: Row): void => {
    let isRepeated = false;
    const rowIn = (loaded: LoadedTray): Row | undefined =>
      rowsOf(loaded, queue.state().jobs).find(({ file }) => file.guid === fileGUID);
    const send = async ({ forgotten }: SendOptions): Promise<void> => {
      // the response to the first request may have been lost: the server knows whether it was accepted
      const loaded = isRepeated ? await fetch(guid) : known();
      isRepeated = true;
      const parts = {
        call,
        pages,
        rowIn,
        fetchLatest,
        confirmed: () => confirmed.get(fileGUID),
        forgotten,
        limit: limitChecks,
        isServiceUp: async () => {
          const queryFn = () => call(getServiceStatus, {});
          await queries.fetchQuery({ ...statusQuery, queryFn, staleTime: 0 });
          return isServiceUp(queries);
        },
      };
      const started = loaded && (await startEncode(loaded, parts));
      await change((tray) => (started ? withOperation(tray, started) : tray));
    };
    add({ key: encodeKey(fileGUID), lane: 'operation', fileName, send });
  };
  return {
    encode,
    confirm(row) {
      const { encode: asked } = decodedOf(row);
      if (asked.at !== 'asked') return;
      confirmed.set(row.file.guid, questionOf(asked.answer));
      encode(row);
    },
  };
}

/** The functions that remove files; their waiting jobs are not sent. */
function removals(
  { call, pages }: LiveTrays,
  { guid, refresh }: Store,
  queue: WorkQueue,
): Pick<LiveTray, 'removeFile' | 'removeImage'> {
  return {
    async removeFile({ file }) {
      queue.forget(readKey(file.guid));
      const params = { trayGUID: guid, trayFileGUID: file.guid };
      await call(removeTrayFile, { params }).finally(refresh);
    },
    async removeImage(row, name) {
      queue.forget(imageKey(row.file.guid, name));
      queue.forget(encodeKey(row.file.guid));
      const shown = decodedOf(row);
      const { slotGUID } = shown.read;
      await pages.saved(slotGUID);
      await updateDraft(call, slotGUID, (draft) => withoutShown(shown, draft, name));
      await pages.showSaved(slotGUID, true);
      await refresh();
    },
  };
}

/** What trays need in addition to the work that they are a part of. */
export interface TrayParts extends Pick<TraySource, 'loadPage'> {
  readonly upload: typeof upload;
}

/** The work of all trays of this tab. */
export class LiveTrays {
  readonly call: Work['call'];
  readonly upload: typeof upload;
  readonly queries: QueryClient;
  readonly pages: LivePages;
  /** What the user has confirmed last for each file; it also outlives a tray without work. */
  readonly confirmed = new Map<string, string>();
  /** The server runs only two checks of an organisation at once, and other pages need them too. */
  readonly limitChecks = limitConcurrency(2);
  readonly unplaced = new UnplacedStore();
  readonly #source: TraySource;
  readonly #live = new Map<string, LiveTray>();

  constructor(work: Work, parts: TrayParts) {
    this.call = work.call;
    this.upload = parts.upload;
    this.queries = work.queries;
    this.pages = livePagesOf(work);
    this.#source = { call: work.call, loadPage: parts.loadPage };
  }

  readonly queryOf = (guid: string): ReturnType<typeof trayQuery> => trayQuery(this.#source, guid);

  /** The tray as the server has it now. Rejects as `call` does. */
  readonly fetch = (guid: string): Promise<LoadedTray> => fetchTray(this.#source, guid);

  /** Stores a tray that the server has returned as the one that pages show. */
  async show(tray: Tray): Promise<LoadedTray> {
    const loaded = await withPages(this.#source.loadPage, tray);
    this.queries.setQueryData(this.queryOf(tray.guid).queryKey, loaded);
    return loaded;
  }

  /** The work of a tray; it starts with the first call. */
  open(guid: string): LiveTray {
    const before = this.#live.get(guid);
    if (before !== undefined) return before;
    const opened = begin(this, guid, {
      remember: (live) => void this.#live.set(guid, live),
      forget: () => void this.#live.delete(guid),
    });
    this.#live.set(guid, opened);
    return opened;
  }
}

const made = (work: Work): LiveTrays => new LiveTrays(work, { upload, loadPage });

/** The trays of the tab's work. */
export function liveTraysOf(work: Work): LiveTrays {
  return work.part(made);
}

/** The work of the trays of this tab. */
export function useLiveTrays(): LiveTrays {
  return liveTraysOf(useWork());
}

/** The rows of a tray with the current state of its work. */
export function currentRows(loaded: LoadedTray, { queue }: LiveTray): readonly Row[] {
  return rowsOf(loaded, queue.state().jobs);
}
