/** Writes images as text, in the formats that a diagnosis reads. */

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function* rows(image: Uint8Array, size: number): Iterable<readonly [at: number, row: Uint8Array]> {
  for (let at = 0; at < image.length; at += size) yield [at, image.subarray(at, at + size)];
}

const asText = (lines: readonly string[]): Uint8Array => Buffer.from(`${lines.join('\n')}\n`);

const sumOf = (bytes: Iterable<number>): number => [...bytes].reduce((sum, byte) => sum + byte, 0);

/** A record of Intel HEX. */
export function hexRecord(type: number, offset: number, data: Uint8Array): string {
  const record = [data.length, offset >>> 8, offset & 0xff, type, ...data];
  const bytes = Uint8Array.from([...record, -sumOf(record) & 0xff]);
  return `:${hexOf(bytes).toUpperCase()}`;
}

/** Intel HEX with 32 bytes a record, from an address. */
export function writeIntelHex(image: Uint8Array, address: number): Uint8Array {
  const lines: string[] = [];
  let high = -1;
  for (const [at, row] of rows(image, 32)) {
    const place = address + at;
    const upper = Math.floor(place / 65_536);
    if (upper !== high) lines.push(hexRecord(4, 0, Uint8Array.of(upper >>> 8, upper & 0xff)));
    high = upper;
    lines.push(hexRecord(0, place & 0xffff, row));
  }
  return asText([...lines, hexRecord(1, 0, new Uint8Array())]);
}

/** A Motorola S-record of a type from 0 to 9, with `width` bytes of address. */
export function sRecordLine(
  type: number,
  width: number,
  address: number,
  data: Uint8Array,
): string {
  const places = Array.from(
    { length: width },
    (_, index) => Math.floor(address / 256 ** (width - 1 - index)) % 256,
  );
  const record = [width + data.length + 1, ...places, ...data];
  return `S${type}${hexOf(Uint8Array.from([...record, ~sumOf(record) & 0xff])).toUpperCase()}`;
}

/** Motorola S-records with 32 bytes each, from an address, with header, count and end. */
export function writeSRecord(image: Uint8Array, address: number): Uint8Array {
  const lines = [...rows(image, 32)].map(([at, row]) => sRecordLine(3, 4, address + at, row));
  const header = sRecordLine(0, 2, 0, Buffer.from('image'));
  const count = sRecordLine(
    lines.length > 0xffff ? 6 : 5,
    lines.length > 0xffff ? 3 : 2,
    lines.length,
    new Uint8Array(),
  );
  return asText([header, ...lines, count, sRecordLine(7, 4, address, new Uint8Array())]);
}

const spaced = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => hexOf(Uint8Array.of(byte))).join(' ');

/** TI-TXT with one section, from an address. */
export function writeTiTxt(image: Uint8Array, address: number): Uint8Array {
  const lines = [...rows(image, 16)].map(([, row]) => spaced(row).toUpperCase());
  return asText([`@${address.toString(16).toUpperCase()}`, ...lines, 'q']);
}

const shown = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join(
    '',
  );

/** What `xxd` writes. */
export function writeXxd(image: Uint8Array): Uint8Array {
  const lines = [...rows(image, 16)].map(([at, row]) => {
    const groups =
      hexOf(row)
        .match(/.{1,4}/g)
        ?.join(' ') ?? '';
    return `${at.toString(16).padStart(8, '0')}: ${groups.padEnd(39)}  ${shown(row)}`;
  });
  return asText(lines);
}

/** What `hexdump -C` writes; a row that is equal to the one before is left out. */
export function writeHexdump(image: Uint8Array): Uint8Array {
  const lines: string[] = [];
  let before = '';
  for (const [at, row] of rows(image, 16)) {
    const halves = [row.subarray(0, 8), row.subarray(8)].map(spaced).join('  ');
    const line = `${halves.padEnd(49)} |${shown(row)}|`;
    if (line === before && lines.at(-1) !== '*') lines.push('*');
    if (line !== before) lines.push(`${at.toString(16).padStart(8, '0')}  ${line}`);
    before = line;
  }
  return asText([...lines, image.length.toString(16).padStart(8, '0')]);
}

/** Nothing but digits, 32 bytes a line. */
export function writePlainHex(image: Uint8Array): Uint8Array {
  return asText([...rows(image, 32)].map(([, row]) => hexOf(row)));
}

/** The source text of an array in C. */
export function writeCArray(image: Uint8Array): Uint8Array {
  const items = [...rows(image, 12)].map(
    ([, row]) => `  ${Array.from(row, (byte) => `0x${hexOf(Uint8Array.of(byte))}`).join(', ')},`,
  );
  return asText(['/* an image */', 'const unsigned char image[] = {', ...items, '};']);
}

/** Base64 with 76 characters a line. */
export function writeBase64(image: Uint8Array): Uint8Array {
  return asText(
    Buffer.from(image)
      .toString('base64')
      .match(/.{1,76}/g) ?? [],
  );
}
