/** Owns the table sign_in_attempt: slows down password guessing, by account and by network, across all portals. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { areaOf, networkOf } from '../../http/requests/caller-network.ts';
import { newGuid } from '../../config/guids.ts';
import type { Db } from '../../postgres/tables/schema.ts';

/** How long an attempt counts. */
const memory = sql`interval '15 minutes'`;
/** Attempts within that time after which an account, from one network, has to wait. */
const mostOfBoth = 8;
/** The same for one network and all accounts: everyone in a workshop shares one. */
const mostOfNetwork = 40;
/** The same for one account and an area, and for one area and all accounts. */
const mostOfAccountInArea = 40;
const mostOfArea = 200;
/**
 * The same for one account and all networks: high, because otherwise a stranger could lock its owner out. Browsers that
 * the account knows have separate limits.
 */
const mostOfAccount = 200;

/** The account, network and area of an attempt; as hashes, because they are only compared. */
export interface Aim {
  readonly account: Buffer;
  readonly network: Buffer;
  /** The wider network. */
  readonly area: Buffer;
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The target of an attempt at `account` (any identifier, always in the same form) from an address. */
export function aimAt(account: string, address: string): Aim {
  return {
    account: hash(account),
    network: hash(networkOf(address)),
    area: hash(areaOf(address)),
  };
}

/**
 * The target of an attempt at `account` from a browser that has signed in to it before: counted separately from all
 * others.
 */
export function aimFromKnown(account: string, browser: string): Aim {
  const from = hash(`known browser\n${browser}`);
  return { account: hash(`known browsers of\n${account}`), network: from, area: from };
}

/** Seconds that this target has to wait before the next attempt; 0 when it may be made now. `own` is not counted. */
export async function waitFor(db: Db, aim: Aim, own: string | null = null): Promise<number> {
  // For each limit, the attempt that reached it: once that attempt no longer counts, a new one is possible.
  const decisive = (which: ReturnType<typeof sql>, most: number) => sql`(
    select attempted_on from sign_in_attempt
    where ${which} and attempted_on > now() - ${memory} and guid is distinct from ${own}::uuid
    order by attempted_on desc offset ${most - 1} limit 1)`;
  const ofAccount = sql`account = ${aim.account}`;
  const ofNetwork = sql`network = ${aim.network}`;
  const ofArea = sql`area = ${aim.area}`;
  const { rows } = await sql<{ seconds: number | null }>`
    select ceil(extract(epoch from max(attempted_on) + ${memory} - now()))::int as seconds from (
      ${decisive(sql`${ofAccount} and ${ofNetwork}`, mostOfBoth)}
      union all ${decisive(ofNetwork, mostOfNetwork)}
      union all ${decisive(sql`${ofAccount} and ${ofArea}`, mostOfAccountInArea)}
      union all ${decisive(ofArea, mostOfArea)}
      union all ${decisive(ofAccount, mostOfAccount)}) as reached`.execute(db);
  return Math.max(0, rows[0]?.seconds ?? 0);
}

/** An attempt that was counted, or how many seconds the caller has to wait. */
export type Counted = { readonly guid: string } | { readonly waitSeconds: number };

/**
 * Counts an attempt before it is made. It is recorded first and checked afterward: of two concurrent attempts the
 * later one sees the other, so that parallel attempts cannot exceed the limit. Exactly at the limit, both may have to
 * wait.
 */
export async function countAttempt(db: Db, aim: Aim): Promise<Counted> {
  const guid = newGuid();
  await db
    .insertInto('sign_in_attempt')
    .values({ guid, ...aim })
    .execute();
  const waitSeconds = await waitFor(db, aim, guid);
  if (waitSeconds === 0) return { guid };
  await db.deleteFrom('sign_in_attempt').where('guid', '=', guid).execute();
  return { waitSeconds };
}

/** Deletes the failed attempts for an account from a network, after the user has signed in. */
export async function forgiveAttempts(db: Db, { account, network }: Aim): Promise<void> {
  await db
    .deleteFrom('sign_in_attempt')
    .where('account', '=', account)
    .where('network', '=', network)
    .execute();
}

/** Deletes attempts that no longer count; called by the sweep. */
export async function sweepAttempts(db: Db): Promise<void> {
  await db
    .deleteFrom('sign_in_attempt')
    .where('attempted_on', '<', sql<Date>`now() - ${memory}`)
    .execute();
}
