/**
 * Containers without their cipher, as inputs of the target `containers`: sealing corrects what proves a file genuine
 * (lengths, digests, CRC, MAC, tags), so that changes reach the code behind these checks.
 *
 *     0  1  options (see below)    1  2  bytes of the header    3  …  header (preamble, fields), payload
 */
import { createHash } from 'node:crypto';
import { crc32, inflateRawSync } from 'node:zlib';
import { containerFamilies, containerOf } from '@recodery/contract/families/registry';
import { forge, type Forgery, numberBytes } from '../../codec/test/forge.ts';

/** The bits of the first byte. */
export const options = {
  /** The rest of the input is the file itself. */
  isFile: 1,
  keepLengths: 2,
  keepDigests: 4,
  isCrcWrong: 8,
  isMacWrong: 16,
  skipChecksum: 32,
  /** The last byte of the file is missing. */
  isCut: 64,
  isFollowed: 128,
} as const;

const headSize = 3;
const preambleSize = 64;
const entrySize = 52;
const deflated = 1;

/** A field of a header: its type, and its value as a view. */
export type PlainField = readonly [type: string, value: Buffer];

/** The fields of a header that can be separated. */
export function cutFields(header: Buffer): readonly PlainField[] {
  const fields: PlainField[] = [];
  for (let at = preambleSize; at + 8 <= header.length; ) {
    const end = at + 8 + header.readUInt32LE(at + 4);
    if (end > header.length) break;
    fields.push([header.toString('latin1', at, at + 4), header.subarray(at + 8, end)]);
    at = end;
  }
  return fields;
}

/** The input for a container that `forge` can write. */
export function inputOf(forgery: Forgery, option = 0): Uint8Array {
  let plain: Buffer = Buffer.alloc(0);
  const infoBytes =
    forgery.infoBytes === undefined ? Buffer.from('{"vin":"A"}') : forgery.infoBytes;
  const sealed = forge({
    ...forgery,
    infoBytes,
    header: (header) => {
      plain = forgery.header?.(header) ?? header;
      return plain;
    },
  });
  if ((option & options.isFile) !== 0) return Buffer.concat([numberBytes(option, 1), sealed]);
  const payload = [infoBytes ?? Buffer.alloc(0)];
  for (const { packed, bytes } of forgery.components ?? []) payload.push(packed ?? bytes);
  return Buffer.concat([numberBytes(option, 1), numberBytes(plain.length, 2), plain, ...payload]);
}

/** The container that an input describes. */
export function sealInput(input: Uint8Array): Buffer {
  const option = input[0] ?? 0;
  if ((option & options.isFile) !== 0) return Buffer.from(input.subarray(1));
  const bytes = Buffer.from(input);
  const headerLength = bytes.length < headSize ? 0 : bytes.readUInt16LE(1);
  const header = bytes.subarray(headSize, headSize + headerLength);
  const payload = bytes.subarray(headSize + header.length);
  if (header.length < preambleSize) return header;
  if ((option & options.keepLengths) === 0) {
    header.writeUInt32LE(header.length, 16);
    header.writeBigUInt64LE(BigInt(payload.length), 24);
  }
  if ((option & options.keepDigests) === 0) correctTable(header, payload);
  const family = containerFamilies.find((one) => containerOf(one).number === header[10]);
  const sealed = forge({
    ...(family !== undefined && { family }),
    header: () => header,
    segmentLog2: header[13] ?? 16,
    infoBytes: null,
    components: [{ type: 0, bytes: Buffer.alloc(0), packed: payload }],
    isCrcWrong: (option & options.isCrcWrong) !== 0,
    isMacWrong: (option & options.isMacWrong) !== 0,
  });
  const file = (option & options.isCut) === 0 ? sealed : sealed.subarray(0, -1);
  return (option & options.isFollowed) === 0 ? file : Buffer.concat([file, Buffer.alloc(1)]);
}

/** Corrects the sizes and digests of the component table; the rest of the payload belongs to the last component. */
function correctTable(header: Buffer, payload: Buffer): void {
  const table = cutFields(header).find(([type]) => type === 'COMP')?.[1] ?? Buffer.alloc(0);
  let rest = payload;
  for (let at = 1; at + entrySize <= table.length; at += entrySize) {
    const isLast = at + 2 * entrySize > table.length;
    const size = Math.min(rest.length, Number(table.readBigUInt64LE(at + 8)));
    const cut = table[at + 1] === deflated ? inflate(rest) : null;
    const plain = cut?.plain ?? rest.subarray(0, isLast ? rest.length : size);
    rest = rest.subarray(cut?.used ?? plain.length);
    table.writeBigUInt64LE(BigInt(plain.length), at + 8);
    table.writeUInt32LE(crc32(plain), at + 16);
    createHash('sha256')
      .update(plain)
      .digest()
      .copy(table, at + 20);
  }
}

/** Node reports a broken stream only by throwing. */
function inflate(bytes: Buffer): { plain: Buffer; used: number } | null {
  try {
    const result: unknown = inflateRawSync(bytes, { info: true, maxOutputLength: 1 << 20 });
    const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } };
    return { plain: buffer, used: engine.bytesWritten };
  } catch {
    return null;
  }
}
