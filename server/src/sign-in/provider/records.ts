/** Owns the table provider_record: the state of the embedded provider, so that every portal knows every sign-in. */
import { sql } from 'kysely';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Db } from '../../postgres/tables/schema.ts';

/** The store of one kind of record, with the interface that oidc-provider requires. */
export function createRecordStore(db: Db, model: string): Adapter {
  const find = async (column: 'id' | 'uid', value: string): Promise<AdapterPayload | undefined> => {
    // A value that a text column cannot store was never written.
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

  const ofModel = db.deleteFrom('provider_record').where('model', '=', model);

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
    // Device codes are not enabled.
    findByUserCode: async () => undefined,
    async consume(id) {
      const row = await db
        .updateTable('provider_record')
        .where('model', '=', model)
        .where('id', '=', id)
        .where('consumed_on', 'is', null)
        .set({ consumed_on: sql<Date>`now()` })
        .returning('id')
        .executeTakeFirst();
      // The provider has checked this too, but several requests may have done so concurrently.
      if (row === undefined) throw new errors.InvalidGrant('already consumed');
    },
    async destroy(id) {
      await ofModel.where('id', '=', id).execute();
    },
    async revokeByGrantId(grantId) {
      await ofModel.where('grant_id', '=', grantId).execute();
    },
  };
}

/** Deletes an account's sign-ins at the provider, finished or in progress. */
export async function forgetProviderRecordsOf(db: Db, accountGuid: string): Promise<void> {
  await db
    .deleteFrom('provider_record')
    .where(
      sql<boolean>`coalesce(payload #>> '{result,login,accountId}', payload #>> '{result,passwordOf,accountId}', payload ->> 'accountId') = ${accountGuid}`,
    )
    .execute();
}

/** Deletes expired records; called by the sweep. */
export async function sweepProviderRecords(db: Db): Promise<void> {
  await db.deleteFrom('provider_record').where('expires_on', '<', sql<Date>`now()`).execute();
}
