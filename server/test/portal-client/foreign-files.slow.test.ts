/**
 * `recodery remote` with files of a vendor's engine, which this program does not recognize: `--family` sends them
 * anyway.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type FakeVendor,
  readVendorEncoded,
  startFakeVendor,
  writeVendorRead,
} from '../fixtures/services/fake-vendor.ts';
import type { RunningPortal } from '../fixtures/running-portal.ts';
import { startVendorPortal } from '../fixtures/vendor-portal.ts';
import { sealImage } from '../journeys/families/kessv2-workflow.ts';
import { openRemote, type RemoteCommand, type Running } from './remote-command.ts';

const image = randomBytes(2000);
const read = writeVendorRead({ family: 'kess3', images: { OBD: image } });

let vendor: FakeVendor;
let portal: RunningPortal;
let remote: RemoteCommand;
/** Of all tests but the last: each writes its own files. */
let watch: Running;
beforeAll(async () => {
  vendor = await startFakeVendor();
  ({ portal } = await startVendorPortal(vendor));
  remote = await openRemote(portal.url, await portal.addClient());
  watch = remote.watch('--family', 'kess3');
});
afterAll(async () => {
  await remote.stop();
  await portal.stop();
  await vendor.stop();
});

const files = async (): Promise<string[]> => (await remote.list()).toSorted();

test('watch --family decodes a foreign file and encodes its modified file, even after a restart', async () => {
  await remote.write('car.slave', read);
  const { slot } = await remote.waitFor('car', 'decoded');
  expect(Buffer.compare(await remote.read('car.decoded.bin'), image)).toBe(0);
  watch.child.kill('SIGTERM');
  expect((await watch.ended).code).toBe(0);

  watch = remote.watch('--family', 'kess3');
  const modified = Buffer.from(image.toReversed());
  await remote.write('car.mod.bin', modified);
  const { encodes } = await remote.waitFor('car', 'encoded');
  const encoded = readVendorEncoded(await remote.read(encodes[0]?.file?.file ?? ''));
  expect(encoded.images['obd']).toBe(modified.toString('base64'));
  expect((await remote.waitFor('car', 'encoded')).slot).toBe(slot);

  // files written by watch itself are not sent
  await remote.write('last.slave', read);
  await remote.waitFor('last', 'decoded');
  const car = ['decoded.bin', 'encoded.moc', 'mod.bin', 'recodery.json', 'slave'];
  const last = ['decoded.bin', 'recodery.json', 'slave'];
  expect(await files()).toEqual([
    ...car.map((end) => `car.${end}`),
    ...last.map((end) => `last.${end}`),
  ]);
  expect(watch.said.complaint).toBe('');
});

test('watch --family does not touch original files, drafts or files of other programs', async () => {
  const others = ['van.original.bin', 'van-2.decoded.bin', 'van.encoded-3.moc', 'a.slave.part'];
  for (const name of others) await remote.write(name, read);
  for (const name of ['b.slave~', 'c.crdownload', 'd.tmp', 'Thumbs.db', 'desktop.ini', 'empty'])
    await remote.write(name, name === 'empty' ? '' : read);
  await remote.write('real.slave', read);
  await remote.waitFor('real', 'decoded');
  const left = [...others, 'b', 'c', 'd', 'Thumbs', 'desktop', 'empty'].map(
    (name) => name.split(/[-.]/)[0],
  );
  const records = (await files()).filter((name) => name.endsWith('.recodery.json'));
  expect(records).toContain('real.recodery.json');
  expect(records.filter((name) => left.includes(name.split(/[-.]/)[0]))).toEqual([]);
  expect(watch.said.complaint).toBe('');
});

test('watch --family still recognizes the files of Recodery', async () => {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  await remote.write('ours.tfc', sealImage(slave, 9000, image));
  await remote.waitFor('ours', 'decoded');
  expect(Buffer.compare(await remote.read('ours.decoded.bin'), image)).toBe(0);
});

test('watch --family reports a file that no engine accepts once, and accepts the corrected one', async () => {
  await remote.write('notes.txt', 'no read file');
  await remote.waitFor('notes', 'decode-failed');
  await expect.poll(() => watch.said.complaint).toMatch(/notes\.txt: not decoded: \S+/);
  await remote.write('notes.txt', read);
  const { previous } = await remote.waitFor('notes', 'decoded');
  expect(previous).toHaveLength(1);
  expect(watch.said.complaint.match(/not decoded/g)).toHaveLength(1);
});

test('watch without --family does not touch foreign files', async () => {
  const other = await openRemote(portal.url, await portal.addClient());
  const { said } = other.watch();
  await other.write('car.slave', read);
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  await other.write('ours.tfc', sealImage(slave, 9000, image));
  await other.waitFor('ours', 'decoded');
  expect(await other.record('car')).toBeNull();
  expect(said.complaint).toBe('');
  await other.stop();
});
