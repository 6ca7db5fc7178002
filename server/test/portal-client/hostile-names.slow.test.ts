/** `recodery remote watch` in a folder that others write to: links, names with control characters, false records. */
import { lstat, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptEncoded, type Slave } from '@recodery/codec/simulator/slave';
import { generateImage } from '@recodery/codec/sample-images/images';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { protocolOf, sealImage } from '../journeys/families/kessv2-workflow.ts';
import { openRemote, type RemoteCommand, type Running } from './remote-command.ts';

const image = generateImage(protocolOf(9000), 'obd', 1, 4096);

let portal: RunningPortal;
let slave: Slave;
let remote: RemoteCommand;
let watch: Running;
/** A folder that is not watched. */
let outside: string;
// all tests write to the same watched folder, each its own files
beforeAll(async () => {
  portal = await startTestPortal();
  slave = await portal.getSlave('kessv2', 'KV2-000007');
  outside = await mkdtemp(join(tmpdir(), 'recodery-outside-'));
  remote = await openRemote(portal.url, await portal.addClient());
  watch = remote.watch();
});
afterAll(async () => {
  await remote.stop();
  await portal.stop();
  await rm(outside, { recursive: true, force: true });
});

const read = (): Uint8Array => sealImage(slave, 9000, image);

/** Places a link in the watched folder to a new file outside. */
async function linkOut(name: string, bytes: Uint8Array | string): Promise<string> {
  const target = join(outside, name);
  await writeFile(target, bytes);
  await symlink(target, join(remote.folder, name));
  return target;
}

test('does not follow links for a read file or a modified file, and reports each once', async () => {
  await linkOut('away.tfc', read());
  await linkOut('car.mod.bin', image.toReversed());
  await symlink(join(outside, 'nothing'), join(remote.folder, 'dangling.tfc'));
  await symlink(outside, join(remote.folder, 'folder'));
  await remote.write('car.tfc', read());
  await remote.waitFor('car', 'decoded');
  await remote.write('last.tfc', read());
  await remote.waitFor('last', 'decoded');
  expect((await remote.waitFor('car', 'decoded')).encodes).toEqual([]);
  expect(await remote.record('away')).toBeNull();
  for (const name of ['away.tfc', 'car.mod.bin', 'dangling.tfc'])
    expect(watch.said.complaint.split(`${name} is a symbolic link`)).toHaveLength(2);

  // replaced by the files themselves, both are used
  await rm(join(remote.folder, 'away.tfc'));
  await remote.write('away.tfc', read());
  await rm(join(remote.folder, 'car.mod.bin'));
  await remote.write('car.mod.bin', image.toReversed());
  await remote.waitFor('away', 'decoded');
  await remote.waitFor('car', 'encoded');
});

test('does not write through links or replace them', async () => {
  const targets = [
    await linkOut('mine.decoded.bin', 'mine'),
    await linkOut('other.recodery.json', 'mine'),
  ];
  // the same content as the decoded image, but not in this folder
  await linkOut('mine-2.decoded.bin', image);
  await remote.write('mine.tfc', read());
  await remote.write('other.tfc', read());
  const { decode } = await remote.waitFor('mine', 'decoded');
  expect(decode.files.map(({ file }) => file)).toEqual(['mine-3.decoded.bin']);
  await expect.poll(() => watch.said.complaint).toContain('other.recodery.json');
  for (const target of targets) expect(await readFile(target, 'utf8')).toBe('mine');
  for (const name of ['mine.decoded.bin', 'other.recodery.json'])
    expect((await lstat(join(remote.folder, name))).isSymbolicLink()).toBe(true);
});

test('decodes files whose names have control characters, and uses none of these characters', async () => {
  const name = 'car\n2026-01-01T00:00:00Z fake.tfc: decoded\u001b[2J\u202e';
  await remote.write(`${name}.tfc`, read());
  const safe = 'car_2026-01-01T00:00:00Z fake.tfc: decoded_[2J_';
  const { decode } = await remote.waitFor(safe, 'decoded');
  expect(decode.files.map(({ file }) => file)).toEqual([`${safe}.decoded.bin`]);
  await remote.write(`${safe}.mod.bin`, image.toReversed());
  const { encodes } = await remote.waitFor(safe, 'encoded');
  const file = await remote.read(encodes[0]?.file?.file ?? '');
  const [written] = acceptEncoded({ ...slave, file }).components;
  expect(Buffer.compare(written?.bytes ?? image, image.toReversed())).toBe(0);

  await remote.write('bad\u0007.tfc', read().subarray(0, 2000));
  await remote.waitFor('bad_', 'decode-failed');
  await expect.poll(() => watch.said.complaint).toContain('bad\\u0007.tfc: not decoded');
  const { out, complaint } = watch.said;
  expect(out).toContain('car\\u000a2026-01-01T00:00:00Z fake.tfc: decoded\\u001b[2J\\u202e.tfc');
  // every line is a separate event
  for (const line of [...out.trimEnd().split('\n'), ...complaint.trimEnd().split('\n')])
    expect(line).toMatch(/^[0-9T:-]{19}Z [^\p{Cc}\u202e]+$/u);
  const ours = (await remote.list()).filter((one) => /\.(json|decoded\.bin|moc)$/.test(one));
  expect(ours.filter((one) => /[\p{Cc}\u202e]/u.test(one))).toEqual([]);
});

test('loses none of several files whose names differ only in control characters', async () => {
  const names = ['car_.tfc', 'car\u0001.tfc', 'car\u0002.tfc', 'car\u0003.tfc'];
  for (const name of names) await remote.write(name, read());
  const records = ['car_', 'car_.tfc', 'car_.tfc-2', 'car_.tfc-3'];
  const decoded = await Promise.all(records.map((name) => remote.waitFor(name, 'decoded')));
  const taken = decoded.map((record) => (record.read as unknown as { file: string }).file);
  expect(taken.toSorted()).toEqual(names.toSorted());
});

test('ignores paths in a record, and records whose names have control characters', async () => {
  await remote.write('seen.tfc', read());
  await remote.waitFor('seen', 'decoded');
  const record = JSON.parse((await remote.read('seen.recodery.json')).toString()) as {
    read: { file: string };
  };
  const target = join(outside, 'secret.tfc');
  await writeFile(target, read());
  const paths = [target, `../${outside.split('/').at(-1)}/secret.tfc`, '..', ''];
  for (const [at, file] of paths.entries()) {
    const forged = { ...record, outcome: 'decoding', read: { ...record.read, file } };
    await remote.write(`forged-${at}.recodery.json`, JSON.stringify(forged));
  }
  await remote.write('a\u0007b.recodery.json', JSON.stringify(record));
  const reports = [...paths.keys()].map((at) => `forged-${at}.recodery.json is damaged`);
  for (const report of ['a\\u0007b.recodery.json has control characters', ...reports])
    await expect.poll(() => watch.said.complaint).toContain(report);
});

/** A stem of the longest possible name of a read file, and the name that the files next to it get. */
const longest: readonly (readonly [string, string, string])[] = [
  ['letters of one byte', 'a'.repeat(251), 'a'.repeat(220)],
  ['letters of two bytes', 'ä'.repeat(125), 'ä'.repeat(110)],
];
const longestInEachRun = [
  'letters of four bytes',
  `a${'🚗'.repeat(62)}`,
  `a${'🚗'.repeat(54)}`,
] as const;

async function expectLongName(_: string, stem: string, name: string): Promise<void> {
  await remote.write(`${stem}.tfc`, read());
  const { decode } = await remote.waitFor(name, 'decoded');
  expect(decode.files.map(({ file }) => file)).toEqual([`${name}.decoded.bin`]);
  await remote.write(`${name}.mod.bin`, image.toReversed());
  const { encodes } = await remote.waitFor(name, 'encoded');
  expect(encodes.at(-1)?.file?.file).toBe(`${name}.encoded.moc`);
  // another read file whose name begins in the same way
  await remote.write(`${stem.slice(0, -2)}.tfc`, read());
  await remote.waitFor(`${name}-2`, 'decoded');
}
test.each([longestInEachRun])(
  'decodes and encodes read files with the longest possible name, of %s',
  expectLongName,
);
test.each(longest)(
  'decodes and encodes read files with the longest possible name, of %s',
  { tags: 'release' },
  expectLongName,
);
