/** Tickets: signed file URLs, valid for an hour, each for one file of one organisation and one purpose. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { pathOf } from '@recodery/contract/api';
import type { Family } from '@recodery/contract/families/registry';
import { downloadJobsExport } from '@recodery/contract/features/jobs';
import { componentsRoute, downloadFile } from '@recodery/contract/features/slots';
import { downloadTray, type TrayFileType } from '@recodery/contract/features/trays';
import { mintOrganisationId, type OrganisationId } from '../organisations/caller.ts';
import type { Clock } from '../config/clock.ts';
import { isGuid } from '../config/guids.ts';
import type { Secrets } from '../secrets/secrets.ts';

/**
 * What a ticket opens: a file, a file that another organisation shares with its bearer's, all components of a slot as a
 * zip, the files of a tray, or all jobs of the organisation as a zip.
 */
export type TicketPurpose = 'file' | 'shared' | 'components' | 'tray' | 'export';

export interface Tickets {
  /** A download URL for a file, valid for an hour. */
  mintFileURL(organisationId: OrganisationId, fileGuid: string): Promise<string>;
  /** The same for a file that another organisation shares; each use checks that it still does. */
  mintSharedFileURL(receiver: OrganisationId, fileGuid: string): Promise<string>;
  /** A download URL for all components of a slot, valid for an hour. Only for families with components. */
  mintZipURL(organisationId: OrganisationId, family: Family, slotGuid: string): Promise<string>;
  /** A download URL for the files of a tray, valid for an hour. */
  mintTrayURL(
    organisationId: OrganisationId,
    trayGuid: string,
    fileType: TrayFileType,
  ): Promise<string>;
  /** A download URL for all jobs of the organisation, valid for an hour. */
  mintExportURL(organisationId: OrganisationId): Promise<string>;
  /**
   * The organisation of a ticket that is valid for exactly this file, slot, tray or organisation and this purpose, else
   * null.
   */
  verify(ticket: string, purpose: TicketPurpose, guid: string): Promise<OrganisationId | null>;
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
  readonly keyId: number;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** `organisation.key id.expires.signature`; compared as text, so each meaning has exactly one valid ticket. */
function write(claims: Claims, purpose: TicketPurpose, guid: string, key: Uint8Array): string {
  const { organisation, keyId, expires } = claims;
  const signature = createHmac('sha256', key)
    .update(['recodery/1', purpose, guid, organisation, keyId, expires].join('\n'))
    .digest('base64url');
  return [organisation, keyId, expires, signature].join('.');
}

function read(ticket: string): Claims | null {
  const [organisation = '', keyId = '', expires = ''] = ticket.split('.');
  if (!isGuid(organisation) || !/^\d{1,9}$/.test(keyId) || !/^\d{1,12}$/.test(expires)) return null;
  return { organisation, keyId: Number(keyId), expires: Number(expires) };
}

/** Compares in constant time. */
function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Creates and verifies tickets under the installation's ticket keys; tickets of a retired key are no longer valid. */
export function createTickets({ secrets, clock }: TicketDependencies): Tickets {
  const seconds = (): number => Math.floor(clock.now().getTime() / 1000);

  const mint = async (
    organisation: OrganisationId,
    purpose: TicketPurpose,
    guid: string,
  ): Promise<string> => {
    const { keyId, key } = await secrets.getCurrentKey(ticketKeyPurpose);
    return write({ organisation, keyId, expires: seconds() + life }, purpose, guid, key);
  };

  const mintURL = async (
    organisation: OrganisationId,
    purpose: 'file' | 'shared',
    fileGUID: string,
  ): Promise<string> => {
    const ticket = await mint(organisation, purpose, fileGUID);
    return `${pathOf(downloadFile, { fileGUID })}?ticket=${ticket}`;
  };

  return {
    mintFileURL: (organisationId, fileGuid) => mintURL(organisationId, 'file', fileGuid),
    mintSharedFileURL: (receiver, fileGuid) => mintURL(receiver, 'shared', fileGuid),
    async mintZipURL(organisationId, family, slotGuid) {
      const ticket = await mint(organisationId, 'components', slotGuid);
      return `${pathOf(componentsRoute(family), { id: slotGuid })}?fileType=All&ticket=${ticket}`;
    },
    async mintTrayURL(organisationId, trayGUID, fileType) {
      const ticket = await mint(organisationId, 'tray', trayGUID);
      return `${pathOf(downloadTray, { trayGUID })}?fileType=${fileType}&ticket=${ticket}`;
    },
    async mintExportURL(organisationId) {
      const ticket = await mint(organisationId, 'export', organisationId);
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
      return mintOrganisationId(claims.organisation);
    },
  };
}
