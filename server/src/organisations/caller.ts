/** The caller: the signed-in account, with its current organisation and that organisation's rights. */
import type { Family } from '@recodery/contract/families/registry';

declare const minted: unique symbol;

/**
 * Proof that the bearer may read an organisation's rows. Minted only by `sessions`, by `claim` from the row that it
 * runs, by a verified ticket or link, and by the operator's command line; every read takes one.
 */
export type OrganisationId = string & { readonly [minted]: 'OrganisationId' };

/** Mints the proof; only the places named at {@link OrganisationId} may call it. */
export function mintOrganisationId(guid: string): OrganisationId {
  return guid as OrganisationId;
}

/** The rights of an organisation. `families` are its subscriptions. */
export interface Rights {
  readonly families: Readonly<Record<Family, boolean>>;
  readonly recod: boolean;
  readonly utility: boolean;
  readonly autoSend: boolean;
  readonly skipChecksum: boolean;
  readonly debug: boolean;
}

/** The caller of a request. */
export interface Caller {
  readonly sessionGuid: string;
  readonly accountGuid: string;
  readonly email: string;
  readonly displayName: string;
  readonly hasPortalAccess: boolean;
  readonly organisationId: OrganisationId;
  readonly customerCode: string;
  readonly rights: Rights;
}
