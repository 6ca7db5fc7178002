/** A kind of engine that is added to the registry: a portal and a worker use it without knowing it. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ConnectionKind } from '@recodery/contract/features/engines';
import { findConnection, saveConnection } from '../../src/engine-connections/engine-connections.ts';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { testConnection } from '../../src/recoding/engine-selection/test-connection.ts';
import type { Client } from '../fixtures/client.ts';
import {
  type InventedService,
  registerInventedKind,
  sealInvented,
  startInventedService,
} from '../fixtures/services/invented-engine.ts';
import { type RunningPortal, startTestPortal, testPace } from '../fixtures/running-portal.ts';
import { decode, decodeEnd, encodeEnd, keep } from './encoding-api/vendor-workflow.ts';

let kind: ConnectionKind;
let service: InventedService;
let portal: RunningPortal;
let anna: Client;

/** Milliseconds; a service that stays wrong is given up after the second attempt. */
const times = {
  patience: 2000,
  pauses: { first: 10, longest: 4000 },
  answer: 60_000,
  poll: { least: 10, usual: 20, most: 50 },
};

beforeAll(async () => {
  kind = registerInventedKind();
  service = await startInventedService();
  portal = await startTestPortal({}, true, { ...testPace, times });
  await save(service.secret);
  const mistakes = await apply('kessv2');
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
  anna = await portal.signIn('anna@demo.test');
});
beforeEach(() => {
  service.wrongHashes = 0;
});
afterAll(async () => {
  await portal.stop();
  await service.stop();
});

function save(secret: string): Promise<void> {
  const connection = { name: 'acme', kind, url: service.url, clientGuid: null };
  return saveConnection(portal.platform, connection, secret);
}

/** Gives a master of the family this engine; returns what is wrong with that. */
async function apply(family: 'kessv2' | 'kess3'): Promise<readonly string[]> {
  const masters = [{ family, serial: `${family}-invented`, engine: 'acme' }];
  const groupCodes = [{ code: 'G-V', masters }];
  const organisation = { customerCode: 'CC-1001', name: 'Officina Demo', groupCodes };
  const plan = await applyDirectory(portal.platform, { organisations: [organisation] });
  return 'mistakes' in plan ? plan.mistakes.map(({ text }) => text) : [];
}

async function examine() {
  const connection = await findConnection(portal.platform.db, 'acme');
  if (connection === null) throw new Error('there is no connection');
  return testConnection(portal.platform, connection);
}

async function encode(slotGUID: string, modified: Uint8Array) {
  const upload = `/api/kessv2/upload-modified-file/${slotGUID}`;
  const ended = await encodeEnd(anna, '/api/kessv2/encode-file', {
    kessv2FileSlotGUID: slotGUID,
    modifiedFileGUID: await keep(anna, upload, 'modifiedFile', modified),
  });
  expect(ended.error).toBeNull();
  const { encodedFileURL } = ended.result as { readonly encodedFileURL: string };
  return (await anna.get(encodedFileURL)).bytes;
}

describe('an invented kind of engine', () => {
  test('decodes and encodes, and gets back what it has stored with the slot', async () => {
    const image = randomBytes(4096);
    const { slotGUID, result } = await decode(anna, 'kessv2', sealInvented('Jürgen & Co', image));
    const { bytes } = await anna.get(String(result['decodedFileURL']));
    expect(Buffer.compare(bytes, image)).toBe(0);
    const modified = randomBytes(4096);
    const encoded = await encode(slotGUID, modified);
    expect(Buffer.compare(encoded, sealInvented('Jürgen & Co', modified))).toBe(0);
  });

  test('stores its context encrypted, and deletes it with the slot', async () => {
    const { db } = portal.platform;
    const read = sealInvented('a secret name', randomBytes(40));
    const { slotGUID } = await decode(anna, 'kessv2', read);
    const find = db.selectFrom('slot').where('guid', '=', slotGUID).select('engine_context');
    const { engine_context: sealed } = await find.executeTakeFirstOrThrow();
    expect(sealed?.length).toBeGreaterThan(40);
    expect(sealed?.includes('secret')).toBe(false);
    expect((await anna.delete(`/api/jobs/${slotGUID}`)).status).toBe(204);
    expect(await find.executeTakeFirstOrThrow()).toEqual({ engine_context: null });
  });

  test('repeats a response with a wrong hash, and gives up in the end', async () => {
    const image = randomBytes(100);
    service.wrongHashes = 1;
    const { result } = await decode(anna, 'kessv2', sealInvented('a', image));
    const { bytes } = await anna.get(String(result['decodedFileURL']));
    expect(Buffer.compare(bytes, image)).toBe(0);
    service.wrongHashes = Number.POSITIVE_INFINITY;
    const { error } = await decodeEnd(anna, 'kessv2', sealInvented('a', image));
    const detail = 'the data does not have its hash';
    expect(error).toMatchObject({ errorName: 'ENGINE_UNAVAILABLE', detail });
  });

  test('is tested, and says what the service refuses, without the secret', async () => {
    expect((await examine()).isRight).toBe(true);
    await save('a wrong token');
    expect((await examine()).isRight).toBe(false);
    const { error } = await decodeEnd(anna, 'kessv2', sealInvented('a', randomBytes(9)));
    await save(service.secret);
    const detail = 'no access with Bearer ***';
    expect(error).toMatchObject({ errorName: 'ENGINE_REFUSED', detail });
  });

  test('is refused for a master of a family that it does not serve', async () => {
    expect(await apply('kess3')).toEqual([
      'master kess3-invented: the engine acme does not serve KESS3',
    ]);
  });
});
