/** Images that are downloaded as Intel HEX and S-record: what is written, and that our readers give the same bytes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateMe7Image } from '../../samples/me7-images.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { Records } from '../../src/diagnosis/text/records.ts';
import { recognizeText } from '../../src/diagnosis/text/registry.ts';
import {
  isAddressable,
  type WrittenFormat,
  writeText,
} from '../../src/diagnosis/text/write-text.ts';

const formats: readonly WrittenFormat[] = ['intel-hex', 's-record'];

/** The text of bytes that arrive in pieces of this many bytes. */
async function textOf(
  format: WrittenFormat,
  bytes: Uint8Array,
  base: number,
  piece = bytes.length || 1,
): Promise<string> {
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  };
  const text: string[] = [];
  for await (const part of writeText(format, { size: bytes.length, base }, pieces())) {
    text.push(part);
  }
  return text.join('');
}

/** The segments that our reader of the format finds. */
function read(format: WrittenFormat, text: string) {
  const found = recognizeText(Buffer.from(text, 'latin1'));
  expect(found?.kind).toBe(format);
  const records = new Records();
  found?.format?.read(found.text, records);
  return records.merge();
}

describe.each(formats)('%s', (format) => {
  // promise 5.text-downloads.bytes
  test('is read as the same bytes at the same address, whatever the size and the address', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ minLength: 1, maxLength: 300 }),
          fc.integer({ min: 1, max: 70_000 }).map((size) => new Uint8Array(size).fill(0xff)),
        ),
        fc.oneof(
          fc.nat(0x1_0040),
          fc.constantFrom(0xffff, 0xff_fff0, 0x1_0000, 0x8000_0000, 0xfffe_0001),
          fc.nat(0xffff_ffff),
        ),
        fc.integer({ min: 1, max: 400 }),
        async (bytes, base, piece) => {
          fc.pre(isAddressable(bytes.length, base));
          const segments = read(format, await textOf(format, bytes, base, piece));
          expect(segments).toHaveLength(1);
          expect(segments[0]?.at).toBe(base);
          expect(Buffer.from(segments[0]?.bytes ?? []).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('is converted back without loss where it is uploaded as the modified image', async () => {
    const { image } = generateMe7Image({ seed: 3, program: 1 });
    const upload = Buffer.from(await textOf(format, image, 0x80_0000), 'latin1');
    const accepts = ({ length }: Uint8Array) => length === image.length;
    const found = diagnose({ upload, image, others: [], accepts, identify: () => null });
    expect(found).toMatchObject({ kind: format, repair: { isLossless: true } });
    expect(Buffer.from(found?.repair?.bytes ?? []).equals(image)).toBe(true);
  });

  test('ends at the last address of 4 GiB, and not behind it', () => {
    expect(isAddressable(16, 0xffff_fff0)).toBe(true);
    expect(isAddressable(17, 0xffff_fff0)).toBe(false);
  });
});

const known = Buffer.from('214601360121470136007efe09d21901', 'hex');

test('writes Intel HEX with linear addresses', async () => {
  expect(await textOf('intel-hex', known, 0x8001_0100)).toBe(
    ':02000004800179\r\n:10010000214601360121470136007EFE09D2190140\r\n:00000001FF\r\n',
  );
});

test('starts a record at each multiple of 64 KiB', async () => {
  const lines = (await textOf('intel-hex', new Uint8Array(4), 0xfffe)).split('\r\n');
  expect(lines).toEqual([
    ':020000040000FA',
    ':02FFFE00000001',
    ':020000040001F9',
    ':020000000000FE',
    ':00000001FF',
    '',
  ]);
});

test.each([
  [0, ['S1130000214601360121470136007EFE09D219013D', 'S9030000FC']],
  [0x1_0000, ['S214010000214601360121470136007EFE09D219013B', 'S804000000FB']],
  [0x8000_0000, ['S31580000000214601360121470136007EFE09D21901BB', 'S70500000000FA']],
])('writes the shortest S-record that reaches the address %d', async (base, [data, end]) => {
  const lines = (await textOf('s-record', known, base)).split('\r\n');
  expect(lines).toEqual(['S00600004844521B', data, 'S5030001FB', end, '']);
});
