/** Notifications of the families with components and of the utility: where they lead, and their texts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from '@recodery/contract/features/operations';
import type { Client } from '../fixtures/client.ts';
import { readZip } from '../fixtures/read-zip.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { type Images, imagesOf, seal, uploadTo } from '../journeys/families/component-workflow.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';
import { noticeOf, vin } from './sending-workshop.ts';

let portal: RunningPortal;
let anna: Client;
let luca: Client;
let images: Images;
beforeAll(async () => {
  portal = await startTestPortal();
  [anna, luca] = [await portal.signIn('anna@demo.test'), await portal.signIn('luca@demo.test')];
  images = imagesOf(9000, 3, { flash: 4096, eeprom: 1024 });
});
afterAll(() => portal.stop());

async function ended(answer: Awaited<ReturnType<Client['post']>>): Promise<Operation> {
  const operation = await anna.follow(started(answer));
  expect(operation.error).toBeNull();
  return operation;
}

const info = { email: null, message: null, isPrivate: false };

test('a K-TAG decode leads to all components in one zip, its encode to the single file', async () => {
  const slave = await portal.getSlave('ktag', 'KTG-000007');
  const read = seal(slave, { protocolId: 9000, mode: 'bootbench', images });
  const decoded = await ended(await uploadTo(anna, '/api/ktag/upload-read-backup', read));
  const notice = await noticeOf(anna, decoded);
  expect(notice).toMatchObject({
    asyncOperationType: 'KTAGDecode',
    targetURLFileName: 'components.zip',
    deviceSerialNumber: 'KTG-000007',
  });
  const zip = await fetch(new URL(notice.targetURL ?? '', anna.url));
  const sizes = [...readZip(await zip.bytes()).values()].map(({ length }) => length);
  expect(sizes.toSorted((one, other) => one - other)).toEqual([1024, 4096]);
  const encoded = await ended(
    await anna.post('/api/ktag/encode-backup', {
      ktagFileSlotGUID: decoded.slotGUID,
      notificationInfo: info,
    }),
  );
  const received = await noticeOf(luca, encoded);
  expect(received.targetURLFileName).toMatch(/\.unq$/);
  expect((await fetch(new URL(received.targetURL ?? '', luca.url))).status).toBe(200);
});

test('the utility unpacks and compacts, and uses these words', async () => {
  const slave = await portal.getSlave('kess3', 'KS3-000042');
  const read = seal(
    slave,
    { protocolId: 9000, mode: 'bootbench', images },
    { workflow: 'kess3-utility' },
  );
  const path = '/api/kess3/upload-read-file?fromUtility=true';
  const unpacked = await ended(await uploadTo(anna, path, read));
  expect((await noticeOf(anna, unpacked)).message).toBe('Backup unpacked');
  const compacted = await ended(
    await anna.post('/api/kess3/encode-boot-bench-file', {
      kess3FileSlotGUID: unpacked.slotGUID,
    }),
  );
  expect(await noticeOf(anna, compacted)).toMatchObject({
    asyncOperationType: 'KESS3Encode',
    message: 'Backup compacted',
  });
  const broken = await uploadTo(anna, path, new Uint8Array(100));
  const { guid } = started(broken);
  await anna.follow({ guid });
  expect((await noticeOf(anna, { guid })).message).toBe('The backup could not be unpacked');
});

test.each([
  ['ktag', 'KTG-000007', '/api/ktag/upload-read-backup'],
  ['kess3', 'KS3-000042', '/api/kess3/upload-read-file'],
] as const)(
  'a %s read that is named after its vehicle appears in notifications without the VIN',
  async (family, serial, path) => {
    const slave = await portal.getSlave(family, serial);
    const read = seal(slave, { protocolId: 9000, mode: 'bootbench', images });
    const grouped = `${vin.slice(0, 3)} ${vin.slice(3, 9)} ${vin.slice(9)}`;
    const decoded = await ended(await uploadTo(anna, path, read, `of ${grouped}.tfc`));
    expect((await noticeOf(anna, decoded)).longMessage).toBe(`of ….tfc · ${serial}`);
  },
);
