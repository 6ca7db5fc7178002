/** The operator removes devices that are in use: a decode succeeds, and an encode says what is missing. */
import { randomBytes } from 'node:crypto';
import type { Operation } from '@recodery/contract/features/operations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  applyDirectory,
  applyDirectoryWithin,
} from '../../src/organisations/directory/directory.ts';
import type { DirectoryFile } from '../../src/organisations/directory/directory-file.ts';
import { someRead, upload } from '../engine/encoding-api/vendor-workflow.ts';
import type { Client } from '../fixtures/client.ts';
import {
  type FakeVendor,
  startFakeVendor,
  writeVendorRead,
} from '../fixtures/services/fake-vendor.ts';
import type { RunningPortal } from '../fixtures/running-portal.ts';
import { untilBlocked } from '../fixtures/database/until-blocked.ts';
import { startVendorPortal } from '../fixtures/vendor-portal.ts';
import {
  decode,
  keepImage,
  sealImage,
  started,
  uploadRead,
} from '../journeys/families/kessv2-workflow.ts';

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

type Organisation = NonNullable<DirectoryFile['organisations']>[number];
type Masters = NonNullable<Organisation['groupCodes']>[number]['masters'];

/** A directory file that changes only these group codes. */
const onlyGroups = (groupCodes: Organisation['groupCodes']): DirectoryFile => ({
  organisations: [{ customerCode: 'CC-1001', name: 'Officina Demo', groupCodes }],
});
const removed = { changes: [{ action: 'remove' }] };

/** The end of a decode, and the devices that its slot refers to. */
async function readEnd(operation: Operation) {
  const { error, slotGUID } = await anna.follow(operation);
  const { master_device_guid, slave_device_guid, slave_serial_number, facts } =
    await portal.platform.db
      .selectFrom('slot')
      .selectAll()
      .where('guid', '=', slotGUID ?? '')
      .executeTakeFirstOrThrow();
  return {
    error,
    isDescribed: facts !== null,
    hasMaster: master_device_guid !== null,
    hasSlave: slave_device_guid !== null,
    slave: slave_serial_number,
  };
}

test('a slave that is being removed is recorded by its serial number only', async () => {
  const { platform } = portal;
  const serial = 'KV2-000007';
  const slave = await portal.getSlave('kessv2', serial);
  await portal.stopWorker();
  const operation = started(
    await uploadRead(anna, sealImage(slave, 9000, new Uint8Array(randomBytes(4096)))),
  );
  const masters: Masters = [
    { family: 'kessv2', serial: 'KV2-M-0001', slaves: [{ serial, remove: true }] },
  ];
  await platform.db.transaction().execute(async (trx) => {
    const file = onlyGroups([{ code: 'G-10', masters }]);
    expect(await applyDirectoryWithin(trx, platform.secrets, file)).toMatchObject(removed);
    // the worker still finds the slave, and waits when it records it
    await portal.startWorker();
    await untilBlocked(platform.db, 'lock_end');
  });
  expect(await readEnd(operation)).toEqual({
    error: null,
    isDescribed: true,
    hasMaster: true,
    hasSlave: false,
    slave: serial,
  });
});

test("the master of a vendor's engine can be removed while its read is uploaded", async () => {
  const { platform } = portal;
  const master = { family: 'ktag', serial: 'ktag-of-the-vendor', remove: true } as const;
  const file = onlyGroups([{ code: 'G-V', masters: [master] }]);
  const { uploading } = await platform.db.transaction().execute(async (trx) => {
    expect(await applyDirectoryWithin(trx, platform.secrets, file)).toMatchObject(removed);
    // the upload still finds the master, and waits when it records it
    const bytes = writeVendorRead({ family: 'ktag', images: { Flash: randomBytes(4000) } });
    const uploading = upload(anna, 'ktag', bytes);
    await untilBlocked(platform.db, 'master_device', uploading);
    return { uploading };
  });
  expect(await readEnd(started(await uploading))).toMatchObject({ error: null, hasMaster: false });
});

test('the slave of an encode that is being removed is reported as not found', async () => {
  const { platform } = portal;
  const serial = 'KV2-000008';
  const ofMaster = (slave: object): DirectoryFile =>
    onlyGroups([
      {
        code: 'G-10',
        masters: [{ family: 'kessv2', serial: 'KV2-M-0001', slaves: [{ serial, ...slave }] }],
      },
    ]);
  const added = await applyDirectory(platform, ofMaster({}));
  expect(added).toMatchObject({ changes: [{ action: 'add' }] });
  const slave = await portal.getSlave('kessv2', serial);
  const image = new Uint8Array(randomBytes(4096));
  const { kessv2SlotGUID } = await decode(anna, sealImage(slave, 9000, image));
  const { fileGUID } = await keepImage(anna, 'modified', kessv2SlotGUID, image.toReversed());
  await portal.stopWorker();
  const request = { kessv2FileSlotGUID: kessv2SlotGUID, modifiedFileGUID: fileGUID };
  const encoding = started(await anna.post('/api/kessv2/encode-file', request));
  await platform.db.transaction().execute(async (trx) => {
    const file = ofMaster({ remove: true });
    expect(await applyDirectoryWithin(trx, platform.secrets, file)).toMatchObject(removed);
    // the worker still finds the slave, and waits when it takes the number of the file
    await portal.startWorker();
    await untilBlocked(platform.db, 'last_number');
  });
  const { error } = await anna.follow(encoding);
  expect(error).toMatchObject({ cause: 'TOOL_NOT_FOUND' });
});

test("the master of a vendor's engine that has been removed is not recorded", async () => {
  const { platform } = portal;
  vendor.polls = Number.POSITIVE_INFINITY;
  const operation = started(await upload(anna, 'kess3', someRead().bytes));
  const isPolling = (): boolean =>
    vendor.requests.some((line) => line.includes('async-operations'));
  await expect.poll(isPolling).toBe(true);
  const masters: Masters = [{ family: 'kess3', serial: 'kess3-of-the-vendor', remove: true }];
  const file = onlyGroups([{ code: 'G-V', masters }]);
  expect(await applyDirectory(platform, file)).toMatchObject(removed);
  vendor.polls = 1;
  expect(await readEnd(operation)).toEqual({
    error: null,
    isDescribed: true,
    hasMaster: false,
    hasSlave: false,
    slave: null,
  });
});
