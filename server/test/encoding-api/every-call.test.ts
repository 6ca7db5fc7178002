/**
 * Derived from the contract: every call of the Encoding API refuses every wrong caller, and gives nothing of another
 * organisation. A new call fails here until it is listed how it could ask for something of another organisation.
 */
import { pathOf, type Route } from '@recodery/contract/api';
import { encodingApiRoutes } from '@recodery/contract/encoding-api/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeClient } from '../../src/clients/clients.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { imagesOf, seal } from '../journeys/component-workflow.ts';
import { sealImage } from '../journeys/kessv2-workflow.ts';
import { addProgram, type Program, type Returned, tokenHeader } from './program.ts';

type FamilyName = 'kessv2' | 'ktag' | 'kess3';

/** What an organisation has in one family. */
interface Belongings {
  readonly slot: string;
  readonly operation: string;
  readonly decodedFile: string;
  /** A modified file that fits. */
  readonly modifiedFile: string;
}

interface Owner {
  readonly program: Program;
  readonly own: Readonly<Record<FamilyName, Belongings>>;
}

/** One way to ask: what it names, and the response to another organisation's program. */
interface Attempt {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
}

type Attempts = (theirs: Owner, own: Owner) => readonly Attempt[];

const ofSlot =
  (family: FamilyName): Attempts =>
  ({ own: theirs }) => [{ params: { slot: theirs[family].slot } }];

function ofFile(family: FamilyName, fileType: string): Record<string, Attempts> {
  return {
    findFile: ({ own: theirs }) => [
      { params: { slot: theirs[family].slot }, query: `?fileType=${fileType}&download=true` },
    ],
    getFile: ({ own: theirs }, { own }) => [
      { params: { slot: theirs[family].slot, fileGUID: theirs[family].decodedFile } },
      { params: { slot: own[family].slot, fileGUID: theirs[family].decodedFile } },
      { params: { slot: theirs[family].slot, fileGUID: own[family].decodedFile } },
      { params: { slot: own[family].slot, fileGUID: 'x' } },
    ],
  };
}

const ofUpload =
  (family: FamilyName, fileType: string): Attempts =>
  ({ own: theirs }) => [{ params: { slot: theirs[family].slot, fileType } }];

const ofEncode =
  (family: FamilyName, slotField: string, fileField: string): Attempts =>
  ({ own: theirs }, { own }) => [
    { body: { [slotField]: theirs[family].slot } },
    { body: { [slotField]: theirs[family].slot, [fileField]: own[family].modifiedFile } },
    { body: { [slotField]: own[family].slot, [fileField]: theirs[family].modifiedFile } },
    // files of one's own that are no modified files of this slot
    { body: { [slotField]: own[family].slot, [fileField]: own[family].decodedFile } },
  ];

function ofFamily(
  family: FamilyName,
  types: { readonly decoded: string; readonly modified: string },
  encodes: Readonly<Record<string, Attempts>>,
): [string, Attempts | null][] {
  return Object.entries({
    listSlots: null,
    closeSlot: ofSlot(family),
    reopenSlot: ofSlot(family),
    ...ofFile(family, types.decoded),
    decode: null,
    upload: ofUpload(family, types.modified),
    ...encodes,
  }).map(([name, attempts]) => [`${family}.${name}`, attempts]);
}

/** How each call could ask for something of another organisation; null: it names nothing that an organisation has. */
const attempts: ReadonlyMap<string, Attempts | null> = new Map<string, Attempts | null>([
  [
    'operations.getOperation',
    ({ own: theirs }: Owner) => [{ params: { guid: theirs.kessv2.operation } }],
  ],
  ...ofFamily(
    'kessv2',
    { decoded: 'Decoded', modified: 'Modified' },
    { 'encode-obd': ofEncode('kessv2', 'kessv2FileSlotGUID', 'modifiedFileGUID') },
  ),
  ...ofFamily(
    'ktag',
    { decoded: 'DecodedFlash', modified: 'Flash' },
    { 'encode-bootbench': ofEncode('ktag', 'ktagFileSlotGUID', 'flashFileGUID') },
  ),
  ...ofFamily(
    'kess3',
    { decoded: 'BootBenchDecodedFlash', modified: 'BootBenchModifiedFlash' },
    {
      'encode-obd': ({ own: theirs }: Owner) => [
        { body: { kess3FileSlotGUID: theirs.kess3.slot } },
      ],
      'encode-bootbench': ofEncode('kess3', 'kess3FileSlotGUID', 'flashFileGUID'),
    },
  ),
]);

let portal: RunningPortal;
let anna: Owner;
let mia: Owner;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await own('CC-1001', { kessv2: 'KV2-000007', ktag: 'KTG-000007', kess3: 'KS3-000042' });
  mia = await own('CC-3003', { kessv2: 'KV2-003003', ktag: 'KTG-003003', kess3: 'KS3-003003' });
});
afterAll(() => portal.stop());

const kinds = {
  kessv2: { call: 'decode-read-file', upload: 'Modified' },
  ktag: { call: 'decode-read-backup', upload: 'Flash' },
  kess3: { call: 'decode-read-file', upload: 'BootBenchModifiedFlash' },
} as const;

/** Makes one of everything. */
async function own(
  customerCode: string,
  serials: Readonly<Record<FamilyName, string>>,
): Promise<Owner> {
  const program = await addProgram(portal, customerCode);
  const ownOf = async (family: FamilyName): Promise<Belongings> => {
    const slave = await portal.getSlave(family, serials[family]);
    const images = imagesOf(9000, 1, { flash: 65_536 });
    const image = images.get('flash') ?? new Uint8Array();
    const read =
      family === 'kessv2'
        ? sealImage(slave, 9000, image)
        : seal(slave, { protocolId: 9000, mode: 'bootbench', images });
    const { call, upload } = kinds[family];
    const done = await program.succeed(await program.decode(`/api/${family}/${call}/C-1`, read));
    const { guid, slotGUID: slot, result } = done;
    const [component] = result.bootBenchComponents ?? result.components ?? [];
    const address = component?.decodedFileURL ?? result['decodedFileURL'] ?? '';
    const path = `/api/${family}/upload-modified-file/C-1/${slot}/${upload}`;
    return {
      slot,
      operation: guid,
      decodedFile: address.split('/').at(-1) ?? '',
      modifiedFile: await program.keep(path, image.toReversed()),
    };
  };
  const [kessv2, ktag, kess3] = [await ownOf('kessv2'), await ownOf('ktag'), await ownOf('kess3')];
  return { program, own: { kessv2, ktag, kess3 } };
}

const nobodys = '01900000-0000-7000-8000-00000000dead';

/** Calls a route with whatever it needs to be understood. */
function call(
  route: Route,
  program: Program,
  { params, query = '', body = {} }: Attempt,
  headers: Readonly<Record<string, string>> = {},
): Promise<Returned> {
  const filled = Object.fromEntries(
    [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, nobodys]),
  );
  const path = pathOf(route, { ...filled, ...params }) + query;
  if (route.parts.file !== undefined) {
    const form = new FormData();
    form.append(route.parts.file.field, new Blob(['x']), 'x.bin');
    return program.call(route.verb, path, { headers, body: form });
  }
  if (route.verb === 'GET') return program.call('GET', path, { headers });
  return program.call(route.verb, path, {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

const closed = [...encodingApiRoutes].filter(([, { parts }]) => parts.access !== 'public');

test('every call is listed here', () => {
  const isClosed = ([, { parts }]: [string, Route]) => parts.access === 'client';
  const open = [...encodingApiRoutes].filter((entry) => !isClosed(entry));
  expect(open.map(([name]) => name)).toEqual(['accessTokens.request']);
  expect([...attempts.keys()].toSorted()).toEqual(closed.map(([name]) => name).toSorted());
});

describe.each(closed)('%s', (name, route) => {
  const attempt = (): Attempt => attempts.get(name)?.(anna, mia)[0] ?? {};
  const refusal = ({ status, type, text }: Returned) => [status, type, text];
  const plain = 'text/plain; charset=utf-8';

  // promise e1.token.required
  test('refuses a caller without a valid token', async () => {
    const { program } = anna;
    const user = await portal.signIn('anna@demo.test');
    const gone = await addProgram(portal);
    await revokeClient(portal.platform, null, gone.clientGuid);
    const past = await addProgram(portal);
    await portal.platform.db
      .updateTable('access_token')
      .set({ expires_on: new Date(0) })
      .where('client_guid', '=', past.clientGuid)
      .execute();
    const expired = await addProgram(portal);
    await portal.platform.db
      .updateTable('client_application')
      .set({ expires_on: new Date(0) })
      .where('guid', '=', expired.clientGuid)
      .execute();
    const tokens = [
      '',
      'x',
      `${program.token}x`,
      program.token.slice(1),
      `Bearer ${program.token}`,
      user.sessionId,
      gone.token,
      past.token,
      expired.token,
    ];
    const answers = [
      ...(await Promise.all(
        tokens.map((token) => call(route, program, attempt(), { [tokenHeader]: token })),
      )),
      await call(route, program, attempt(), {
        [tokenHeader]: '',
        'X-Recodery-Session': user.sessionId,
      }),
    ];
    expect(answers.map(refusal)).toEqual(answers.map(() => [401, plain, 'API_ERROR_UNAUTHORIZED']));
  });

  // promise e2.clients.networks
  test('refuses a client from outside its networks', async () => {
    const program = await addProgram(portal);
    await portal.platform.db
      .updateTable('client_application')
      .set({ allowed_networks: ['192.0.2.0/24'] })
      .where('guid', '=', program.clientGuid)
      .execute();
    const answer = await call(route, program, attempt());
    expect(refusal(answer)).toEqual([403, plain, 'IP_NOT_ALLOWED']);
  });

  // promise e2.clients.organisation
  test('gives nothing of another organisation', async () => {
    const ways = attempts.get(name);
    if (!ways) {
      if (route.verb !== 'GET') return;
      const { text } = await call(route, mia.program, {});
      for (const guid of Object.values(anna.own).flatMap(Object.values)) {
        expect(text).not.toContain(guid);
      }
      return;
    }
    for (const way of ways(anna, mia)) {
      expect([way, ...refusal(await call(route, mia.program, way))]).toEqual([
        way,
        404,
        plain,
        'NOT_FOUND',
      ]);
    }
  });
});

test('what a refused caller sent is not kept', async () => {
  const keys: string[] = [];
  const { storage } = await openStorage(portal.platform.config);
  for await (const { key } of storage.list('uploads')) keys.push(key);
  // a read and a modified file of each family, for both
  expect(keys).toHaveLength(12);
});
