/** Owns the table provider_record: what the embedded provider keeps, so that every portal knows every sign-in. */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Database } from '../../postgres/schema.ts';

type Db = Kysely<Database>;

/** The store of one kind of record, in the shape that oidc-provider asks for. */
export function createRecordStore(db: Db, model: string): Adapter {
  const find = async (column: 'id' | 'uid', value: string): Promise<AdapterPayload | undefined> => {
    // What no text column takes was never written either.
    if (value.includes('\0')) return undefined;
    const row = await db
      .selectFrom('provider_record')
      .where('model', '=', model)
      .where(column, '=', value)
      .where((eb) => eb.or([eb('expires_on', 'is', null), eb('expires_on', '>', sql<Date>`now()`)]))
      .select(['payload', sql<number | null>`extract(epoch from consumed_on)::int`.as('consumed')])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const payload = row.payload as AdapterPayload;
    return row.consumed === null ? payload : { ...payload, consumed: row.consumed };
  };

  return {
    async upsert(id, payload, expiresIn) {
      const values = {
        payload: JSON.stringify(payload),
        grant_id: payload.grantId ?? null,
        uid: payload.uid ?? null,
        expires_on:
          expiresIn === undefined
            ? null
            : sql<Date>`now() + make_interval(secs => ${expiresIn}::double precision)`,
      };
      await db
        .insertInto('provider_record')
        .values({ model, id, ...values })
        .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(values))
        .execute();
    },
    find: (id) => find('id', id),
    findByUid: (uid) => find('uid', uid),
    // Codes for devices are not switched on.
    findByUserCode: async () => undefined,
    async consume(id) {
      await db
        .updateTable('provider_record')
        .where('model', '=', model)
        .where('id', '=', id)
        .set({ consumed_on: sql<Date>`now()` })
        .execute();
    },
    async destroy(id) {
      await db
        .deleteFrom('provider_record')
        .where('model', '=', model)
        .where('id', '=', id)
        .execute();
    },
    async revokeByGrantId(grantId) {
      await db
        .deleteFrom('provider_record')
        .where('model', '=', model)
        .where('grant_id', '=', grantId)
        .execute();
    },
  };
}

/** Forgets that an account has signed in at the provider, or is about to. */
export async function forgetProviderRecordsOf(db: Db, accountGuid: string): Promise<void> {
  await db
    .deleteFrom('provider_record')
    .where(
      sql<boolean>`coalesce(payload #>> '{result,login,accountId}', payload ->> 'accountId') = ${accountGuid}`,
    )
    .execute();
}

/** Forgets what has expired; called by the sweep. */
export async function sweepProviderRecords(db: Db): Promise<void> {
  await db.deleteFrom('provider_record').where('expires_on', '<', sql<Date>`now()`).execute();
}
