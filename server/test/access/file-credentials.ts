/** The tickets of downloads, and the links in emails. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { getToken } from '../../src/email/link-token.ts';
import { bearerOf } from '../fixtures/sign-in/bearer.ts';
import { createTickets } from '../../src/slots/sending/tickets.ts';
import type { Credential, Ending } from './credential.ts';
import { asUser, type TwoOrganisations } from './two-organisations.ts';

/** An hour and a second ago: what was valid for an hour from then on has expired. */
const longAgo = { now: () => new Date(Date.now() - 3_601_000) };

const ticketOf = (url: string): string =>
  new URL(url, 'http://localhost').searchParams.get('ticket') ?? '';

/** Other keys under the same numbers. */
function createForeignKeys() {
  const key = randomBytes(32);
  const one = { keyId: 1, key };
  return { getCurrentKey: async () => one, listKeys: async () => [one], getKey: async () => key };
}

async function findReceiver({ portal }: TwoOrganisations) {
  const { db } = portal.platform;
  const rossi = db.selectFrom('organisation').where('customer_code', '=', 'CC-9001').select('guid');
  return bearerOf((await rossi.executeTakeFirstOrThrow()).guid);
}

/** Tickets of a key that is retired before the others are created. */
async function mintRetired(setup: TwoOrganisations) {
  const { secrets, clock } = setup.portal.platform;
  const { owner } = setup;
  const { mintFileURL, mintSharedFileURL, mintTrayURL, mintZipURL } = createTickets({
    secrets,
    clock,
  });
  const ours = bearerOf(owner.organisation);
  const urls = {
    file: await mintFileURL(ours, owner.slots.kessv2.decodedFile),
    shared: await mintSharedFileURL(await findReceiver(setup), owner.encodedFile),
    zip: await mintZipURL(ours, 'ktag', owner.slots.ktag.slot),
    tray: await mintTrayURL(ours, owner.tray, 'Decoded'),
  };
  const { keyId } = await secrets.getCurrentKey('ticket');
  await secrets.createKey('ticket');
  await secrets.retireKey('ticket', keyId);
  return {
    file: ticketOf(urls.file),
    shared: ticketOf(urls.shared),
    zip: ticketOf(urls.zip),
    tray: ticketOf(urls.tray),
  };
}

const byTicket = (path: string) => (ticket: string) => ({
  url: `${path}${path.includes('?') ? '&' : '?'}ticket=${encodeURIComponent(ticket)}`,
});

/** The tickets of one file, of a shared file, of all components of a slot, and of a tray. */
export async function createTicketCredentials(
  setup: TwoOrganisations,
): Promise<readonly Credential[]> {
  const { owner, stranger, portal } = setup;
  const { secrets, clock, db } = portal.platform;
  const retired = await mintRetired(setup);
  const tickets = createTickets({ secrets, clock });
  const old = createTickets({ secrets, clock: longAgo });
  const forged = createTickets({ secrets: createForeignKeys(), clock });
  const ours = bearerOf(owner.organisation);
  const theirs = bearerOf(stranger.organisation);
  const receivers = await findReceiver(setup);
  const { encodedFile } = owner;
  const { decodedFile, slot: kessv2Slot } = owner.slots.kessv2;
  const { slot } = owner.slots.ktag;
  const file = async (minted: Promise<string>) => ticketOf(await minted);
  const refused = ['404 NOT_FOUND', '400 BAD_REQUEST'];
  const shareChange = (end: string, undo: string): Ending => ({
    end: () => sql`update notification set ${sql.raw(end)} where guid = ${owner.sent}`.execute(db),
    undo: () =>
      sql`update notification set ${sql.raw(undo)} where guid = ${owner.sent}`.execute(db),
  });
  const common = { places: ['ticket'], sources: ['wrapped_key ticket'], granted: '200', refused };
  const value = await file(tickets.mintFileURL(ours, decodedFile));
  const shared = await file(tickets.mintSharedFileURL(receivers, encodedFile));
  const zip = await file(tickets.mintZipURL(ours, 'ktag', slot));
  return [
    {
      ...common,
      title: 'ticket of a file',
      value,
      present: byTicket(`/api/files/${decodedFile}`),
      others: {
        expired: await file(old.mintFileURL(ours, decodedFile)),
        'of a retired key': retired.file,
        'of another key': await file(forged.mintFileURL(ours, decodedFile)),
        'of another file': await file(tickets.mintFileURL(ours, encodedFile)),
        'of another organisation': await file(tickets.mintFileURL(theirs, decodedFile)),
        'of a file of another organisation': await file(
          tickets.mintFileURL(theirs, stranger.encodedFile),
        ),
        'of a file that is not shared with the organisation': await file(
          tickets.mintSharedFileURL(theirs, decodedFile),
        ),
        'of the slot': await file(tickets.mintZipURL(ours, 'kess3', kessv2Slot)),
        'of all components, for the same GUID': await file(
          tickets.mintZipURL(ours, 'kess3', decodedFile),
        ),
      },
    },
    {
      ...common,
      title: 'ticket of a shared file',
      value: shared,
      present: byTicket(`/api/files/${encodedFile}`),
      others: {
        expired: await file(old.mintSharedFileURL(receivers, encodedFile)),
        'of a retired key': retired.shared,
        'of another key': await file(forged.mintSharedFileURL(receivers, encodedFile)),
        'of another file': await file(tickets.mintSharedFileURL(receivers, decodedFile)),
        'of another organisation': await file(tickets.mintSharedFileURL(theirs, encodedFile)),
        'of the recipient as if it were the owner': await file(
          tickets.mintFileURL(receivers, encodedFile),
        ),
      },
      endings: {
        'the file was withdrawn': shareChange('revoked_on = now()', 'revoked_on = null'),
        'ten days have passed': shareChange(
          "completed_on = completed_on - interval '10 days'",
          "completed_on = completed_on + interval '10 days'",
        ),
        'it has become private': shareChange(
          'receiver_organisation_guid = null',
          `receiver_organisation_guid = '${receivers.organisationId}'`,
        ),
      },
    },
    {
      ...common,
      title: 'ticket of all components',
      value: zip,
      present: byTicket(`/ktag/slots/${slot}/files/?fileType=All`),
      others: {
        expired: await file(old.mintZipURL(ours, 'ktag', slot)),
        'of a retired key': retired.zip,
        'of another key': await file(forged.mintZipURL(ours, 'ktag', slot)),
        'of another slot': await file(
          tickets.mintZipURL(ours, 'kess3', owner.slots.kess3Components.slot),
        ),
        'of another organisation': await file(tickets.mintZipURL(theirs, 'ktag', slot)),
        'of a file, for the same GUID': await file(tickets.mintFileURL(ours, slot)),
      },
    },
    {
      ...common,
      title: 'ticket of a tray',
      value: await file(tickets.mintTrayURL(ours, owner.tray, 'Decoded')),
      present: byTicket(`/api/trays/${owner.tray}/files?fileType=Decoded`),
      others: {
        expired: await file(old.mintTrayURL(ours, owner.tray, 'Decoded')),
        'of a retired key': retired.tray,
        'of another key': await file(forged.mintTrayURL(ours, owner.tray, 'Decoded')),
        'of another tray': await file(tickets.mintTrayURL(ours, stranger.tray, 'Decoded')),
        'of another organisation': await file(tickets.mintTrayURL(theirs, owner.tray, 'Decoded')),
        'of a slot, for the same GUID': await file(tickets.mintZipURL(ours, 'ktag', owner.tray)),
      },
    },
    {
      ...common,
      title: 'ticket of a file, with a session of another organisation',
      value,
      present: (ticket) => ({
        ...byTicket(`/api/files/${decodedFile}`)(ticket),
        headers: asUser(setup.mia),
      }),
      others: {
        'of a file of another organisation': await file(
          tickets.mintFileURL(theirs, stranger.encodedFile),
        ),
        'of their organisation': await file(tickets.mintFileURL(theirs, decodedFile)),
      },
    },
  ];
}

/** The link in an email: its page, and its download. */
export async function createLinkCredentials(
  setup: TwoOrganisations,
): Promise<readonly Credential[]> {
  const { owner, stranger, portal } = setup;
  const { db, secrets } = portal.platform;
  const { keyId } = await secrets.getCurrentKey('share');
  const value = await getToken(secrets, owner.sent, keyId);
  const change = (table: 'mail' | 'notification', guid: string, end: string, undo: string) => ({
    end: () => sql`update ${sql.table(table)} set ${sql.raw(end)} where guid = ${guid}`.execute(db),
    undo: () =>
      sql`update ${sql.table(table)} set ${sql.raw(undo)} where guid = ${guid}`.execute(db),
    answer: '410 page',
  });
  const expiry = (sign: string) => `expires_on = expires_on ${sign} interval '10 days'`;
  const files = db.updateTable('stored_file').where('guid', '=', owner.encodedFile);
  const others = {
    'of another key': await getToken(createForeignKeys(), owner.sent, keyId),
    'of an operation that was not sent': await getToken(secrets, owner.slots.kessv2.decode, keyId),
    'the GUID of the operation': owner.sent,
  };
  return (['GET', 'POST'] as const).map((method) => ({
    title: `link in an email, ${method}`,
    sources: ['wrapped_key share', 'mail.token_hash'],
    places: ['token'],
    value,
    present: (token: string) => ({ method, url: `/r/${encodeURIComponent(token)}` }),
    granted: '200',
    refused: ['404 page', '404 NOT_FOUND', '400 BAD_REQUEST'],
    others,
    endings: {
      'ten days have passed': change('mail', owner.sent, expiry('-'), expiry('+')),
      'it was withdrawn': change(
        'notification',
        owner.sent,
        'revoked_on = now()',
        'revoked_on = null',
      ),
      'its file is deleted': {
        end: () => files.set({ deleted_on: new Date() }).execute(),
        undo: () => files.set({ deleted_on: null }).execute(),
        answer: '410 page',
      },
      'its file belongs to another organisation': change(
        'notification',
        owner.sent,
        `target_file_guid = '${stranger.encodedFile}'`,
        `target_file_guid = '${owner.encodedFile}'`,
      ),
    },
  }));
}
