/** Who is asking: the signed-in account, with the organisation it acts for and what that organisation may do. */
import type { Family } from '@recodery/contract/families/registry';

declare const minted: unique symbol;

/**
 * Proof that somebody may read an organisation's rows. Minted by `sessions`, by `claim` from the row that it runs,
 * by a verified ticket or link, and by the operator's command line, nowhere else; every read takes one.
 */
export type OrganisationId = string & { readonly [minted]: 'OrganisationId' };

/** Mints the proof; only the places named at {@link OrganisationId} may call it. */
export function mintOrganisationId(guid: string): OrganisationId {
  return guid as OrganisationId;
}

/** What an organisation may do. `families` are its subscriptions. */
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
