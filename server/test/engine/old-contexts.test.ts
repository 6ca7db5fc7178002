/** What a version before migration 0060 has stored with a slot and an operation, unencrypted, is still used. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeVendor, startFakeVendor } from '../fixtures/services/fake-vendor.ts';
import { startVendorPortal, type VendorPortal } from '../fixtures/vendor-portal.ts';
import {
  bytesOf,
  decode,
  encodeObdEnd,
  readEncoded,
  someRead,
  upload,
} from './encoding-api/vendor-workflow.ts';
import { started } from '../journeys/families/kessv2-workflow.ts';

let vendor: FakeVendor;
let portal: VendorPortal;
beforeAll(async () => {
  vendor = await startFakeVendor();
  portal = await startVendorPortal(vendor);
});
afterAll(async () => {
  await portal.portal.stop();
  await vendor.stop();
});

const remoteSlots = (): readonly string[] => [...vendor.slots.keys()];

function findSlot(guid: string) {
  return portal.portal.platform.db
    .selectFrom('slot')
    .where('guid', '=', guid)
    .select(['engine_context as sealed', 'remote_slot_guid as old'])
    .executeTakeFirstOrThrow();
}

test('an old slot is encoded, and its context is encrypted from then on', async () => {
  const { anna } = portal;
  const { db } = portal.portal.platform;
  const { image, bytes } = someRead();
  const { slotGUID } = await decode(anna, 'kess3', bytes);
  const [slot = ''] = remoteSlots();
  expect(await findSlot(slotGUID)).toMatchObject({ old: null });
  await db
    .updateTable('slot')
    .set({ engine_context: null, remote_slot_guid: slot })
    .where('guid', '=', slotGUID)
    .execute();
  const modified = randomBytes(image.length);
  const ended = await encodeObdEnd(anna, slotGUID, modified);
  expect(bytesOf((await readEncoded(anna, ended)).images['obd'])).toEqual(modified);
  const { sealed, old } = await findSlot(slotGUID);
  expect(old).toBeNull();
  expect(sealed?.includes(slot)).toBe(false);
  expect(remoteSlots()).toEqual([slot]);
});

test('an operation that an old worker has begun at the vendor is continued, and begun once', async () => {
  const { anna, portal: running } = portal;
  const { db } = running.platform;
  vendor.requests.length = 0;
  vendor.polls = Number.POSITIVE_INFINITY;
  const { guid, slotGUID } = started(await upload(anna, 'kess3', someRead().bytes));
  const polled = (): string | undefined =>
    vendor.requests.flatMap((line) => /async-operations\/(\S+)/.exec(line)?.[1] ?? [])[0];
  await expect.poll(polled).toBeDefined();
  await running.stopWorker();
  const old = { operationGuid: polled(), fileGuids: {} };
  await db
    .updateTable('operation')
    .set({ engine_context: null, remote: JSON.stringify(old) })
    .where('guid', '=', guid)
    .execute();
  await db
    .updateTable('slot')
    .set({ engine_context: null, remote_slot_guid: remoteSlots().at(-1) ?? '' })
    .where('guid', '=', String(slotGUID))
    .execute();
  vendor.polls = 1;
  await running.startWorker();
  expect((await anna.follow({ guid })).error).toBeNull();
  expect(vendor.requests.filter((line) => line.includes('decode-read-file'))).toHaveLength(1);
});
