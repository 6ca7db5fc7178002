/** The languages that callers have chosen. */
import type { Db } from '../postgres/tables/schema.ts';
import { findCultures } from './accounts.ts';
import type { Caller } from './caller.ts';
import { findOrganisation } from './organisations.ts';

/** The cultures that the accounts of callers, or else the organisations of client applications, have chosen; null: none. */
export async function readCultures(
  db: Db,
  callers: readonly Caller[],
): Promise<ReadonlyMap<Caller, string | null>> {
  const accounts = new Set(callers.flatMap(({ accountGuid }) => accountGuid ?? []));
  const cultures = new Map(await findCultures(db, [...accounts]));
  // programs have no account
  const organisations = new Set(
    callers.flatMap(({ kind, organisationId }) => (kind === 'client' ? [organisationId] : [])),
  );
  for (const organisationId of organisations)
    cultures.set(organisationId, (await findOrganisation(db, organisationId))?.culture ?? null);
  return new Map(
    callers.map((one) => [one, cultures.get(one.accountGuid ?? one.organisationId) ?? null]),
  );
}
