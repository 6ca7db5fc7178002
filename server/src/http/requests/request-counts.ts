/** Owns the table request_count: rate limits by network, which all portals count together. */
import { createHash } from 'node:crypto';
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { RouteOptions } from 'fastify';
import { sql } from 'kysely';
import type { Log } from '../../config/log.ts';
import type { Db } from '../../postgres/tables/schema.ts';

/** The requests that a network has sent in the current window, and the milliseconds until it ends. */
interface Counted {
  readonly current: number;
  readonly ttl: number;
}

/** Networks over a limit that a portal remembers: their requests are refused without a query. */
const mostRemembered = 5000;

/**
 * Counts a request in the current window of its sender, or begins a window of `windowMs`. `sender` is any text that
 * identifies the call and the network.
 */
export async function countRequest(db: Db, sender: string, windowMs: number): Promise<Counted> {
  const hash = createHash('sha256').update(sender).digest();
  const { rows } = await sql<Counted>`
    insert into request_count as known (sender, count, ends_on)
    values (${hash}, 1, now() + make_interval(secs => ${windowMs / 1000}::double precision))
    on conflict (sender) do update set
      count = case when known.ends_on > now() then known.count + 1 else 1 end,
      ends_on = case when known.ends_on > now() then known.ends_on else excluded.ends_on end
    returning count as current,
      ceil(extract(epoch from ends_on - now()) * 1000)::integer as ttl`.execute(db);
  const [counted] = rows;
  if (counted === undefined) throw new Error('a request was not counted');
  return counted;
}

/** Deletes windows that have ended; called by the sweep. */
export async function deleteEndedWindows(db: Db): Promise<void> {
  await db.deleteFrom('request_count').where('ends_on', '<', sql<Date>`now()`).execute();
}

/** The networks that are over a limit, until their windows end. The oldest are forgotten when there are too many. */
function createRefused() {
  const refused = new Map<string, number>();
  return {
    /** Milliseconds until the window ends; 0 when a request must be counted. */
    remaining(sender: string): number {
      const left = (refused.get(sender) ?? 0) - performance.now();
      if (left <= 0) refused.delete(sender);
      return Math.max(0, left);
    },
    add(sender: string, ttl: number): void {
      const [oldest] = refused.keys();
      if (refused.size >= mostRemembered && oldest !== undefined) refused.delete(oldest);
      refused.set(sender, performance.now() + ttl);
    },
  };
}

/**
 * The store for @fastify/rate-limit that counts in the database. If the database cannot count, the request is served:
 * without a database, no limited call can succeed anyway.
 */
export function createCountStore(db: Db, log: Log): FastifyRateLimitStoreCtor {
  const refused = createRefused();
  return class CountStore implements FastifyRateLimitStore {
    readonly #call: string;

    // the plugin passes options that contain the route, which its types do not show
    constructor(options: object) {
      const { routeInfo } = options as { readonly routeInfo?: RouteOptions };
      this.#call = `${String(routeInfo?.method)} ${routeInfo?.url}`;
    }

    child(options: object): FastifyRateLimitStore {
      return new CountStore(options);
    }

    incr(
      network: string,
      callback: (error: Error | null, counted?: Counted) => void,
      timeWindow: number,
      max: number,
    ): void {
      const sender = `${this.#call}\n${network}`;
      const ttl = refused.remaining(sender);
      if (ttl > 0) {
        callback(null, { current: max + 1, ttl });
        return;
      }
      countRequest(db, sender, timeWindow).then(
        (counted) => {
          if (counted.current > max) refused.add(sender, counted.ttl);
          callback(null, counted);
        },
        (error: unknown) => {
          log.warn({ error }, 'could not count a request');
          callback(null, { current: 0, ttl: 0 });
        },
      );
    }
  };
}
