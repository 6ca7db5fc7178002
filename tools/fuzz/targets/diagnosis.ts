/**
 * Files that do not fit a read with one image and an EEPROM. The input is a list of parts: each is a part of the image,
 * one value, a transformed part, or bytes of its own.
 *
 *     kind u8, at u16, length u16; kind 3: the bytes
 */
import { diagnose } from '@recodery/codec/diagnosis/diagnose';
import { kinds } from '@recodery/codec/diagnosis/kinds';
import { transform, transformations } from '@recodery/codec/diagnosis/transformations';
import { generateImage } from '@recodery/codec/sample-images/images';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import { readBytes } from '../byte-reader.ts';
import { Broken, type FuzzTarget, must, textBytes } from '../target.ts';

const open = findProtocol(9000);
if (open === null) throw new Broken('there is no protocol 9000');
const image = generateImage(open, 'flash', 1, 0x8000);
const eeprom = generateImage(open, 'eeprom', 2, 0x800);
const mostBytes = 0x40000;

function build(input: Uint8Array): Uint8Array {
  const bytes = readBytes(input);
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let count = 0; count < 32 && size < mostBytes && bytes.rest().length > 0; count += 1) {
    const kind = bytes.byte() % 5;
    const at = bytes.word() % image.length;
    const length = bytes.word();
    const part = image.subarray(at, at + length);
    if (kind === 0) parts.push(part);
    if (kind === 1) parts.push(new Uint8Array(length).fill(at));
    if (kind === 2)
      parts.push(transform(part, transformations[at % transformations.length] ?? 'pairs'));
    if (kind === 3) parts.push(bytes.rest());
    if (kind === 4) parts.push(eeprom.subarray(at % eeprom.length));
    size += parts.at(-1)?.length ?? 0;
    if (kind === 3) break;
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** See the file's first comment. */
function run(input: Uint8Array): void {
  const upload = build(input);
  const found = diagnose({
    upload,
    image,
    others: [{ name: 'eeprom', image: eeprom }],
    accepts: ({ length }) => length === image.length,
    identify: () => null,
  });
  if (found === null) return;
  const { kind, details, repair } = found;
  must(kinds.includes(kind), `unknown kind ${kind}`);
  must(details.size === upload.length, 'another size');
  if (repair === null) return;
  const place = repair.component === null ? image : eeprom;
  must(repair.bytes.length === place.length, 'a repair of the wrong size');
  const again = diagnose({
    upload: repair.bytes,
    image: place,
    others: [],
    accepts: ({ length }) => length === place.length,
    identify: () => null,
  });
  must(again === null, `a repair that does not fit: ${again?.kind}`);
}

const part = (kind: number, at: number, length: number, ...rest: readonly number[]): Uint8Array =>
  Uint8Array.of(kind, at & 0xff, at >>> 8, length & 0xff, length >>> 8, ...rest);
const half = 0x4000;

export const target: FuzzTarget = {
  longest: 512,
  seeds: () => [
    part(0, 0, 0x8000),
    Buffer.concat([part(0, 0, 0x8000), part(0, 0, 0x8000)]),
    Buffer.concat([part(0, half, half), part(0, 0, half)]),
    Buffer.concat([part(1, 0xff, 0x200), part(0, 0, 0x8000)]),
    part(0, 0x100, 0x7f00),
    part(2, 0, 0x8000),
    part(4, 0, 0),
    part(1, 0, 0x8000),
    part(3, 0, 0, ...Buffer.from('PK\u0003\u0004')),
  ],
  dictionary: [
    part(0, 0, half),
    part(0, half, half),
    part(1, 0xff, 0x100),
    part(2, 1, half),
    ...textBytes(['PK\u0005\u0006', 'PK\u0001\u0002', ':00000001FF\n']),
  ],
  run,
};
