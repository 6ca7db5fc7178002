/** Tickets: signed file URLs, valid for an hour, each for one file of one organisation and one purpose. */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { pathOf } from '@recodery/contract/api';
import type { Family } from '@recodery/contract/families/registry';
import { downloadJobsExport } from '@recodery/contract/features/jobs/jobs-export';
import { componentsRoute, downloadFile } from '@recodery/contract/features/slots';
import { downloadTray, type TrayFileType } from '@recodery/contract/features/trays';
import { type Doer, mintOrganisationId } from '../../organisations/caller.ts';
import type { Clock } from '../../config/clock.ts';
import { isGuid } from '../../config/guids.ts';
import { isArchived } from '../../organisations/organisations.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { Secrets } from '../../secrets/secrets.ts';

/**
 * What a ticket opens: a file, a file that another organisation shares with its bearer's, all components of a slot as a
 * zip, the files of a tray, or all jobs of the organisation as a zip.
 */
export type TicketPurpose = 'file' | 'shared' | 'components' | 'tray' | 'export';

/**
 * Mints URLs for a bearer: the organisation that a ticket opens files for, and the user or program that gets it, as whose
 * its downloads are recorded.
 */
export interface Tickets {
  /** A download URL for a file, valid for an hour. */
  mintFileURL(bearer: Doer, fileGuid: string): Promise<string>;
  /** The same for a file that another organisation shares; each use checks that it still does. */
  mintSharedFileURL(receiver: Doer, fileGuid: string): Promise<string>;
  /** A download URL for all components of a slot, valid for an hour. Only for families with components. */
  mintZipURL(bearer: Doer, family: Family, slotGuid: string): Promise<string>;
  /** A download URL for the files of a tray, valid for an hour. */
  mintTrayURL(bearer: Doer, trayGuid: string, fileType: TrayFileType): Promise<string>;
  /** A download URL for all jobs of the organisation, valid for an hour. */
  mintExportURL(bearer: Doer): Promise<string>;
  /**
   * The bearer of a ticket that is valid for exactly this file, slot, tray or organisation and this purpose, else null.
   * `caller`: who sends it, if the request has shown that.
   */
  verify(
    ticket: string,
    purpose: TicketPurpose,
    guid: string,
    caller: Doer | null,
  ): Promise<Doer | null>;
}

export interface TicketDependencies {
  readonly secrets: Pick<Secrets, 'getCurrentKey' | 'listKeys'>;
  readonly clock: Clock;
}

/** Seconds that a ticket is valid. */
const life = 3600;
/** The purpose of the keys that sign tickets. */
export const ticketKeyPurpose = 'ticket';

/** The contents of a ticket, besides the guid of what it opens, which is in the path. */
interface Claims {
  readonly organisation: string;
  /** `a` and the GUID of an account, `c` and that of a client application, or empty. */
  readonly bearer: string;
  readonly keyId: number;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** The routes of zips by family: to describe one takes longer than to sign its URL. */
const zipRoutes = new Map<Family, ReturnType<typeof componentsRoute>>();

function zipRouteOf(family: Family) {
  const known = zipRoutes.get(family) ?? componentsRoute(family);
  zipRoutes.set(family, known);
  return known;
}

/** `organisation.bearer.key id.expires.signature`; compared as text, so each meaning has exactly one valid ticket. */
function write(claims: Claims, purpose: TicketPurpose, guid: string, key: Uint8Array): string {
  const { organisation, bearer, keyId, expires } = claims;
  // as a key object: of raw bytes, Node first tests by catching an exception whether they are one
  const signature = createHmac('sha256', createSecretKey(key))
    .update(['recodery/1', purpose, guid, organisation, bearer, keyId, expires].join('\n'))
    .digest('base64url');
  return [organisation, bearer, keyId, expires, signature].join('.');
}

function read(ticket: string): Claims | null {
  const [organisation = '', bearer = '', keyId = '', expires = ''] = ticket.split('.');
  const isBearer = bearer === '' || (/^[ac]/.test(bearer) && isGuid(bearer.slice(1)));
  if (!isGuid(organisation) || !isBearer) return null;
  if (!/^\d{1,9}$/.test(keyId) || !/^\d{1,12}$/.test(expires)) return null;
  return { organisation, bearer, keyId: Number(keyId), expires: Number(expires) };
}

function nameBearer({ accountGuid, clientGuid }: Doer): string {
  if (accountGuid !== null) return `a${accountGuid}`;
  return clientGuid === null ? '' : `c${clientGuid}`;
}

function readBearer({ organisation, bearer }: Claims): Doer {
  const guidIf = (kind: string) => (bearer.startsWith(kind) ? bearer.slice(1) : null);
  return {
    organisationId: mintOrganisationId(organisation),
    accountGuid: guidIf('a'),
    clientGuid: guidIf('c'),
  };
}

/** Compares in constant time. */
function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Creates and verifies tickets under the installation's ticket keys; tickets of a retired key are no longer valid. */
export function createTickets({ secrets, clock }: TicketDependencies): Tickets {
  const seconds = (): number => Math.floor(clock.now().getTime() / 1000);

  const mint = async (bearer: Doer, purpose: TicketPurpose, guid: string): Promise<string> => {
    const { keyId, key } = await secrets.getCurrentKey(ticketKeyPurpose);
    const whose = { organisation: bearer.organisationId, bearer: nameBearer(bearer) };
    return write({ ...whose, keyId, expires: seconds() + life }, purpose, guid, key);
  };

  const mintURL = async (
    bearer: Doer,
    purpose: 'file' | 'shared',
    fileGUID: string,
  ): Promise<string> => {
    const ticket = await mint(bearer, purpose, fileGUID);
    return `${pathOf(downloadFile, { fileGUID })}?ticket=${ticket}`;
  };

  return {
    mintFileURL: (bearer, fileGuid) => mintURL(bearer, 'file', fileGuid),
    mintSharedFileURL: (receiver, fileGuid) => mintURL(receiver, 'shared', fileGuid),
    async mintZipURL(bearer, family, slotGuid) {
      const ticket = await mint(bearer, 'components', slotGuid);
      return `${pathOf(zipRouteOf(family), { id: slotGuid })}?fileType=All&ticket=${ticket}`;
    },
    async mintTrayURL(bearer, trayGUID, fileType) {
      const ticket = await mint(bearer, 'tray', trayGUID);
      return `${pathOf(downloadTray, { trayGUID })}?fileType=${fileType}&ticket=${ticket}`;
    },
    async mintExportURL(bearer) {
      const ticket = await mint(bearer, 'export', bearer.organisationId);
      return `${downloadJobsExport.path}?ticket=${ticket}`;
    },
    async verify(ticket, purpose, guid) {
      const claims = read(ticket);
      if (claims === null || claims.expires <= seconds()) return null;
      const keys = await secrets.listKeys(ticketKeyPurpose);
      const found = keys.find(({ keyId }) => keyId === claims.keyId);
      if (found === undefined || !isSameText(ticket, write(claims, purpose, guid, found.key))) {
        return null;
      }
      return readBearer(claims);
    },
  };
}

/** Tickets that open nothing while their organisation is archived. */
export function ofActiveOrganisations(tickets: Tickets, db: Db): Tickets {
  return {
    ...tickets,
    async verify(ticket, purpose, guid, caller) {
      const bearer = await tickets.verify(ticket, purpose, guid, caller);
      // a caller of an archived organisation has been refused
      if (bearer === null || bearer.organisationId === caller?.organisationId) return bearer;
      return (await isArchived(db, bearer.organisationId)) ? null : bearer;
    },
  };
}
