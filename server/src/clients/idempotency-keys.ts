/** Owns the table idempotency_key: a request with a key is handled once for its caller, however often it is sent. */
import { createHash } from 'node:crypto';
import { Refusal } from '@recodery/contract/refusal';
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { HandleIdempotent, IdempotentRequest } from '../http/requests/idempotency.ts';
import type { Caller } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';

const keyForm = /^[\x20-\x7e]{1,255}$/;
/** How long a response is kept. */
const keptFor = sql`interval '24 hours'`;
/** How long a claim is valid without renewal: after a crash, the request can be repeated that much later. */
const lease = sql`interval '15 seconds'`;
/** Milliseconds between two renewals of a claim. */
const renewMs = 5000;

/** A key of a client application or of a user's account, and the claim of the request that handles it. */
interface Claim {
  readonly owner: 'client_guid' | 'account_guid';
  readonly guid: string;
  readonly key: string;
  readonly claim: string;
}

function claimOf(caller: Caller, key: string): Claim {
  const owned =
    caller.kind === 'client'
      ? ({ owner: 'client_guid', guid: caller.clientGuid } as const)
      : ({ owner: 'account_guid', guid: caller.accountGuid } as const);
  return { ...owned, key, claim: newGuid() };
}

/** Creates the function that handles requests with a key once. A request without a key is always handled. */
export function createHandleIdempotent(db: Db): HandleIdempotent {
  return async (request, handle) => {
    const { caller, key } = request;
    if (key === undefined) return handle(async () => undefined);
    if (typeof key !== 'string' || !keyForm.test(key)) throw new Refusal('BAD_REQUEST');
    const claim = claimOf(caller, key);
    const isOurs = await claimKey(db, claim);
    // the same request produced this response
    if (!isOurs) return repeatAnswer(db, claim, request) as ReturnType<typeof handle>;
    return handleClaimed(db, claim, async () => {
      let isKept = false;
      const answer = await handle(async (trx, content, kept) => {
        await keepAnswer(trx, claim, hashContent(request, content), kept);
        isKept = true;
      });
      if (!isKept) throw new Error(`${request.target} starts work without storing its response`);
      return answer;
    });
  };
}

/** A user may act for several organisations, which must not receive each other's responses. */
function hashContent({ caller, target }: IdempotentRequest, content: unknown): Buffer {
  const organisation = caller.kind === 'client' ? '' : `${caller.organisationId}\n`;
  return createHash('sha256')
    .update(`${organisation}${target}\n${JSON.stringify(content)}`)
    .digest();
}

/** Claims a key that is new, that has been forgotten, or whose request was abandoned by a portal that died. */
async function claimKey(db: Db, { owner, guid, key, claim }: Claim): Promise<boolean> {
  const row = await db
    .insertInto('idempotency_key')
    .values({ [owner]: guid, key, claim, lease_until: sql`now() + ${lease}` })
    .onConflict((conflict) =>
      conflict
        .columns([owner, 'key'])
        .doUpdateSet({
          claim,
          lease_until: sql`now() + ${lease}`,
          content_hash: null,
          response: null,
          created_on: sql`now()`,
        })
        .where(
          sql<boolean>`idempotency_key.created_on < now() - ${keptFor} and idempotency_key.response is not null
            or idempotency_key.lease_until < now() and idempotency_key.response is null`,
        ),
    )
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

function ownRow(db: Db, { owner, guid, key, claim }: Claim) {
  return db
    .updateTable('idempotency_key')
    .where(owner, '=', guid)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .where('response', 'is', null)
    .returning('key');
}

/** Stores the response with the work. Fails, and the work with it, if another request has since taken over. */
async function keepAnswer(
  trx: Db,
  claim: Claim,
  contentHash: Buffer,
  answer: unknown,
): Promise<void> {
  const kept = await ownRow(trx, claim)
    .set({ content_hash: contentHash, response: JSON.stringify(answer) })
    .executeTakeFirst();
  if (kept === undefined) throw new Refusal('IDEMPOTENCY_KEY_IN_USE');
}

/** Renews the claim while the request is handled, and releases the key if no work was started. */
async function handleClaimed<T>(db: Db, claim: Claim, handle: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => {
    ownRow(db, claim)
      .set({ lease_until: sql`now() + ${lease}` })
      .execute()
      // without renewal another request may take over; storing the response then fails
      .catch(() => undefined);
  }, renewMs);
  try {
    return await handle();
  } finally {
    clearInterval(timer);
    // if this fails, the lease ends
    await release(db, claim).catch(() => undefined);
  }
}

async function release(db: Db, { owner, guid, key, claim }: Claim): Promise<void> {
  await db
    .deleteFrom('idempotency_key')
    .where(owner, '=', guid)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .where('response', 'is', null)
    .execute();
}

async function repeatAnswer(
  db: Db,
  { owner, guid, key }: Claim,
  request: IdempotentRequest,
): Promise<unknown> {
  const row = await db
    .selectFrom('idempotency_key')
    .where(owner, '=', guid)
    .where('key', '=', key)
    .select(['content_hash', 'response'])
    .executeTakeFirst();
  if (row?.response == null) throw new Refusal('IDEMPOTENCY_KEY_IN_USE');
  const isSame = row.content_hash?.equals(hashContent(request, await request.readContent()));
  if (isSame !== true) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  return JSON.parse(row.response);
}

/** The fields of a response that contain what a user or program attached to its request. */
const attached = ['contextData', 'userInfo'] as const;

/** Empties what was attached to requests about a slot, also in the responses that may still be repeated. */
export async function forgetAttached(trx: Db, slotGuid: string): Promise<void> {
  const rows = await trx
    .selectFrom('idempotency_key')
    .select(['guid', 'response'])
    .where(sql<boolean>`position(${slotGuid} in response) > 0`)
    .execute();
  for (const { guid, response } of rows) {
    const answer: unknown = JSON.parse(response ?? 'null');
    if (typeof answer !== 'object' || answer === null) continue;
    const nulls = attached.filter((name) => name in answer).map((name) => [name, null]);
    await trx
      .updateTable('idempotency_key')
      .set({ response: JSON.stringify({ ...answer, ...Object.fromEntries(nulls) }) })
      .where('guid', '=', guid)
      .execute();
  }
}

/** Deletes the keys whose responses no longer need to be repeated, and abandoned keys; returns how many. */
export async function deleteExpiredKeys(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_key')
    .where('created_on', '<', sql<Date>`now() - ${keptFor}`)
    .where('lease_until', '<', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
