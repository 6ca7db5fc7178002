/** The loop of every queue: claims due rows under a lease, runs as many at once as allowed, and drains when stopped. */
import type { Log } from '../config/log.ts';
import { named } from '../config/named-work.ts';
import type { Announce, AnnouncementKind } from '../postgres/announce.ts';

/** Milliseconds that aborted rows have to be handed back when the queue stops. */
const handBackMs = 1500;

/** A claim of a row. The attempt number fences off earlier claims: every write names it. */
export interface Claim {
  readonly guid: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Whether no other row was due when this one was claimed; absent: unknown. */
  readonly isLast?: boolean;
}

/** The abort reason when a row returns to the queue because this worker is stopping. */
export const workerEnds = new Error('the worker is shutting down');
/** The abort reason when another worker may have claimed the row. */
export const leaseLost = new Error('the lease is lost');

/** The operations of a queue on its table. */
export interface Queue<Row extends Claim> {
  /** The name of a row for the log, such as `operation`. */
  readonly noun: string;
  /** The announcement that a row is due. */
  readonly due: AnnouncementKind;
  /** Milliseconds between two polls for due rows, when no announcement arrives earlier. */
  readonly pollMs: number;
  /** How many rows run at once; as many others can be ending, see `run`. */
  readonly atOnce: number;
  /** Milliseconds that running rows have to finish when the queue stops, before they are aborted. */
  readonly drainMs: number;
  /** Claims up to `count` due rows under a lease, and counts an attempt of each. */
  claim(count: number): Promise<readonly Row[]>;
  /**
   * Runs one attempt and records its result. When `signal` is aborted, no result may be recorded, because the row
   * belongs to another claim or to the next start. An error is logged, and the row is due again when its lease expires.
   * `leave` lets another row start before this one has ended; each has at most one that is still ending.
   */
  run(row: Row, signal: AbortSignal, leave: () => void): Promise<void>;
  /** Renews the leases of running rows and returns the guids still held. Without it, a lease must outlast an attempt. */
  readonly renewal?: {
    readonly everyMs: number;
    renew(rows: readonly Row[]): Promise<ReadonlySet<string>>;
  };
}

export interface QueueDependencies {
  readonly log: Log;
  readonly announce: Pick<Announce, 'subscribe'>;
}

export interface Runner {
  /** Claims due rows now, without an announcement. */
  wake(): void;
  /** Stops claiming, lets running rows finish, and aborts those that do not finish in time. */
  stop(): Promise<void>;
}

interface Running<Row> {
  readonly row: Row;
  readonly abort: AbortController;
  /** Whether it has left its place to another row. */
  hasLeft: boolean;
  done: Promise<void>;
}

interface Loop<Row extends Claim> extends Queue<Row> {
  readonly log: Log;
  readonly running: Map<string, Running<Row>>;
  polling: Promise<void> | null;
  mustPollAgain: boolean;
  /** Whether rows may be due that could not be claimed until one that runs has ended or left its place. */
  mayWait: boolean;
  isStopping: boolean;
  /** Whether the last poll failed: only the first failure of an outage is logged. */
  isFailing: boolean;
}

/** Starts a queue's loop. It never throws: failures are logged and retried with the next poll. */
export function startQueue<Row extends Claim>(
  { log, announce }: QueueDependencies,
  queue: Queue<Row>,
): Runner {
  const loop: Loop<Row> = {
    ...queue,
    log: log.child({ queue: queue.noun }),
    running: new Map(),
    polling: null,
    mustPollAgain: false,
    mayWait: true,
    isStopping: false,
    isFailing: false,
  };
  const wake = (): void => poll(loop);
  const unsubscribe = announce.subscribe(({ kind }) => {
    if (kind === queue.due) wake();
    // announcements may have been missed
  }, wake);
  const pollTimer = setInterval(wake, queue.pollMs);
  const renewTimer =
    queue.renewal &&
    setInterval(() => {
      renew(loop).catch((error: unknown) => loop.log.warn({ error }, 'could not renew leases'));
    }, queue.renewal.everyMs);
  wake();
  return {
    wake,
    async stop() {
      loop.isStopping = true;
      unsubscribe();
      clearInterval(pollTimer);
      await loop.polling;
      const { size } = loop.running;
      if (size > 0) log.info(`waiting for ${size} running ${queue.noun}${size === 1 ? '' : 's'}`);
      await settle(loop, queue.drainMs);
      for (const { abort } of loop.running.values()) abort.abort(workerEnds);
      await settle(loop, handBackMs);
      clearInterval(renewTimer);
    },
  };
}

/** Claims due rows; a call during a poll triggers one more poll. */
function poll<Row extends Claim>(loop: Loop<Row>): void {
  loop.mustPollAgain = true;
  loop.polling ??= claimWhatFits(loop)
    .then(
      () => {
        loop.isFailing = false;
      },
      (error: unknown) => {
        if (!loop.isFailing) loop.log.warn({ error }, 'could not claim due rows');
        loop.isFailing = true;
      },
    )
    .finally(() => {
      loop.polling = null;
      // asked for after the last look, and before this
      if (loop.mustPollAgain) poll(loop);
    });
}

/** The places that are free. As many rows as there are places can be ending at the same time, so that they cannot pile up. */
function countFree<Row extends Claim>({ running, atOnce }: Loop<Row>): number {
  const ending = [...running.values()].filter(({ hasLeft }) => hasLeft).length;
  return atOnce - running.size + Math.min(ending, atOnce);
}

async function claimWhatFits<Row extends Claim>(loop: Loop<Row>): Promise<void> {
  while (loop.mustPollAgain) {
    loop.mustPollAgain = false;
    const free = countFree(loop);
    if (free <= 0) loop.mayWait = true;
    if (free <= 0 || loop.isStopping) return;
    const rows = await named(`claim ${loop.noun}`, () => loop.claim(free));
    loop.mayWait = !rows.some(({ isLast }) => isLast);
    for (const row of rows) take(loop, row);
  }
}

function take<Row extends Claim>(loop: Loop<Row>, row: Row): void {
  // a lease that expired while we still worked: discard our own earlier attempt
  loop.running.get(row.guid)?.abort.abort(leaseLost);
  const entry: Running<Row> = {
    row,
    abort: new AbortController(),
    hasLeft: false,
    done: Promise.resolve(),
  };
  loop.running.set(row.guid, entry);
  // the next claim belongs to no attempt: with OpenTelemetry, it would become a part of this one
  const left = Promise.withResolvers<void>();
  void left.promise.then(() => loop.mayWait && poll(loop));
  const leave = (): void => {
    entry.hasLeft = true;
    left.resolve();
  };
  entry.done = named(`run ${loop.noun}`, () => loop.run(row, entry.abort.signal, leave))
    .catch((error: unknown) =>
      loop.log.error({ error, guid: row.guid }, 'could not record the result of an attempt'),
    )
    .finally(() => {
      if (loop.running.get(row.guid) === entry) loop.running.delete(row.guid);
      if (loop.mayWait) poll(loop);
    });
}

async function renew<Row extends Claim>(loop: Loop<Row>): Promise<void> {
  const entries = [...loop.running.values()];
  if (loop.renewal === undefined || entries.length === 0) return;
  const { renew: ask } = loop.renewal;
  const kept = await named(`renew ${loop.noun}`, () => ask(entries.map(({ row }) => row)));
  for (const entry of entries) {
    const isEnded = loop.running.get(entry.row.guid) !== entry;
    if (!isEnded && !kept.has(entry.row.guid)) entry.abort.abort(leaseLost);
  }
}

/** Waits until all running rows have finished, at most `milliseconds`. */
async function settle<Row extends Claim>(loop: Loop<Row>, milliseconds: number): Promise<void> {
  const entries = [...loop.running.values()];
  if (entries.length === 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([Promise.all(entries.map(({ done }) => done)), promise]);
  clearTimeout(timer);
}
