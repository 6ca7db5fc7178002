/** Maps files: written, read, and refused for any damage. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CodecError } from '../../src/errors.ts';
import { generateImage } from '../../src/sample-images/images.ts';
import { type ListedMap, readMapFile, writeMapFile } from '../../src/protocols/map-file.ts';
import { findProtocol } from '../../src/protocols/protocols.ts';

const imageSize = 0x10000;
const maps: readonly ListedMap[] = [
  { name: 'TORQUE-000', address: 0x8000, columns: 16, rows: 16, unit: 2 },
  { name: 'LAST', address: imageSize - 8, columns: 8, rows: 1, unit: 1 },
];

/** The file with one byte set; offsets are those of the format's description. */
function withByte(at: number, value: number): Uint8Array {
  const bytes = writeMapFile(maps, imageSize);
  bytes[at] = value;
  return bytes;
}

describe('a maps file', () => {
  test('returns the maps that were written to it', () => {
    expect(readMapFile(writeMapFile(maps, imageSize), imageSize)).toEqual(maps);
  });

  test('of the reference protocol lists maps of its flash', () => {
    const protocol = findProtocol(3001);
    if (!protocol) {
      throw new Error('3001 is known');
    }
    const listed = readMapFile(generateImage(protocol, 'mapfile', 1), 0x400000);
    expect(listed).toHaveLength(64);
    for (const { address } of listed) {
      expect(address).toBeGreaterThanOrEqual(0x220000);
      expect(address).toBeLessThan(0x2a0000);
    }
  });

  test('is refused if a map is outside of the image, with the name of that map', () => {
    const outside = { ...maps[1], address: imageSize - 7 } as ListedMap;
    expect(() => readMapFile(writeMapFile([...maps, outside], imageSize), imageSize)).toThrow(
      new CodecError('MAP_FILE_ERROR', 'LAST'),
    );
  });

  test.each([
    ['another magic', withByte(0, 0x53)],
    ['a newer version', withByte(8, 2)],
    ['a count of zero', withByte(10, 0)],
    ['fewer maps than declared', withByte(10, 3)],
    ['the size of another image', withByte(12, 1)],
    ['a map without columns', withByte(20, 0)],
    ['values of three bytes', withByte(24, 3)],
    ['a nonzero reserved byte', withByte(25, 1)],
    ['an invalid name', withByte(28, 7)],
    ['a map without a name', withByte(28, 0).fill(0, 28, 48)],
    ['a missing end', writeMapFile(maps, imageSize).subarray(0, 79)],
    ['only a header', writeMapFile([], imageSize)],
    ['half a header', writeMapFile(maps, imageSize).subarray(0, 15)],
    ['no bytes', new Uint8Array(0)],
  ])('is refused with %s', (_, bytes) => {
    expect(() => readMapFile(bytes, imageSize)).toThrow(CodecError);
  });

  test('is read or refused for any bytes, and never lists addresses outside of the image', () => {
    const whole = writeMapFile(maps, imageSize);
    const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 });
    fc.assert(
      fc.property(changes, (list) => {
        const bytes = whole.slice();
        for (const [at, value] of list) {
          bytes[at] = value;
        }
        let listed: readonly ListedMap[] = [];
        try {
          listed = readMapFile(bytes, imageSize);
        } catch (error) {
          expect(error).toBeInstanceOf(CodecError);
        }
        for (const { address, columns, rows, unit } of listed) {
          expect(address + columns * rows * unit).toBeLessThanOrEqual(imageSize);
        }
      }),
    );
  });
});
