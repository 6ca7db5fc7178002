/** The caller: a signed-in user or a client application, with the organisation and its rights. */
import type { Family } from '@recodery/contract/families/registry';

declare const minted: unique symbol;

/**
 * Proof that its holder may read an organisation's rows. Created only by `sessions`, by `clients`, by `claim` from
 * the row that it runs, by a verified ticket or link, and by the operator's command line; every read requires one.
 */
export type OrganisationId = string & { readonly [minted]: 'OrganisationId' };

/** Creates the proof; only the places named at {@link OrganisationId} may call it. */
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

/** Who started something: an account, or a client application; the other one is null. */
export interface Doer {
  readonly organisationId: OrganisationId;
  readonly accountGuid: string | null;
  readonly clientGuid: string | null;
}

interface AnyCaller extends Doer {
  /** The user's name, or the client application's. */
  readonly displayName: string;
  readonly hasPortalAccess: boolean;
  readonly customerCode: string;
  readonly rights: Rights;
}

/** A signed-in user. */
export interface Person extends AnyCaller {
  readonly kind: 'person';
  readonly sessionGuid: string;
  readonly accountGuid: string;
  readonly clientGuid: null;
  readonly email: string;
  /** Whether they administer the installation. */
  readonly isOperator: boolean;
  /** Whether they manage the organisation under whose customer code they work. */
  readonly isManager: boolean;
}

/** A program that called with an access token; it always has access to the portal. */
export interface ClientCaller extends AnyCaller {
  readonly kind: 'client';
  readonly accountGuid: null;
  readonly clientGuid: string;
}

/** The caller of a request. */
export type Caller = Person | ClientCaller;
