/** Announces changes to all processes: PostgreSQL's LISTEN/NOTIFY, with kind, guid and organisation only. */
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import * as z from 'zod/mini';
import type { Log } from '../config/log.ts';
import { keepAlive } from './database.ts';
import type { Db } from './tables/schema.ts';
import { nameLoss } from './unavailable.ts';

/**
 * What an announcement is about: `operation` an operation changed, `operation-due` one waits for a worker,
 * `remote-operation-due` for a worker and a vendor's engine, `mail-due` an email waits to be sent, `webhook-due` a
 * webhook, the others as the events of the contract.
 */
const kinds = [
  'operation',
  'operation-due',
  'remote-operation-due',
  'notification',
  'mail-due',
  'webhook-due',
  'service-status',
  'message',
  'session',
  'draft',
] as const;
export type AnnouncementKind = (typeof kinds)[number];

/** Whether an operation changed: one that waits for a worker is new, or was handed back. */
export function isOfOperation(kind: AnnouncementKind): boolean {
  return ['operation', 'operation-due', 'remote-operation-due'].includes(kind);
}

/** A hint that something changed: never the state itself, which is read from its row. */
export interface Announcement {
  readonly kind: AnnouncementKind;
  /** The guid of the changed object; null if there is no single object. */
  readonly guid: string | null;
  /** The guid of the affected organisation; null: all. */
  readonly organisation: string | null;
}

/** Called with each announcement; must not throw. */
export type AnnouncementListener = (announcement: Announcement) => void;

/** Sends and receives announcements between all processes on one database. */
export interface Announce {
  /** Sends when the transaction commits. */
  notify(trx: Db, announcement: Announcement): Promise<void>;
  /**
   * Subscribes to the announcements of all processes; returns a function that unsubscribes. `onGap` is called when a
   * lost connection has been restored: announcements may have been missed, so check the state again.
   */
  subscribe(listener: AnnouncementListener, onGap?: () => void): () => void;
  stop(): Promise<void>;
}

const channel = 'recodery';
/** The name under which PostgreSQL lists this connection, which every portal, worker and command has. */
export const announceName = 'recodery announce';
/** Initial and maximum milliseconds before a lost connection is retried. */
const firstDelay = 50;
const longestDelay = 2000;
/** Milliseconds that connecting, and then the LISTEN, may take. */
const patience = 10_000;

/**
 * Announces for each row that a statement returns, when its transaction commits: as a column of what the statement that
 * changes the row returns, so that the announcement needs no statement of its own.
 */
export function announcing({ kind, guid, organisation }: Announcement): RawBuilder<unknown> {
  const payload = JSON.stringify({ kind, guid, organisation });
  return sql`pg_notify(${channel}, ${payload})`;
}

/** Announces when the transaction commits; outside of a transaction immediately. */
export async function notify(trx: Db, announcement: Announcement): Promise<void> {
  await sql`select ${announcing(announcement)}`.execute(trx);
}

interface Subscriber {
  readonly listener: AnnouncementListener;
  readonly onGap: (() => void) | undefined;
}

/** A connection that listens, until `onLost` is called once. */
async function listen(
  url: string,
  onPayload: (payload: string | undefined) => void,
  onLost: (error?: Error) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: announceName,
    connectionTimeoutMillis: patience,
    query_timeout: patience,
    ...keepAlive,
  });
  let isLost = false;
  const lose = (error?: Error): void => {
    if (!isLost) onLost(error);
    isLost = true;
  };
  client.on('notification', ({ payload }) => onPayload(payload));
  client.on('error', lose);
  client.on('end', () => lose());
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    return client;
  } catch (error) {
    // not awaited: a server that has vanished never confirms it
    void client.end().catch(() => undefined);
    throw nameLoss(error);
  }
}

/** Opens the dedicated connection that listens, and keeps it open. Resolves when it listens. */
export async function openAnnounce(url: string, log: Log): Promise<Announce> {
  const subscribers = new Set<Subscriber>();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  async function connect(): Promise<void> {
    let isLost = false;
    const next = await listen(url, publish, (error) => {
      isLost = true;
      if (client === null || isStopped) return;
      client = null;
      log.warn({ error }, 'lost the LISTEN connection');
      reconnect(firstDelay);
    });
    if (isLost) throw new Error('lost the connection while connecting');
    if (isStopped) await next.end();
    else client = next;
  }

  function publish(payload: string | undefined): void {
    const announcement = readAnnouncement(payload);
    if (announcement === null) return;
    for (const { listener } of subscribers) listener(announcement);
  }

  function reconnect(delay: number): void {
    timer = setTimeout(() => {
      connect().then(
        () => {
          log.info('restored the LISTEN connection');
          for (const { onGap } of subscribers) onGap?.();
        },
        () => {
          if (!isStopped) reconnect(Math.min(delay * 2, longestDelay));
        },
      );
    }, delay);
  }

  await connect();
  return {
    notify,
    subscribe(listener, onGap) {
      const subscriber: Subscriber = { listener, onGap };
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    async stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      subscribers.clear();
      await client?.end();
    },
  };
}

const announcement = z.object({
  kind: z.enum(kinds),
  guid: z.nullable(z.string()),
  organisation: z.nullable(z.string()),
});

/** A newer version in another process may announce unknown kinds: those are skipped. */
function readAnnouncement(payload: string | undefined): Announcement | null {
  return announcement.safeParse(JSON.parse(payload ?? 'null')).data ?? null;
}
