/** Owns the table idempotency_key: a client application's request with a key is handled once, however often it comes. */
import { createHash } from 'node:crypto';
import { Refusal } from '@recodery/contract/errors';
import { sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import type { HandleIdempotent, IdempotentRequest } from '../http/idempotency.ts';
import type { Db } from '../postgres/schema.ts';

const keyForm = /^[\x20-\x7e]{1,255}$/;
/** How long an answer is kept. */
const keptFor = sql`interval '24 hours'`;
/** How long a claim is valid without renewal: after a crash, the request can be repeated that much later. */
const lease = sql`interval '15 seconds'`;
/** Milliseconds between two renewals of a claim. */
const renewMs = 5000;

/** A key of a client, and the claim of the request that handles it. */
interface Claim {
  readonly clientGuid: string;
  readonly key: string;
  readonly claim: string;
}

/** Creates the function that handles requests with a key once. Users have no keys: their requests are always handled. */
export function createHandleIdempotent(db: Db): HandleIdempotent {
  return async (request, handle) => {
    const { caller, key } = request;
    if (caller.kind !== 'client' || key === undefined) return handle(async () => undefined);
    if (typeof key !== 'string' || !keyForm.test(key)) throw new Refusal('BAD_REQUEST');
    const claim = { clientGuid: caller.clientGuid, key, claim: newGuid() };
    const isOurs = await claimKey(db, claim);
    // the same request led to this answer
    if (!isOurs) return repeatAnswer(db, claim, request) as ReturnType<typeof handle>;
    return handleClaimed(db, claim, async () => {
      let isKept = false;
      const answer = await handle(async (trx, content, kept) => {
        await keepAnswer(trx, claim, hashContent(request.target, content), kept);
        isKept = true;
      });
      if (!isKept) throw new Error(`${request.target} starts work without keeping its answer`);
      return answer;
    });
  };
}

function hashContent(target: string, content: unknown): Buffer {
  return createHash('sha256')
    .update(`${target}\n${JSON.stringify(content)}`)
    .digest();
}

/** Claims a key that is new, that has been forgotten, or whose request was abandoned by a portal that died. */
async function claimKey(db: Db, { clientGuid, key, claim }: Claim): Promise<boolean> {
  const row = await db
    .insertInto('idempotency_key')
    .values({ client_guid: clientGuid, key, claim, lease_until: sql`now() + ${lease}` })
    .onConflict((conflict) =>
      conflict
        .columns(['client_guid', 'key'])
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

function ownRow(db: Db, { clientGuid, key, claim }: Claim) {
  return db
    .updateTable('idempotency_key')
    .where('client_guid', '=', clientGuid)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .where('response', 'is', null)
    .returning('key');
}

/** Stores the answer with the work. Fails, and the work with it, if another request has taken over meanwhile. */
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
      // without renewal another request may take over; storing the answer then fails
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

async function release(db: Db, { clientGuid, key, claim }: Claim): Promise<void> {
  await db
    .deleteFrom('idempotency_key')
    .where('client_guid', '=', clientGuid)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .where('response', 'is', null)
    .execute();
}

async function repeatAnswer(
  db: Db,
  { clientGuid, key }: Claim,
  { target, readContent }: IdempotentRequest,
): Promise<unknown> {
  const row = await db
    .selectFrom('idempotency_key')
    .where('client_guid', '=', clientGuid)
    .where('key', '=', key)
    .select(['content_hash', 'response'])
    .executeTakeFirst();
  if (row?.response == null) throw new Refusal('IDEMPOTENCY_KEY_IN_USE');
  const isSame = row.content_hash?.equals(hashContent(target, await readContent()));
  if (isSame !== true) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  return JSON.parse(row.response);
}

/** Deletes the keys whose answers need no longer be repeated, and abandoned ones; returns how many. */
export async function deleteExpiredKeys(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_key')
    .where('created_on', '<', sql<Date>`now() - ${keptFor}`)
    .where('lease_until', '<', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
