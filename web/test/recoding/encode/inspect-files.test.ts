/** What the page finds in dropped files and zip archives, without sending anything. */
import { BlockSums, blockBytesOf, type PartFingerprint } from '@recodery/contract/fingerprints';
import { magic } from '@recodery/contract/recognize';
import { describe, expect, test } from 'vitest';
import { inspectImages } from '../../../src/features/recoding/encode/dropped-files/inspect-files.ts';
import { unzipAll } from '../../../src/api/files/read-zip.ts';
import { type ZipEntry, zipOf } from '../zip-of.ts';

const never = new AbortController().signal;

function bytesOf(seed: number, length: number): Uint8Array<ArrayBuffer> {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  });
}

function partOf(part: string, image: Uint8Array): PartFingerprint {
  const blockBytes = blockBytesOf(image.length);
  const sums = new BlockSums(blockBytes);
  sums.add(image);
  const fingerprint = { of: 'decoded', size: image.length, blockBytes, sums: sums.end() } as const;
  return { part, sizes: [image.length], fingerprint };
}

const flash = bytesOf(1, 3_000_000);
const eeprom = bytesOf(2, 4096);
const parts = [partOf('Flash', flash), partOf('EEPROM', eeprom)];

async function inspect(...files: readonly File[]) {
  const found = await inspectImages(files, parts, { maxFileBytes: 4_000_000, signal: never });
  return {
    images: found.images.map(({ name, from, likeness }) => ({
      name,
      from,
      likeness: Object.fromEntries(likeness),
    })),
    misfits: found.misfits.map(({ name, reason, copyOf }) => [name, reason, copyOf]),
  };
}

async function tuneOf(...entries: readonly ZipEntry[]): Promise<File> {
  return new File([await zipOf(...entries)], 'tune.zip');
}

// promise 2.places.likeness
test('measures how similar a file is to the parts of its size', async () => {
  const tuned = Uint8Array.from(flash);
  for (let block = 0; block < 41; block += 1)
    tuned[block * 1465 * 50] = (tuned[block * 1465 * 50] ?? 0) ^ 1;
  const found = await inspect(new File([tuned], 'a.bin'), new File([eeprom], 'b.bin'));
  expect(found.misfits).toEqual([]);
  expect(found.images).toEqual([
    { name: 'a.bin', from: null, likeness: { Flash: expect.closeTo(0.98, 3) } },
    { name: 'b.bin', from: null, likeness: { EEPROM: 1 } },
  ]);
});

// promise 2.places.misfits
test('names what fits nowhere, with the reason', async () => {
  const sealed = new Uint8Array(100);
  sealed.set(magic);
  sealed.set([1, 1], 10);
  const unreadable = new File([eeprom], 'folder');
  unreadable.slice = () => {
    throw new DOMException('A requested file could not be read', 'NotReadableError');
  };
  const found = await inspect(
    new File([sealed], 'read.tfc'),
    new File([bytesOf(3, 100)], 'short.bin'),
    new File([], 'empty.bin'),
    new File([new Uint8Array(5_000_000)], 'large.bin'),
    new File([Uint8Array.of(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c)], 'tune.7z'),
    unreadable,
    new File([eeprom], 'one.bin'),
    new File([eeprom], 'two.bin'),
  );
  expect(found.images.map(({ name }) => name)).toEqual(['one.bin']);
  expect(found.misfits).toEqual([
    ['read.tfc', 'sealed', null],
    ['short.bin', 'size', null],
    ['empty.bin', 'empty', null],
    ['large.bin', 'large', null],
    ['tune.7z', 'archive', null],
    ['folder', 'unreadable', null],
    ['two.bin', 'copy', 'one.bin'],
  ]);
});

test('inspects sixteen files at most', async () => {
  const files = Array.from({ length: 17 }, (_, at) => new File([bytesOf(at, 9)], `${at}.bin`));
  const { misfits } = await inspect(...files);
  expect(misfits.at(15)).toEqual(['15.bin', 'size', null]);
  expect(misfits.at(16)).toEqual(['16.bin', 'many', null]);
});

describe('a zip archive', () => {
  // promise 2.places.zip
  test('is unpacked; folders and hidden files are ignored', async () => {
    const zip = await tuneOf(
      { path: 'tune/' },
      { path: 'tune/flash.bin', bytes: flash },
      { path: '__MACOSX/tune/._flash.bin', bytes: bytesOf(1, 9) },
      { path: 'tune/.DS_Store', bytes: bytesOf(1, 9) },
      { path: 'tune/Thumbs.db', bytes: bytesOf(1, 9) },
      { path: 'eeprom.bin', bytes: eeprom },
    );
    const found = await inspect(zip);
    expect(found.misfits).toEqual([]);
    expect(found.images).toEqual([
      { name: 'flash.bin', from: 'tune.zip', likeness: { Flash: 1 } },
      { name: 'eeprom.bin', from: 'tune.zip', likeness: { EEPROM: 1 } },
    ]);
  });

  // promise 2.places.zip-bomb
  test('that is encrypted, damaged or empty is named with the reason', async () => {
    const locked = await tuneOf({ path: 'a.bin', bytes: eeprom, password: 'secret' });
    const whole = await tuneOf({ path: 'a.bin', bytes: eeprom });
    const cut = new File([whole.slice(0, -30)], 'cut.zip');
    const bytes = new Uint8Array(await whole.arrayBuffer());
    bytes[60] = (bytes[60] ?? 0) ^ 0xff;
    const damaged = new File([bytes], 'damaged.zip');
    const empty = await tuneOf({ path: 'folder/' });
    const { images, misfits } = await inspect(locked, cut, damaged, empty);
    expect(images).toEqual([]);
    expect(misfits.map(([, reason]) => reason)).toEqual([
      'zipEncrypted',
      'zipBroken',
      'zipBroken',
      'zipEmpty',
    ]);
  });

  // promise 2.places.zip-bomb
  test('with too many files is not unpacked', async () => {
    const entries = Array.from({ length: 17 }, (_, at) => ({ path: `${at}`, bytes: eeprom }));
    expect((await inspect(await tuneOf(...entries))).misfits).toEqual([
      ['tune.zip', 'zipFiles', null],
    ]);
    const hidden = Array.from({ length: 501 }, (_, at) => ({ path: `.${at}`, bytes: eeprom }));
    expect((await inspect(await tuneOf(...hidden))).misfits).toEqual([
      ['tune.zip', 'zipFiles', null],
    ]);
  });

  // promise 2.places.zip-bomb
  test('that unpacks to more than it may, or than it declares, is not unpacked', async () => {
    const bounds = { files: 16, bytes: 1_000_000 };
    const large = await tuneOf({ path: 'a.bin', bytes: new Uint8Array(1_000_001) });
    await expect(unzipAll(large, bounds, never)).rejects.toMatchObject({ reason: 'zipBytes' });
    // both the local header and the directory declare 10 bytes
    const lying = new Uint8Array(await large.arrayBuffer());
    const view = new DataView(lying.buffer);
    for (let at = 0; at < lying.length - 4; at += 1) {
      if (view.getUint32(at, true) === 1_000_001) view.setUint32(at, 10, true);
    }
    const liar = new File([lying], 'lying.zip');
    await expect(unzipAll(liar, bounds, never)).rejects.toMatchObject({ reason: 'zipBroken' });
  });

  test('is not opened inside of another archive', async () => {
    const inner = await zipOf({ path: 'a', bytes: eeprom });
    const found = await inspect(await tuneOf({ path: 'inner.zip', bytes: inner }));
    expect(found.misfits).toEqual([['inner.zip', 'archive', null]]);
  });
});
