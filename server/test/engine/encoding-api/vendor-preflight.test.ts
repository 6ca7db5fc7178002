/** The pre-flight of a slot that the engine of a vendor decoded: what the portal cannot tell is never green. */
import { randomBytes } from 'node:crypto';
import { preflightAnswer } from '@recodery/contract/features/recoding/preflight';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../fixtures/client.ts';
import {
  type FakeVendor,
  startFakeVendor,
  writeVendorRead,
} from '../../fixtures/services/fake-vendor.ts';
import type { RunningPortal } from '../../fixtures/running-portal.ts';
import { startVendorPortal } from '../../fixtures/vendor-portal.ts';
import { decode, keep } from './vendor-workflow.ts';

let vendor: FakeVendor;
let portal: RunningPortal;
let anna: Client;

beforeAll(async () => {
  vendor = await startFakeVendor();
  ({ portal, anna } = await startVendorPortal(vendor));
});
afterAll(async () => {
  await portal.stop();
  await vendor.stop();
});

async function statuses(slot: string, family = 'kessv2') {
  const answer = await anna.get(`/api/${family}/slots/${slot}/preflight`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  const { status, checks } = preflightAnswer.parse(answer.json);
  return { status, checks: Object.fromEntries(checks.map((one) => [one.id, one.status])) };
}

// promise 5.preflight.unchecked
test('reports checksums, CVN and identification as not checked, and checks what it can compare', async () => {
  const image = randomBytes(3000);
  const bytes = writeVendorRead({ family: 'kessv2', images: { OBD: image } });
  const { slotGUID } = await decode(anna, 'kessv2', bytes);
  const path = `/api/kessv2/upload-modified-file/${slotGUID}`;
  const modified = Buffer.from(image);
  modified.writeUInt8((image.readUInt8(7) + 1) & 0xff, 7);
  await keep(anna, path, 'modifiedFile', modified);
  const unchecked = 'unchecked';
  const unknown = {
    identification: unchecked,
    'read-checksums': unchecked,
    checksums: unchecked,
    'known-checksums': unchecked,
    overwritten: unchecked,
    cvn: unchecked,
    'outside-calibration': unchecked,
    'already-tuned': unchecked,
  };
  const known = { files: 'green', size: 'green', 'known-elsewhere': 'green' };
  expect(await statuses(slotGUID)).toEqual({
    status: 'green',
    checks: { ...known, ...unknown, identical: 'green', 'much-changed': 'green' },
  });
  await keep(anna, path, 'modifiedFile', image);
  expect(await statuses(slotGUID)).toEqual({
    status: 'amber',
    checks: { ...known, ...unknown, identical: 'amber', 'much-changed': 'green' },
  });
});

// promise 5.preflight.unchecked
test('reports a maps file as not checked beside a modified image', async () => {
  const flash = randomBytes(3000);
  const images = { Flash: flash, MapFile: randomBytes(200) };
  const { slotGUID } = await decode(anna, 'kess3', writeVendorRead({ family: 'kess3', images }));
  const modified = Buffer.from(flash);
  modified.writeUInt8((flash.readUInt8(7) + 1) & 0xff, 7);
  expect((await statuses(slotGUID, 'kess3')).checks).not.toHaveProperty('map-file');
  await keep(anna, `/api/kess3/upload-modified-file/${slotGUID}/Flash`, 'file', modified);
  expect((await statuses(slotGUID, 'kess3')).checks['map-file']).toBe('unchecked');
});

// promise 5.preflight.original
test('compares an uploaded original with the decoded image', async () => {
  const image = randomBytes(3000);
  const bytes = writeVendorRead({ family: 'kessv2', images: { OBD: image } });
  const { slotGUID } = await decode(anna, 'kessv2', bytes);
  const modified = Buffer.from(image);
  modified.writeUInt8((image.readUInt8(7) + 1) & 0xff, 7);
  await keep(anna, `/api/kessv2/upload-modified-file/${slotGUID}`, 'modifiedFile', modified);
  const path = `/api/kessv2/upload-original-file/${slotGUID}`;
  await keep(anna, path, 'originalFile', modified);
  const wrong = await statuses(slotGUID);
  expect([wrong.status, wrong.checks['original']]).toEqual(['amber', 'amber']);
  await keep(anna, path, 'originalFile', image);
  const right = await statuses(slotGUID);
  expect([right.status, right.checks['original']]).toEqual(['green', 'green']);
});
