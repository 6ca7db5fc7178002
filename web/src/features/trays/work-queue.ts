/** Uploads and requests of a tray that wait for their turn: none is lost because the service currently has no room. */
import { statusOf } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import type { PreflightAnswer } from '@recodery/contract/features/recoding/preflight';
import { type Fault, isTemporaryRefusal, mayBeTemporary } from '../recoding/fault.ts';

/** `operation`: starts one, and counts against the quota of the organisation. `image`: only uploads. */
export type Lane = 'operation' | 'image';

export interface SendOptions {
  /** Called with the fraction sent so far, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /** Aborts when the job is forgotten: it should not start anything more. */
  readonly forgotten: AbortSignal;
}

/** A job; its key is unique in the queue. */
export interface QueuedJob {
  readonly key: string;
  readonly lane: Lane;
  readonly fileName: string;
  send(options: SendOptions): Promise<unknown>;
}

/** `stopped`: the checks found something, and the user decides. */
export type JobState =
  | { readonly at: 'queued' }
  | { readonly at: 'sending'; readonly fraction: number }
  | { readonly at: 'stopped'; readonly answer: PreflightAnswer }
  | { readonly at: 'refused'; readonly fault: Fault; readonly fileName: string };

/** Thrown by a job that the checks have stopped. It is not retried, and does not count as a failure. */
export class Stopped extends Error {
  readonly answer: PreflightAnswer;

  constructor(answer: PreflightAnswer) {
    super('the checks need an answer');
    this.answer = answer;
  }
}

/** Whether a job is neither waiting nor being sent. */
const isSettled = ({ at }: JobState): boolean => at === 'refused' || at === 'stopped';

/** Why no job is started now: all places are taken by others, the service is down, or the network is. */
export type Pause = 'quota' | 'service' | 'network';

/** The state of a queue; a new object after each change. */
export interface QueueState {
  readonly jobs: ReadonlyMap<string, JobState>;
  readonly pausedFor: Pause | null;
}

export interface QueueParts {
  /** Operations that may be started now; null while the tray is unknown: then nothing is sent. */
  places(): number | null;
  /** Calls the function after this many milliseconds; returns the function that cancels. */
  later(milliseconds: number, then: () => void): () => void;
}

/** Images that are uploaded at the same time: the portal admits four uploads, and reads come first. */
const mostImages = 2;
/** Milliseconds until jobs are retried; a reported change retries them earlier. */
const pauses: Readonly<Record<Pause, number>> = { quota: 2000, service: 5000, network: 3000 };
/** Milliseconds until a job is retried whose first request the server is still handling; others do not wait for it. */
const untilHandled = 10_000;
/** Maximum attempts after an internal error, because the file may be the cause. */
const mostFailures = 3;

/** Whether a refusal is unrelated to the file, so that the job waits as if there were no network. */
function isUnrelated(thrown: Refusal): boolean {
  return isTemporaryRefusal(thrown) || thrown.code === 'CUSTOMER_CODE_CHANGED';
}

/** Whether the file may be the cause: not a lost connection, a full quota, or maintenance. */
function isFault(thrown: unknown): boolean {
  if (!(thrown instanceof Refusal) || isUnrelated(thrown)) return false;
  return statusOf(thrown.code) !== 429 && thrown.code !== 'SERVICE_UNAVAILABLE';
}

/** Why a job is retried later; null: it has failed. */
function pauseFor(thrown: unknown, failures: number): Pause | null {
  if (!(thrown instanceof Refusal) || isUnrelated(thrown)) return 'network';
  if (!mayBeTemporary({ kind: 'refused', thrown })) return null;
  if (statusOf(thrown.code) === 429) return 'quota';
  return !isFault(thrown) || failures < mostFailures ? 'service' : null;
}

interface Entry {
  readonly job: QueuedJob;
  state: JobState;
  failures: number;
  /** The server is still handling its first request. */
  isHandled: boolean;
  /** The job that replaces this one when it settles. */
  next: QueuedJob | null;
  /** Aborted when it is removed while it is being sent: it is not retried. */
  readonly forgotten: AbortController;
}

function entryOf(job: QueuedJob): Entry {
  return {
    job,
    state: { at: 'queued' },
    failures: 0,
    isHandled: false,
    next: null,
    forgotten: new AbortController(),
  };
}

/** The jobs of a tray; it starts without any. */
export class WorkQueue {
  readonly #parts: QueueParts;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  #pausedFor: Pause | null = null;
  #cancelPause: () => void = () => undefined;
  #shown: QueueState = { jobs: new Map(), pausedFor: null };

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  readonly state = (): QueueState => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Adds a job. One with the same key that waits, was refused or was stopped is replaced. While one with the same key
   * is being sent, an image is sent after it; a read or an encode would be the same again and is dropped.
   */
  add(job: QueuedJob): void {
    const before = this.#entries.get(job.key);
    if (before?.state.at === 'sending') {
      if (job.lane === 'image') before.next = job;
      return;
    }
    this.#entries.set(job.key, entryOf(job));
    this.pump();
  }

  /** Removes a job that is not being sent. One that is being sent finishes, but is not retried. */
  forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry?.state.at === 'sending') {
      entry.next = null;
      entry.forgotten.abort();
    } else {
      this.#entries.delete(key);
    }
    this.#publish();
  }

  /** Starts the jobs that may start. */
  pump(): void {
    for (const entry of this.#entries.values()) {
      const isWaiting = entry.state.at === 'queued' && !entry.isHandled;
      if (isWaiting && this.#pausedFor === null && this.#hasPlace(entry.job.lane))
        this.#start(entry);
    }
    this.#publish();
  }

  /** Ends a pause: the reason may have passed. */
  resume(): void {
    this.#cancelPause();
    this.#pausedFor = null;
    this.pump();
  }

  /** The files of the jobs that are not finished. */
  unfinished(): readonly string[] {
    return [...this.#entries.values()].flatMap(({ job, state }) =>
      isSettled(state) ? [] : [job.fileName],
    );
  }

  /** Whether a job of this lane was refused and is still listed. */
  hasRefused(lane: Lane): boolean {
    return [...this.#entries.values()].some(
      ({ job, state }) => job.lane === lane && state.at === 'refused',
    );
  }

  #hasPlace(lane: Lane): boolean {
    const sending = [...this.#entries.values()].filter(
      ({ job, state }) => job.lane === lane && state.at === 'sending',
    );
    const places = this.#parts.places();
    return places !== null && sending.length < (lane === 'image' ? mostImages : places);
  }

  #start(entry: Entry): void {
    entry.state = { at: 'sending', fraction: 0 };
    const onProgress = (fraction: number): void => {
      entry.state = { at: 'sending', fraction };
      this.#publish();
    };
    void entry.job
      .send({ onProgress, forgotten: entry.forgotten.signal })
      .then(
        () => this.#end(entry),
        (thrown: unknown) => this.#settle(entry, thrown),
      )
      .then(() => this.pump());
  }

  #end({ job, next }: Entry): void {
    this.#entries.delete(job.key);
    if (next !== null) this.#entries.set(next.key, entryOf(next));
  }

  #settle(entry: Entry, thrown: unknown): void {
    if (entry.next !== null || entry.forgotten.signal.aborted) {
      this.#end(entry);
      return;
    }
    if (thrown instanceof Stopped) {
      entry.state = { at: 'stopped', answer: thrown.answer };
      return;
    }
    if (thrown instanceof Refusal && thrown.code === 'IDEMPOTENCY_KEY_IN_USE') {
      this.#awaitResponse(entry);
      return;
    }
    if (isFault(thrown)) entry.failures += 1;
    const reason = pauseFor(thrown, entry.failures);
    if (reason === null) {
      const { fileName } = entry.job;
      entry.state = { at: 'refused', fault: { kind: 'refused', thrown }, fileName };
      return;
    }
    entry.state = { at: 'queued' };
    // the others first: it may fail again
    this.#entries.delete(entry.job.key);
    this.#entries.set(entry.job.key, entry);
    this.#cancelPause();
    this.#pausedFor = reason;
    this.#cancelPause = this.#parts.later(pauses[reason], () => this.resume());
  }

  /** Tries a job again when the server may have the response to its first request. */
  #awaitResponse(entry: Entry): void {
    entry.state = { at: 'queued' };
    entry.isHandled = true;
    this.#parts.later(untilHandled, () => {
      entry.isHandled = false;
      this.pump();
    });
  }

  #publish(): void {
    const jobs = new Map([...this.#entries].map(([key, { state }]) => [key, state]));
    this.#shown = { jobs, pausedFor: this.#pausedFor };
    for (const listener of this.#listeners) listener();
  }
}
