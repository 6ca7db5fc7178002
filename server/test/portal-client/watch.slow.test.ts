/** `recodery remote watch` on a running portal: which files it takes and when, their names, and what it reports. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AddedClient,
  type RunningPortal,
  startTestPortal,
} from '../fixtures/running-portal.ts';
import { acceptEncoded, type Slave } from '@recodery/codec/simulator/slave';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { beforeAll, afterAll, expect, test } from 'vitest';
import { Program } from '../encoding-api/program.ts';
import { expectImages, imagesOf, seal } from '../journeys/families/component-workflow.ts';
import { protocolOf, sealImage } from '../journeys/families/kessv2-workflow.ts';
import { openRemote, type RemoteCommand, type Running } from './remote-command.ts';

const image = generateImage(protocolOf(9000), 'obd', 1, 4096);

let portal: RunningPortal;
let slave: Slave;
let client: AddedClient;
let remote: RemoteCommand;
let watch: Running;
// all tests write to the same watched folder, each its own files
beforeAll(async () => {
  // every piece of work must close its slot before the next can start
  portal = await startTestPortal({ RECODERY_OPEN_SLOTS: '1' });
  slave = await portal.getSlave('kessv2', 'KV2-000007');
  client = await portal.addClient();
  remote = await openRemote(portal.url, client);
  watch = remote.watch();
});
afterAll(async () => {
  await remote.stop();
  await portal.stop();
});

const read = (bytes = image): Uint8Array => sealImage(slave, 9000, bytes);

/** The images in an encoded file of the folder, as the slave writes them. */
async function written(name: string | undefined, key = slave) {
  const { components } = acceptEncoded({ ...key, file: await remote.read(name ?? '') });
  return new Map(components.map((one) => [one.name, one.bytes]));
}

// promise e2.remote.watch
test('decodes a file only when it no longer grows, and ignores other files', async () => {
  const whole = read();
  let length = 100;
  let growing = Promise.resolve();
  const grow = setInterval(() => {
    length += 1;
    const longer = whole.subarray(0, length);
    growing = growing.then(() => remote.write('slow.tfc', longer)).catch(() => undefined);
  }, 100);
  await remote.write('image.bin', image);
  await remote.write('quick.tfc', read());
  await remote.waitFor('quick', 'decoded');
  clearInterval(grow);
  await growing;
  await remote.write('slow.tfc', whole);
  const { previous } = await remote.waitFor('slow', 'decoded');
  expect(previous).toEqual([]);
  expect(watch.said.complaint).toBe('');
  expect((await remote.list()).toSorted()).toEqual([
    'image.bin',
    ...['quick', 'slow'].flatMap((name) => [
      `${name}.decoded.bin`,
      `${name}.recodery.json`,
      `${name}.tfc`,
    ]),
  ]);
});

test('decodes a file again when it was completed after a long pause', async () => {
  const whole = read();
  await remote.write('paused.tfc', whole.subarray(0, 2000));
  await remote.waitFor('paused', 'decode-failed');
  await expect.poll(() => watch.said.complaint).toMatch(/paused\.tfc: not decoded: [A-Z_]+/);
  await remote.write('paused.tfc', whole);
  const { previous } = await remote.waitFor('paused', 'decoded');
  expect(previous).toHaveLength(1);
});

// promise e2.remote.overwrites
test('never overwrites a file: new files get free names', async () => {
  await remote.write('taken.decoded.bin', 'mine');
  await remote.write('taken.encoded.moc', 'mine as well');
  await remote.write('taken.tfc', read());
  // another read file with the same name except for its extension
  await remote.write('taken.dat', read());
  await remote.write('taken.tfc.mod.bin', image.toReversed());
  const decoded = await remote.waitFor('taken', 'decoded');
  expect(decoded.decode.files.map(({ file }) => file)).toEqual(['taken-2.decoded.bin']);
  const { encodes } = await remote.waitFor('taken.tfc', 'encoded');
  expectImages(await written(encodes[0]?.file?.file), new Map([['obd', image.toReversed()]]));
  expect((await remote.read('taken.decoded.bin')).toString()).toBe('mine');
  expect((await remote.read('taken.encoded.moc')).toString()).toBe('mine as well');
});

test('refuses a modified file of the wrong size, and accepts the corrected one', async () => {
  await remote.write('wrong.tfc', read());
  await remote.write('wrong.mod.bin', image.subarray(1));
  const refused = await remote.waitFor('wrong', 'encode-failed');
  expect(refused.encodes[0]?.error).toMatch(/^wrong\.mod\.bin: [A-Z_]+ \(status 400\)$/);
  await expect
    .poll(() => watch.said.complaint)
    .toContain(`wrong.mod.bin: not encoded: ${refused.encodes[0]?.error}`);
  await remote.write('wrong.mod.bin', image.toReversed());
  await remote.waitFor('wrong', 'encoded', 2);
  const again = await remote.waitFor('wrong', 'encoded', 2);
  expect(again.encodes).toHaveLength(2);
  expectImages(await written('wrong.encoded.moc'), new Map([['obd', image.toReversed()]]));
  // a later version gets its own name
  const third = new Uint8Array(image).fill(7, 1000, 1100);
  await remote.write('wrong.mod.bin', third);
  const { encodes } = await remote.waitFor('wrong', 'encoded', 3);
  expect(encodes[2]?.file?.file).toBe('wrong.encoded-2.moc');
  expectImages(await written('wrong.encoded-2.moc'), new Map([['obd', third]]));
});

// promise e2.remote.watch
test('encodes components; those that are not modified stay as they were read', async () => {
  const images = imagesOf(9000, 2, { flash: 65_536, eeprom: 1024 });
  const kess3 = await portal.getSlave('kess3', 'KS3-000042');
  await remote.write('bench.tfc', seal(kess3, { protocolId: 9000, mode: 'bootbench', images }));
  await remote.write('bench.mod.bin', 'no component');
  await remote.waitFor('bench', 'decoded');
  await expect
    .poll(() => watch.said.complaint)
    .toContain('bench.mod.bin is not encoded: save it as bench.flash.mod.bin, ');
  const eeprom = (images.get('eeprom') ?? new Uint8Array()).toReversed();
  await remote.write('bench.eeprom.mod.bin', eeprom);
  const { encodes } = await remote.waitFor('bench', 'encoded');
  expectImages(
    await written(encodes[0]?.file?.file, kess3),
    new Map([...images, ['eeprom', eeprom]]),
  );
});

test('encodes with the original that a read needs, as soon as it is saved', async () => {
  const protocol = protocolOf(1002);
  const original = generateImage(protocol, 'obd', 11);
  const parts = { identificationOnly: true, information: {} };
  await remote.write('needing.tfc', sealImage(slave, 1002, original, parts));
  await remote.write('needing.mod.bin', tuneImage(protocol, 'obd', original, 12));
  const refused = await remote.waitFor('needing', 'encode-failed');
  expect(refused.decode.files).toEqual([]);
  expect(refused.encodes[0]?.error).toBe('FILE_NOT_COMPATIBLE_WITH_READ_FILE (status 400)');
  await remote.write('needing.original.bin', original);
  await remote.waitFor('needing', 'encoded', 2);
  expect((await written('needing.encoded.moc')).get('obd')).toHaveLength(original.length);
});

test('waits until the client has fewer open slots', async () => {
  const program = new Program(portal, client);
  const path = '/api/kessv2/decode-read-file/C-1';
  const { slotGUID } = await program.succeed(await program.decode(path, read()));
  await remote.write('busy.tfc', read());
  await expect
    .poll(() => watch.said.complaint)
    .toContain('The portal is busy: TOO_MANY_OPEN_SLOTS. Retrying.');
  await program.post(`/api/kessv2/file-slots/${slotGUID}/close`);
  await remote.waitFor('busy', 'decoded');
});

test('decodes again when its record is deleted', async () => {
  await remote.write('deleted.tfc', read());
  const { slot } = await remote.waitFor('deleted', 'decoded');
  await rm(join(remote.folder, 'deleted.recodery.json'));
  const again = await remote.waitFor('deleted', 'decoded');
  expect(again.slot).not.toBe(slot);
  // the same image is not stored twice
  expect(again.decode.files.map(({ file }) => file)).toEqual(['deleted.decoded.bin']);
});

// promise e2.remote.ends
test('gets a new token, and exits when the client is revoked', async () => {
  await expect.poll(() => watch.said.out).toContain('connected');
  const { db } = portal.platform;
  await db.deleteFrom('access_token').where('client_guid', '=', client.guid).execute();
  await remote.write('renewed.tfc', read());
  await remote.waitFor('renewed', 'decoded');

  await db
    .updateTable('client_application')
    .set({ revoked_on: new Date() })
    .where('guid', '=', client.guid)
    .execute();
  await remote.write('next.tfc', read());
  const { code, complaint } = await watch.ended;
  expect(code).toBe(1);
  expect(complaint).toContain('INVALID_CREDENTIALS (status 403)');
});
