/** What external programs rely on in responses, across features: returned values, names, defaults, lengths. */
import type { Notification } from '@recodery/contract/features/notifications';
import type { Operation } from '@recodery/contract/features/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { encodeBy, imagesOf, resultOf, seal, uploadTo } from './families/component-workflow.ts';
import { decodeKess3, encodeObd } from './families/kess3-workflow.ts';
import { decode, sealImage, started, uploadRead } from './families/kessv2-workflow.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '50' });
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

function savePreferences(organisationPreferences: object) {
  return anna.call('PUT', '/api/preferences/', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ organisationPreferences }),
  });
}

describe('an operation', () => {
  // promise d6.payloads.context, d6.payloads.flow
  test('returns the context unchanged, and the flow D by default', async () => {
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const read = sealImage(slave, 9000, new Uint8Array(1024));
    const reading = started(await uploadRead(anna, read));
    expect([reading.userFlow, reading.contextData]).toEqual(['D', null]);
    expect(reading).toMatchObject({
      asyncOperationGUID: reading.guid,
      asyncOperationType: 'KESSv2Decode',
      isCompleted: false,
      result: null,
      error: null,
    });
    await anna.follow(reading);
    const contextData = '{"page":"kessv2"}\r\n\u0001 è 改 </script>';
    const body = { kessv2FileSlotGUID: reading.slotGUID, contextData };
    const encoding = started(await anna.post('/api/kessv2/reencode-decoded-file', body));
    expect(encoding.contextData).toBe(contextData);
    const ended = await anna.follow(encoding);
    expect(ended).toMatchObject({ contextData, isSuccessful: true, hasFailed: false });
  });

  // promise d6.payloads.zero-guid
  test('accepts "none" in each of its three forms', async () => {
    const slave = await portal.getSlave('kessv2', 'KV2-000007');
    const read = sealImage(slave, 9000, new Uint8Array(1024));
    const { kessv2SlotGUID } = await decode(anna, read);
    const zeros = '00000000-0000-0000-0000-000000000000';
    for (const none of [{}, { modifiedFileGUID: null }, { modifiedFileGUID: zeros }]) {
      const body = { kessv2FileSlotGUID: kessv2SlotGUID, ...none };
      const answer = await anna.post('/api/kessv2/encode-file', body);
      expect([none, answer.status, answer.text]).toEqual([none, 400, 'OPERATION_NOT_POSSIBLE']);
    }
  });
});

describe('the name of an encoded file', () => {
  // promise 3.preferences.formats
  test('follows the format of K-TAG for K-TAG, and none for KESS3', async () => {
    const saved = await savePreferences({
      encodedKESSv2FileNameFormat: 'kessv2 %r',
      encodedKTAGFileNameFormat: '%r tuned',
    });
    expect(saved.status).toBe(200);
    const ktag = await portal.getSlave('ktag', 'KTG-000007');
    const images = imagesOf(9000, 1, { flash: 1024 });
    const backup = seal(ktag, { protocolId: 9000, mode: 'bootbench', images });
    const uploaded = await uploadTo(anna, '/api/ktag/upload-read-backup', backup, 'Rossi 159.ktg');
    const { ktagSlotGUID } = (await resultOf(anna, uploaded)) as { ktagSlotGUID: string };
    const encoded = await encodeBy(anna, '/api/ktag/encode-backup', {
      ktagFileSlotGUID: ktagSlotGUID,
    });
    expect(encoded.name).toBe('Rossi 159 tuned.unq');

    const kess3 = await portal.getSlave('kess3', 'KS3-000042');
    const image = imagesOf(9000, 2, { obd: 1024 });
    const read = { protocolId: 9000, mode: 'obd', images: image } as const;
    const { kess3FileSlotGUID } = await decodeKess3(anna, kess3, read);
    const { name } = await encodeObd(anna, kess3FileSlotGUID, {});
    expect(name).toMatch(/^KESS3_KS3-000042_9000_\d{8}-\d{6}(-\d+)?\.moc$/);
    await savePreferences({});
  });
});

describe('the list of notifications', () => {
  // promise 9.figures.page-size
  test('contains 20 notifications by default, even if there are more', async () => {
    const mia = await portal.signIn('mia@demo.test');
    const uploads = await Promise.all(
      // four run at once, the others are queued
      Array.from({ length: 21 }, () => uploadRead(mia, new Uint8Array(10))),
    );
    for (const answer of uploads) await mia.follow(answer.json as Operation);
    const list = async (query = '') =>
      (await mia.get(`/api/async-operation-notifications/${query}`)).json as Notification[];
    expect(await list('?count=100')).toHaveLength(21);
    expect(await list()).toHaveLength(20);
  });
});
