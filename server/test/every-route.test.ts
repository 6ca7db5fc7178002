/**
 * Derived from the contract: every call refuses callers without a session, with an ended session, and for data of
 * another organisation. A new route fails here until the table says how it could be called for another organisation's
 * data.
 */
import { generateImage } from '@recodery/codec/images/images';
import { pathOf, type Route } from '@recodery/contract/api';
import { accessTokenHeader, sessionHeader } from '@recodery/contract/headers';
import type { Family } from '@recodery/contract/families/registry';
import { routes } from '@recodery/contract/routes';
import { delivery, newWebhook } from '@recodery/contract/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { revokeClient } from '../src/clients/clients.ts';
import { endSession } from '../src/sign-in/sessions.ts';
import { readSessionId } from '../src/sign-in/session-id.ts';
import type { Answer, Client } from './fixtures/client.ts';
import {
  type AddedClient,
  type RunningPortal,
  startTestPortal,
} from './fixtures/running-portal.ts';
import { imagesOf, keep, resultOf, seal, uploadTo } from './journeys/component-workflow.ts';
import { decode, encode, keepImage, protocolOf, sealImage } from './journeys/kessv2-workflow.ts';

/** What a user owns, by the name with which a call can request it. */
interface Belongings {
  readonly client: Client;
  /** A client application of the organisation. */
  readonly program: AddedClient;
  /** A webhook endpoint, and an attempt to deliver to it. */
  readonly webhook: { readonly guid: string; readonly attempt: string };
  readonly slot: string;
  readonly decodeOperation: string;
  readonly decodedFile: string;
  readonly modifiedFile: string;
  readonly originalFile: string;
  readonly encodedFile: string;
  readonly ktag: Components;
  readonly kess3: Components;
}

/** A slot with components: of K-TAG, or of KESS3 BootBench. */
interface Components {
  readonly slot: string;
  /** A modified flash image, not yet encoded. */
  readonly modifiedFile: string;
  /** The ticket for all components. */
  readonly ticket: string;
}

/** One way to request another organisation's data: the parameters and the body that name it. */
interface Attempt {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  /** 404 by default. */
  readonly status?: number;
}

type Attempts = (theirs: Belongings, own: Belongings) => readonly Attempt[];

const ofSlot: Attempts = (theirs) => [{ params: { slotGUID: theirs.slot } }];
// a notification has the GUID of its operation
const ofNotification: Attempts = (theirs) => [{ params: { guid: theirs.decodeOperation } }];
const ofWebhook: Attempts = (theirs) => [{ params: { guid: theirs.webhook.guid } }];
const ofSession: Attempts = ({ client }) => [
  { params: { sessionId: client.sessionId, code: 'CC-1001' }, status: 401 },
];

/** A draft that contains these files by their parts. */
function draftWith(files: Readonly<Record<string, string>>): unknown {
  return { files, removed: null, willCorrectCVN: false, willSkipChecksum: false };
}

/** Ways to request a zip: by session only, with tickets for something else, or without a ticket. */
function ofZip(theirs: Components, own: Components, other: Components): readonly Attempt[] {
  return [
    { params: { id: theirs.slot } },
    { params: { id: theirs.slot }, query: `?fileType=All&ticket=${own.ticket}` },
    { params: { id: theirs.slot }, query: '?fileType=All&ticket=x.1.99999999999.y' },
    { params: { id: other.slot }, query: `?ticket=${other.ticket}` },
    { params: { id: own.slot }, query: '?fileType=Flash' },
    { params: { id: 'x' } },
  ];
}

/** How each call could be made for data of another organisation; null if it names no data. */
const attempts: Readonly<Record<string, Attempts | null>> = {
  'session.getSession': ofSession,
  'session.switchCustomerCode': (theirs, own) => [
    ...ofSession(theirs, own),
    { params: { sessionId: own.client.sessionId, code: 'CC-1001' } },
  ],
  'session.logout': ofSession,
  'session.hasAcceptedTerms': null,
  'session.registerTerms': null,
  'operations.getOperation': (theirs) => [{ params: { guid: theirs.decodeOperation } }],
  'operations.listOperations': null,
  'operations.openEvents': null,
  'engines.listEngines': null,
  'kessv2.entry': null,
  'kessv2.uploadReadFile': null,
  'kessv2.uploadModifiedFile': ofSlot,
  'kessv2.uploadOriginalFile': ofSlot,
  'kessv2.encodeFile': (theirs, own) => [
    { body: { kessv2FileSlotGUID: theirs.slot, modifiedFileGUID: theirs.modifiedFile } },
    { body: { kessv2FileSlotGUID: theirs.slot, modifiedFileGUID: own.modifiedFile } },
    { body: { kessv2FileSlotGUID: own.slot, modifiedFileGUID: theirs.modifiedFile } },
    // an own file that is not a modified one
    { body: { kessv2FileSlotGUID: own.slot, modifiedFileGUID: own.encodedFile } },
    {
      body: {
        kessv2FileSlotGUID: own.slot,
        modifiedFileGUID: own.modifiedFile,
        originalFileGUID: theirs.originalFile,
      },
    },
  ],
  'kessv2.reencodeDecodedFile': (theirs) => [{ body: { kessv2FileSlotGUID: theirs.slot } }],
  'kessv2.notificationDetails': ofSlot,
  'ktag.entry': null,
  'ktag.uploadReadBackup': null,
  'ktag.uploadModifiedComponentFile': ({ ktag }) => [
    { params: { slotGUID: ktag.slot, componentType: 'flash' } },
    { params: { slotGUID: ktag.slot, componentType: 'obd' } },
  ],
  'ktag.encodeBackup': (theirs, own) => [
    { body: { ktagFileSlotGUID: theirs.ktag.slot } },
    { body: { ktagFileSlotGUID: own.kess3.slot } },
    { body: { ktagFileSlotGUID: own.ktag.slot, FlashFileGUID: theirs.ktag.modifiedFile } },
    { body: { ktagFileSlotGUID: own.ktag.slot, FlashFileGUID: own.kess3.modifiedFile } },
    { body: { ktagFileSlotGUID: own.ktag.slot, MicroFileGUID: own.ktag.modifiedFile } },
  ],
  'ktag.notificationDetails': (theirs, own) => [
    { params: { slotGUID: theirs.ktag.slot } },
    { params: { slotGUID: own.kess3.slot } },
  ],
  'ktag.downloadAllFiles': (theirs, own) => ofZip(theirs.ktag, own.ktag, own.kess3),
  'kess3.entry': null,
  'kess3.uploadReadFile': null,
  'kess3.uploadModifiedFile': ({ kess3 }, own) => [
    ...['mod', 'ori', 'Flash', 'flash', 'x'].map((component) => ({
      params: { slot: kess3.slot, component },
    })),
    // own slots: without a BootBench image, without this component, and of another family
    ...['mod', 'ori', 'flash', 'TuningFile'].map((component) => ({
      params: { slot: own.kess3.slot, component },
    })),
    { params: { slot: own.ktag.slot, component: 'Flash' } },
  ],
  'kess3.encodeObdFile': ({ kess3 }) => [{ body: { kess3FileSlotGUID: kess3.slot } }],
  'kess3.encodeBootBenchFile': (theirs, own) => [
    { body: { kess3FileSlotGUID: theirs.kess3.slot } },
    { body: { kess3FileSlotGUID: own.ktag.slot } },
    { body: { kess3FileSlotGUID: own.kess3.slot, FlashFileGUID: theirs.kess3.modifiedFile } },
    { body: { kess3FileSlotGUID: own.kess3.slot, EEPROMFileGUID: own.kess3.modifiedFile } },
  ],
  'kess3.notificationDetails': ({ kess3 }) => [{ params: { slotGUID: kess3.slot } }],
  'kess3.downloadAllFiles': (theirs, own) => ofZip(theirs.kess3, own.kess3, own.ktag),
  'slots.downloadFile': (theirs, own) => [
    ...[theirs.decodedFile, theirs.modifiedFile, theirs.originalFile, theirs.encodedFile].map(
      (fileGUID) => ({ params: { fileGUID } }),
    ),
    { params: { fileGUID: theirs.encodedFile }, query: '?ticket=x.1.99999999999.y' },
    { params: { fileGUID: theirs.encodedFile }, query: `?ticket=${own.encodedFile}` },
  ],
  'slots.refreshFileURL': (theirs) => [{ params: { fileGUID: theirs.encodedFile } }],
  'slots.getEncodeDraft': ofSlot,
  'slots.putEncodeDraft': (theirs, own) => [
    { params: { slotGUID: theirs.slot }, body: draftWith({}) },
    { params: { slotGUID: own.slot }, body: draftWith({ modified: theirs.modifiedFile }) },
    // own files that are not modified images of this slot
    { params: { slotGUID: own.slot }, body: draftWith({ modified: own.encodedFile }) },
    { params: { slotGUID: own.slot }, body: draftWith({ modified: own.originalFile }) },
    { params: { slotGUID: own.slot }, body: draftWith({ modified: own.ktag.modifiedFile }) },
  ],
  'notifications.listNotifications': null,
  'notifications.markAsReadBySender': ofNotification,
  'notifications.markAsInteractedBySender': ofNotification,
  'notifications.markAsReadByReceiver': ofNotification,
  'notifications.markAsInteractedByReceiver': ofNotification,
  'notifications.revokeShare': ofNotification,
  'operationsLog.downloadKess3Log': null,
  'operationsLog.downloadKessv2Log': null,
  'operationsLog.downloadKtagLog': null,
  'clients.listClients': null,
  'clients.addClient': null,
  'clients.revokeClient': (theirs) => [{ params: { guid: theirs.program.guid } }],
  'webhooks.listWebhooks': null,
  'webhooks.addWebhook': null,
  'webhooks.removeWebhook': ofWebhook,
  'webhooks.listDeliveries': (theirs, own) => [
    ...ofWebhook(theirs, own),
    { params: { guid: theirs.program.guid } },
  ],
  'webhooks.replayDelivery': (theirs) => [{ params: { guid: theirs.webhook.attempt } }],
  'preferences.getPreferences': null,
  'preferences.putPreferences': null,
  'preferences.putEncodedKessv2FileNameFormat': null,
  'messages.listMessages': null,
  'serviceStatus.getServiceStatus': null,
};

/** What a call that names no data needs to be valid. */
const understood: Readonly<Record<string, unknown>> = {
  'clients.addClient': { name: 'A program', allowedNetworks: [], expiresOn: null },
  'webhooks.addWebhook': { url: 'https://192.88.98.1/hook' },
  'preferences.putPreferences': { organisationPreferences: {} },
  'preferences.putEncodedKessv2FileNameFormat': '%d',
};

/** Calls that end something which other tests need. */
const endingRoutes: readonly string[] = ['clients.revokeClient', 'webhooks.removeWebhook'];

/** Public calls. They name no data, or need a secret of their own. */
const publicRoutes: readonly string[] = [
  'clients.requestAccessToken',
  'session.validateSsoToken',
  'session.getLogo',
  'share.sharePage',
  'share.shareDownload',
  'serviceStatus.getConfig',
  'serviceStatus.getOpenApi',
  'serviceStatus.getEncodingApiDocument',
  'serviceStatus.getApiPage',
];

const closed = [...routes].filter(([, route]) => route.parts.access !== 'public');

let portal: RunningPortal;
let anna: Belongings;
let mia: Belongings;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await own('anna@demo.test', 'CC-1001', 'KV2-000007');
  mia = await own('mia@demo.test', 'CC-3003', 'KV2-003003');
});
afterAll(() => portal.stop());

/** Creates one of everything. */
async function own(email: string, customerCode: string, serial: string): Promise<Belongings> {
  const client = await portal.signIn(email);
  const slave = await portal.getSlave('kessv2', serial);
  const image = generateImage(protocolOf(9000), 'obd', 1, 4096);
  const { kessv2SlotGUID: slot } = await decode(client, sealImage(slave, 9000, image));
  const modified = await keepImage(client, 'modified', slot, image);
  const original = await keepImage(client, 'original', slot, image);
  const body = { kessv2FileSlotGUID: slot, modifiedFileGUID: modified.fileGUID };
  const encoded = await encode(client, body);
  const { db } = portal.platform;
  const operations = db.selectFrom('operation').select('guid').where('slot_guid', '=', slot);
  const decodes = operations.where('type', '=', 'KESSv2Decode');
  const files = db.selectFrom('stored_file').select('guid').where('slot_guid', '=', slot);
  const decoded = files.where('role', '=', 'decoded');
  const number = serial.slice(3);
  return {
    client,
    program: await portal.addClient({ customerCode }),
    webhook: await ownWebhook(client, sealImage(slave, 9000, image)),
    slot,
    ktag: await ownComponents(client, 'ktag', `KTG${number}`),
    kess3: await ownComponents(client, 'kess3', `KS3${number === '-000007' ? '-000042' : number}`),
    decodeOperation: (await decodes.executeTakeFirstOrThrow()).guid,
    decodedFile: (await decoded.executeTakeFirstOrThrow()).guid,
    modifiedFile: modified.fileGUID,
    originalFile: original.fileGUID,
    encodedFile: encoded.fileGUID ?? '',
  };
}

/** Adds an endpoint to which a finished operation could not be delivered. */
async function ownWebhook(client: Client, read: Uint8Array): Promise<Belongings['webhook']> {
  // the name does not exist: nothing is sent
  const added = await client.post('/api/webhooks', { url: 'https://receiver.invalid/hook' });
  const { guid } = newWebhook.parse(added.json);
  await decode(client, read);
  const path = `/api/webhooks/${guid}/deliveries`;
  for (;;) {
    const [attempt] = z.array(delivery).parse((await client.get(path)).json);
    if (attempt !== undefined) return { guid, attempt: attempt.guid };
  }
}

/** Creates a family's slot with components. */
const componentWorkflows: Readonly<
  Record<Exclude<Family, 'kessv2'>, { readonly read: string; readonly flash: string }>
> = {
  ktag: { read: 'upload-read-backup', flash: 'upload-modified-component-file/{slot}/flash' },
  kess3: { read: 'upload-read-file', flash: 'upload-modified-file/{slot}/Flash' },
};

async function ownComponents(
  client: Client,
  family: Exclude<Family, 'kessv2'>,
  serial: string,
): Promise<Components> {
  const slave = await portal.getSlave(family, serial);
  const images = imagesOf(9000, 1, { flash: 4096, eeprom: 1024 });
  const read = seal(slave, { protocolId: 9000, mode: 'bootbench', images });
  const { read: readCall, flash } = componentWorkflows[family];
  const answer = await uploadTo(client, `/api/${family}/${readCall}`, read);
  const { decodedFileURL } = (await resultOf(client, answer)) as { decodedFileURL: string };
  const { pathname, searchParams } = new URL(decodedFileURL, client.url);
  const slot = pathname.split('/')[3] ?? '';
  const path = `/api/${family}/${flash.replace('{slot}', slot)}`;
  const { fileGUID } = await keep(client, path, images.get('flash') ?? new Uint8Array());
  return { slot, modifiedFile: fileGUID, ticket: searchParams.get('ticket') ?? '' };
}

/** Calls a route with everything that it needs to be valid. */
function call(
  route: Route,
  client: Client,
  { params, query = '', body = {} }: Attempt,
  credentials: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const filled = Object.fromEntries(
    [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, unknownGuid]),
  );
  const headers: Record<string, string> = { ...credentials };
  const init: RequestInit = { headers };
  if (route.parts.file !== undefined) {
    const form = new FormData();
    form.append(route.parts.file.field, new Blob(['x']), 'x.bin');
    init.body = form;
  } else if (route.verb !== 'GET') {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(body);
  }
  return client.call(route.verb, pathOf(route, { ...filled, ...params }) + query, init);
}

const unknownGuid = '01900000-0000-7000-8000-00000000dead';

/** Whether a call can name data at all: by its path, or by a GUID in its body. */
function canNameSomething({ path, parts }: Route): boolean {
  const body = parts.body === undefined ? '' : JSON.stringify(z.toJSONSchema(parts.body, inputs));
  return path.includes('{') || /guid/i.test(body);
}

const inputs = { io: 'input', unrepresentable: 'any' } as const;

describe('every route', () => {
  // promise 6.roles.unauthenticated, d4.public.routes
  test('is either listed as public, or has an entry that says how it could be misused', () => {
    const names = (which: (route: Route) => boolean) =>
      [...routes].filter(([, route]) => which(route)).map(([name]) => name);
    expect(names(({ parts }) => parts.access === 'public').toSorted()).toEqual(
      publicRoutes.toSorted(),
    );
    expect(Object.keys(attempts).toSorted()).toEqual(
      names(({ parts }) => parts.access !== 'public').toSorted(),
    );
  });

  test('is for client applications, too, unless it is about a session or would raise their rights', () => {
    const forUsers = [...routes].filter(
      ([, { path, parts }]) =>
        (parts.access === 'person' || parts.access === 'own-session') &&
        !path.startsWith('/api/auth/'),
    );
    expect(forUsers.map(([name]) => name)).toEqual(['clients.addClient']);
  });

  test('is tried with another organization’s data if it can name any', () => {
    const untried = closed.filter(
      ([name, route]) => canNameSomething(route) && attempts[name] === null,
    );
    expect(untried.map(([name]) => name)).toEqual([]);
  });
});

describe.each(closed)('%s', (name, route) => {
  // a valid request, if it were allowed
  const attempt = (): Attempt => attempts[name]?.(anna, mia)[0] ?? {};

  // promise 6.roles.unauthenticated
  test('refuses a caller without a session', async () => {
    const { client } = anna;
    const answers = await Promise.all(
      ['', 'x', `${client.sessionId}x`, client.sessionId.slice(0, -2)].map((session) =>
        call(route, client, attempt(), { [sessionHeader]: session }),
      ),
    );
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(() => [401, 'API_ERROR_UNAUTHORIZED']),
    );
  });

  // promise 6.roles.ended
  test('refuses a session that has ended', async () => {
    const client = await portal.signIn('anna@demo.test');
    const key = await portal.platform.secrets.getCurrentKey('session');
    const guid = readSessionId(client.sessionId, key.key)?.guid ?? '';
    await endSession(portal.platform.db, guid);
    const answer = await call(route, client, attempt());
    expect([answer.status, answer.text]).toEqual([401, 'API_ERROR_UNAUTHORIZED']);
  });

  // promise 6.roles.others, d5.rights.not-there
  test('returns no data of another organization', async () => {
    const ways = attempts[name];
    if (!ways) return expectNothingOf(anna, name, route);
    for (const way of ways(anna, mia)) {
      const answer = await call(route, mia.client, way);
      expect([way, answer.status, answer.text]).toEqual([
        way,
        way.status ?? 404,
        way.status === 401 ? 'API_ERROR_UNAUTHORIZED' : 'NOT_FOUND',
      ]);
    }
  });
});

describe.each([...routes])('%s, with an access token', (name, route) => {
  const { access, answer } = route.parts;
  const isForUsers = access === 'own-session' || access === 'person';
  const attempt = (): Attempt => attempts[name]?.(anna, mia)[0] ?? { body: understood[name] };

  test('serves a client application unless it is for users', async () => {
    // a stream is read where it is tested
    const isOpen = access === 'public' && !route.path.startsWith('/api/auth/');
    if (answer.kind === 'events' || isOpen) return;
    const own = endingRoutes.includes(name) ? {} : attempt();
    const { status, text } = await call(route, anna.program.client, own);
    const isRefused = status === 401 || status === 403;
    const isForUsers = access !== 'session' && !access.startsWith('portal');
    expect([isRefused, isRefused ? text : '']).toEqual([
      isForUsers,
      isForUsers ? 'USER_NO_RIGHTS' : '',
    ]);
  });

  test('refuses a token that means nothing, and that of a revoked client', async () => {
    const { client, guid } = await portal.addClient();
    await revokeClient(portal.platform, null, guid);
    const tokens = ['', 'x', `${client.sessionId}x`, client.sessionId.slice(1), client.sessionId];
    const answers = await Promise.all(
      tokens.map((token) => call(route, client, attempt(), { [accessTokenHeader]: token })),
    );
    if (access === 'public')
      expect(answers.map(({ text }) => text)).not.toContain('USER_NO_RIGHTS');
    else
      expect(answers.map(({ status, text }) => [status, text])).toEqual(
        answers.map(() => [401, 'API_ERROR_UNAUTHORIZED']),
      );
  });

  test('gives a client application nothing of another organisation', async () => {
    if (access === 'public' || isForUsers) return;
    const ways = attempts[name];
    if (!ways) return expectNothingOf(anna, name, route, mia.program.client);
    for (const way of ways(anna, mia)) {
      const { status, text } = await call(route, mia.program.client, way);
      expect([way, status, text]).toEqual([way, 404, 'NOT_FOUND']);
    }
  });
});

/** Mia's response must not contain a GUID of anna's. Streams are checked by their own tests. */
async function expectNothingOf(
  theirs: Belongings,
  name: string,
  route: Route,
  asker = mia.client,
): Promise<void> {
  if (route.parts.answer.kind === 'events') return;
  const { client, program, ktag, kess3, ...guids } = theirs;
  const answer = await call(route, asker, { body: understood[name] });
  expect(answer.status).toBeLessThan(300);
  for (const guid of [guids, ktag, kess3].flatMap(Object.values)) {
    expect(answer.text).not.toContain(guid);
  }
  for (const secret of [client.sessionId, program.guid, program.secretKey])
    expect(answer.text).not.toContain(secret);
}
