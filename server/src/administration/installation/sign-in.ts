/** The sign-in provider and the failed sign-ins as resources of the administration, and the test of the provider. */
import type { AnyValues } from '@recodery/contract/admin/resource';
import { resources } from '@recodery/contract/admin/resources';
import { zeroGuid } from '@recodery/contract/api';
import { Refusal } from '@recodery/contract/refusal';
import type { Db } from '../../postgres/tables/schema.ts';
import { checkProvider } from '../../sign-in/check-provider.ts';
import { describeProvider, type ProviderConfig } from '../../sign-in/describe-provider.ts';
import { type ListedFailure, listFailures } from '../../sign-in/failures.ts';
import { type KeptStore, readKept } from '../records/kept-records.ts';
import type { PagedStore } from '../records/paged-records.ts';
import type { ActionOutcome } from '../records/records.ts';
import type { Values } from '../records/resource-store.ts';

export interface SignInProviderDeps {
  readonly configured: ProviderConfig;
}

export function openSignInProvider({ configured }: SignInProviderDeps): KeptStore {
  const values: AnyValues = { ...describeProvider(configured) };
  return {
    declared: resources.signIn,
    read: async () => new Map([[zeroGuid, values as Values]]),
  };
}

/** Tests the provider. @throws {Refusal} NOT_FOUND */
export async function actOnProvider(
  deps: SignInProviderDeps & { readonly db: Db },
  action: string,
  guid: string,
): Promise<ActionOutcome> {
  const { oidc, publicUrl } = deps.configured;
  const item = await readKept(deps.db, openSignInProvider(deps), guid);
  if (action !== 'test' || oidc === null) throw new Refusal('NOT_FOUND');
  const { state, text, checks } = await checkProvider(oidc, publicUrl);
  const finding = { state, text, checks: [...checks] };
  return { item, link: null, finding, changes: { issuer: oidc.issuer, found: state } };
}

const failureValues = ({ guid: _guid, failedOn, ...rest }: ListedFailure): Values => ({
  ...rest,
  failedOn: failedOn.toISOString(),
});

export const failureStore: PagedStore = {
  declared: resources.signInFailures,
  async list(db, { words, filters, isDescending, after, count }) {
    const { reason } = filters;
    const ask = { words, reason, after, isOldestFirst: !isDescending, count };
    const found = await listFailures(db, ask);
    const records = found.map((one) => [one.guid, failureValues(one)] as const);
    return { records, searchedTo: null };
  },
  async find(db, guid) {
    const [found] = await listFailures(db, { guid, count: 1 });
    return found === undefined ? null : failureValues(found);
  },
};
