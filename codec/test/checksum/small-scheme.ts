/** A small image, and rules over it, for the tests of checksums. */
import { verifyChecksums } from '../../src/checksum/checksum.ts';
import type { ChecksumRule, ChecksumScheme } from '../../src/checksum/scheme.ts';
import * as catalog from '../../src/checksum/crc-catalog.ts';
import { CodecError } from '../../src/errors.ts';

export const size = 0x400;
/** An image without a pattern that a checksum would miss. */
export const image = (): Uint8Array =>
  Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 5)) & 0xff);
export const scheme = (...rules: ChecksumRule[]): ChecksumScheme => rules;

export const sumRule: ChecksumRule = {
  name: 'SUM',
  ranges: [{ at: 0, length: 0x100 }],
  algorithm: { kind: 'sum', unit: 4, order: 'le', width: 32 },
  result: { kind: 'store', at: 0x300, type: 'u32be' },
};
export const crcRule: ChecksumRule = {
  name: 'CRC',
  ranges: [{ at: 0x100, length: 0x100 }],
  algorithm: catalog.crc32Mpeg2,
  result: { kind: 'store', at: 0x304, type: 'u32le' },
};

export const states = (of: ChecksumScheme, bytes: Uint8Array, original?: Uint8Array): string[] =>
  verifyChecksums(of, bytes, original).map(({ state }) => state);

/** The codec error that a call throws. */
export function refusal(call: () => unknown): { code: string; detail: string | null } {
  let thrown: unknown = null;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  if (!(thrown instanceof CodecError)) {
    throw new Error(`no CodecError but ${String(thrown)}`);
  }
  return { code: thrown.internalCode, detail: thrown.detail };
}

/** Writes a little-endian number. */
export function writeU32(bytes: Uint8Array, at: number, value: number): void {
  new DataView(bytes.buffer).setUint32(at, value, true);
}

/** Every kind of algorithm and result; each rule has its own area. */
export const everyKind = scheme(
  sumRule,
  crcRule,
  {
    name: 'NEGATED-SUM',
    ranges: [
      { at: 0x001, length: 0x2b },
      { at: 0x80, length: 0x11 },
    ],
    algorithm: { kind: 'sum', unit: 1, order: 'le', width: 16, start: 'beef' },
    result: { kind: 'store', at: 0x308, type: 'u16le', transform: 'neg' },
  },
  {
    name: 'WIDE-SUM',
    ranges: [{ at: 0, length: 0x200 }],
    algorithm: { kind: 'sum', unit: 2, order: 'be', width: 64, start: 'fffffffffffffff0' },
    result: { kind: 'store', at: 0x310, type: 'u64be', transform: 'not' },
  },
  {
    name: 'XOR-PAIR',
    ranges: [{ at: 0x20, length: 0x40 }],
    algorithm: { kind: 'xor', unit: 2, order: 'be', start: '55aa' },
    result: { kind: 'store', at: 0x318, type: 'u16be', complementAt: 0x31a },
  },
  {
    name: 'BYTE-CRC-FROM-CONSTANT',
    ranges: [{ at: 0x40, length: 0x20 }],
    algorithm: catalog.crc8SaeJ1850,
    result: { kind: 'store', at: 0x31c, type: 'u8', transform: { minus: '5a' } },
  },
  {
    name: 'MIRROR',
    ranges: [
      { at: 0x10, length: 0x10 },
      { at: 0x90, length: 0x10 },
    ],
    algorithm: { kind: 'copy' },
    result: { kind: 'store-bytes', at: 0x320, transform: 'not' },
  },
  {
    name: 'DIGEST',
    ranges: [{ at: 0x180, length: 0x80 }],
    algorithm: { kind: 'digest', name: 'sha-256' },
    result: { kind: 'store-bytes', at: 0x340 },
  },
  {
    name: 'CRC-TARGET',
    ranges: [
      { at: 0x200, length: 0x40 },
      { at: 0x300, length: 0x40 },
    ],
    algorithm: catalog.crc16Arc,
    result: { kind: 'target', value: '1234', free: { at: 0x210, length: 2 } },
  },
  {
    name: 'SUM-TARGET',
    ranges: [{ at: 0x240, length: 0x20 }],
    algorithm: { kind: 'sum', unit: 2, order: 'le', width: 16 },
    result: { kind: 'target', value: 'ffff', free: { at: 0x244, length: 2 } },
  },
  {
    name: 'XOR-TARGET',
    ranges: [{ at: 0x260, length: 0x20 }],
    algorithm: { kind: 'xor', unit: 4, order: 'be' },
    result: { kind: 'target', value: '0', free: { at: 0x268, length: 4 } },
  },
);
