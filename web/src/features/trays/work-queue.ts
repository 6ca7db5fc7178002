/** Uploads and requests of a tray that wait for their turn: none is lost because the service has no room at the moment. */
import { Refusal, statusOf } from '@recodery/contract/errors';
import type { UploadOptions } from '../../api/upload.ts';
import { type Fault, mayPass } from '../recoding/fault.ts';

/** `operation`: starts one, and counts against the quota of the organisation. `image`: only uploads. */
export type Lane = 'operation' | 'image';

/** A job; its key is unique in the queue. */
export interface Job {
  readonly key: string;
  readonly lane: Lane;
  readonly fileName: string;
  send(options: UploadOptions): Promise<unknown>;
}

export type JobState =
  | { readonly at: 'queued' }
  | { readonly at: 'sending'; readonly fraction: number }
  | { readonly at: 'refused'; readonly fault: Fault };

/** Why no job is started at the moment: all places are taken by others, the service is down, or the network is. */
export type Pause = 'quota' | 'service' | 'network';

/** The state of a queue; a new object after each change. */
export interface QueueState {
  readonly jobs: ReadonlyMap<string, JobState>;
  readonly pausedFor: Pause | null;
}

export interface QueueParts {
  /** Operations that may be started now, besides those of jobs that are being sent. */
  places(): number;
  /** Calls the function after this many milliseconds; returns the function that cancels. */
  later(milliseconds: number, then: () => void): () => void;
}

/** Images that are uploaded at the same time: the portal admits four uploads, and reads come first. */
const mostImages = 2;
/** Milliseconds until jobs are tried again; what reports a change tries earlier. */
const pauses: Readonly<Record<Pause, number>> = { quota: 2000, service: 5000, network: 3000 };
/** An internal error may be the file's fault, so that it is tried only so often. */
const mostFailures = 3;
/** Refusals of an upload that say nothing about the file. */
const passing: readonly string[] = ['TOO_MANY_UPLOADS', 'UPLOAD_INTERRUPTED'];

/** Why a job is tried again later; null: it has failed. */
function pauseFor(thrown: unknown, failures: number): Pause | null {
  if (!mayPass({ kind: 'refused', thrown })) {
    return thrown instanceof Refusal && passing.includes(thrown.code) ? 'network' : null;
  }
  if (!(thrown instanceof Refusal)) return 'network';
  if (statusOf(thrown.code) === 429) return 'quota';
  return thrown.code === 'SERVICE_UNAVAILABLE' || failures < mostFailures ? 'service' : null;
}

interface Entry {
  readonly job: Job;
  state: JobState;
  failures: number;
}

/** Starts with no jobs. */
export function workQueue({ places, later }: QueueParts) {
  const entries = new Map<string, Entry>();
  const listeners = new Set<() => void>();
  let pausedFor: Pause | null = null;
  let cancelPause: () => void = () => undefined;
  let shown: QueueState = { jobs: new Map(), pausedFor: null };

  const publish = (): void => {
    const jobs = new Map([...entries].map(([key, { state }]) => [key, state]));
    shown = { jobs, pausedFor };
    for (const listener of listeners) listener();
  };

  const sending = (lane: Lane): number =>
    [...entries.values()].filter(({ job, state }) => job.lane === lane && state.at === 'sending')
      .length;

  const mayStart = (lane: Lane): boolean =>
    lane === 'image' ? sending(lane) < mostImages : sending(lane) < places();

  const resume = (): void => {
    cancelPause();
    pausedFor = null;
    pump();
  };

  const pause = (reason: Pause): void => {
    cancelPause();
    pausedFor = reason;
    cancelPause = later(pauses[reason], resume);
  };

  const settle = (entry: Entry, thrown: unknown): void => {
    entry.failures += 1;
    const reason = pauseFor(thrown, entry.failures);
    if (reason === null) {
      entry.state = { at: 'refused', fault: { kind: 'refused', thrown } };
    } else {
      entry.state = { at: 'queued' };
      pause(reason);
    }
  };

  const start = (entry: Entry): void => {
    entry.state = { at: 'sending', fraction: 0 };
    const onProgress = (fraction: number): void => {
      entry.state = { at: 'sending', fraction };
      publish();
    };
    entry.job
      .send({ onProgress })
      .then(
        () => void entries.delete(entry.job.key),
        (thrown: unknown) => settle(entry, thrown),
      )
      .then(pump);
  };

  /** Starts what may start. */
  function pump(): void {
    for (const entry of entries.values()) {
      if (pausedFor === null && entry.state.at === 'queued' && mayStart(entry.job.lane))
        start(entry);
    }
    publish();
  }

  return {
    state: (): QueueState => shown,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Adds a job. One with the same key that waits or was refused is replaced; one that is being sent stays. */
    add(job: Job): void {
      if (entries.get(job.key)?.state.at === 'sending') return;
      entries.set(job.key, { job, state: { at: 'queued' }, failures: 0 });
      pump();
    },
    /** Removes a job that was refused. */
    forget(key: string): void {
      if (entries.get(key)?.state.at === 'refused') entries.delete(key);
      publish();
    },
    pump,
    /** Ends a pause: the reason may have passed. */
    resume,
    /** The files of the jobs that are not finished. */
    unfinished: (): readonly string[] =>
      [...entries.values()].flatMap(({ job, state }) =>
        state.at === 'refused' ? [] : [job.fileName],
      ),
  };
}

export type WorkQueue = ReturnType<typeof workQueue>;
