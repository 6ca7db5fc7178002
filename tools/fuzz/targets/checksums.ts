/**
 * Checksum schemes of every kind, with ranges inside and outside of the image, tables in the image, and an image of
 * any bytes. The input is read as a list of rules, then as the image.
 */
import { generateKeyPairSync } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type ChecksumRule,
  type ChecksumScheme,
  correctChecksums,
  isChecksumFault,
  verifyChecksums,
} from '@recodery/codec/checksum/checksum';
import type {
  ChecksumAlgorithm,
  NumberType,
  RangeSource,
  Transform,
} from '@recodery/codec/checksum/scheme';
import { readBytes, type ByteReader } from '../byte-reader.ts';
import { orRefused } from '../codec-errors.ts';
import { type FuzzTarget, must } from '../target.ts';

const types: readonly [NumberType, ...NumberType[]] = [
  ...(['u8', 'u16le', 'u16be', 'u32le', 'u32be', 'u64le', 'u64be'] as const),
];
const orders = ['le', 'be'] as const;
const units = [1, 2, 4] as const;

// Any key: no input contains a valid signature.
const publicKey = generateKeyPairSync('ed25519')
  .publicKey.export({ format: 'der', type: 'spki' })
  .toString('base64');

function readRanges(bytes: ByteReader): RangeSource {
  if (bytes.isTrue()) {
    const count = bytes.isTrue() ? bytes.word() : { at: bytes.word(), type: bytes.pick(types) };
    const second = bytes.pick(['length', 'last', 'after']);
    const base = bytes.isTrue() ? { base: bytes.long() } : {};
    return { table: { at: bytes.word(), count, type: bytes.pick(types), second, ...base } };
  }
  return Array.from({ length: bytes.byte() % 5 }, () => ({
    at: bytes.word(),
    length: bytes.word(),
  }));
}

function readAlgorithm(bytes: ByteReader): ChecksumAlgorithm {
  const kind = bytes.pick(['sum', 'xor', 'crc', 'copy', 'digest', 'signature']);
  const unit = bytes.pick(units);
  const order = bytes.pick(orders);
  switch (kind) {
    case 'sum':
      return { kind, unit, order, width: bytes.pick([16, 32, 64]), start: bytes.hex(2) };
    case 'xor':
      return { kind, unit, order, start: bytes.hex(unit) };
    case 'crc': {
      const width = bytes.pick([8, 16, 32]);
      const [polynomial, init, xorOut] = [1, 2, 3].map(() => bytes.hex(width / 8));
      const reflections = { reflectIn: bytes.isTrue(), reflectOut: bytes.isTrue() };
      return {
        kind,
        width,
        polynomial: polynomial ?? '1',
        init: init ?? '0',
        xorOut: xorOut ?? '0',
        ...reflections,
      };
    }
    case 'copy':
      return { kind };
    case 'digest':
      return { kind, name: bytes.pick(['sha-1', 'sha-256', 'sha-384', 'sha-512']) };
    case 'signature':
      return { kind, name: 'ed25519', publicKey, length: bytes.byte() };
  }
}

function readResult(bytes: ByteReader): ChecksumRule['result'] {
  const kind = bytes.pick(['store', 'store-bytes', 'target']);
  const at = bytes.word();
  switch (kind) {
    case 'store': {
      const type = bytes.pick(types);
      const transform = bytes.pick<Transform>([
        'id',
        'not',
        'neg',
        { minus: bytes.hex(4) },
        { learnedFrom: 'original' },
      ]);
      const complement = bytes.isTrue() ? { complementAt: bytes.word() } : {};
      return { kind, at, type, transform, ...complement };
    }
    case 'store-bytes':
      return { kind, at, transform: bytes.pick(['id', 'not']) };
    case 'target': {
      const value = bytes.isTrue() ? ({ asIn: 'original' } as const) : bytes.hex(4);
      return { kind, value, free: { at, length: bytes.pick([2, 4, 8]) } };
    }
  }
}

function readRule(bytes: ByteReader, index: number): ChecksumRule {
  const disabled = bytes.byte() % 8 === 1;
  return {
    name: `R${index}`,
    ranges: readRanges(bytes),
    algorithm: readAlgorithm(bytes),
    result: readResult(bytes),
    ...(disabled && {
      disabledWhen: { at: bytes.word(), type: bytes.pick(types), equals: bytes.hex(1) },
    }),
    ...(bytes.isTrue() && { needsOriginal: true }),
    ...(bytes.isTrue() && { required: false }),
  };
}

/** Whether a rule could be in a protocol: one that needs the original must declare it. */
function isDefined({ result, needsOriginal }: ChecksumRule): boolean {
  const isLearning =
    (result.kind === 'store' &&
      typeof result.transform === 'object' &&
      'learnedFrom' in result.transform) ||
    (result.kind === 'target' && typeof result.value === 'object');
  return !isLearning || needsOriginal === true;
}

function run(input: Uint8Array): void {
  const bytes = readBytes(input);
  const hasOriginal = bytes.isTrue();
  const size = Math.min(bytes.word(), 4096);
  const scheme: ChecksumScheme = Array.from({ length: 1 + (bytes.byte() % 4) }, (_, index) =>
    readRule(bytes, index),
  ).filter(isDefined);
  const image = new Uint8Array(size);
  image.set(bytes.rest().subarray(0, size));
  const original = hasOriginal ? image.map((byte, at) => byte ^ (at % 7 === 0 ? 1 : 0)) : undefined;
  const before = Buffer.from(image);
  const reports = verifyChecksums(scheme, image, original);
  must(reports.length === scheme.length, 'not every rule has a report');
  const corrected = orRefused(() => correctChecksums(scheme, image, original));
  must(before.equals(image), 'the input of a correction is changed');
  if (corrected === null) return;
  must(corrected.image.length === image.length, 'a correction changes the size');
  const after = verifyChecksums(scheme, corrected.image, original);
  must(
    isDeepStrictEqual(after, corrected.reports),
    'a correction reports something else than it did',
  );
  const fault = after.find((report) => isChecksumFault(scheme, report));
  must(fault === undefined, `corrected, but ${fault?.rule} is still wrong`);
}

/** Rules as bytes: see the functions above. */
const seeds = [
  // a sum of two ranges, stored
  [
    1, 64, 0, 0, 0, 0, 2, 0, 0, 8, 0, 16, 0, 8, 0, 0, 1, 0, 1, 0, 0, 0, 40, 0, 3, 0, 0, 0, 0, 0, 0,
    0, 0,
  ],
  // a CRC with a target
  [
    0, 0, 1, 0, 0, 0, 1, 0, 0, 64, 0, 2, 0, 0, 2, 4, 193, 29, 183, 255, 255, 255, 255, 0, 0, 0, 0,
    0, 0,
  ],
  // ranges from a table in the image
  [1, 0, 1, 1, 0, 1, 1, 2, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 4, 0, 3],
  // a copy, inverted
  [0, 64, 0, 0, 0, 0, 1, 0, 0, 8, 0, 3, 0, 0, 1, 32, 0, 1, 0, 0],
  // a digest, then a signature
  [
    0, 200, 0, 1, 0, 0, 1, 0, 0, 8, 0, 4, 0, 0, 1, 1, 32, 0, 0, 0, 0, 0, 0, 1, 0, 0, 8, 0, 5, 0, 0,
    64,
  ],
];

/** See the file's first comment. */
export const target: FuzzTarget = {
  longest: 1024,
  seeds: () => seeds.map((seed) => Uint8Array.from(seed)),
  dictionary: seeds.map((seed) => Uint8Array.from(seed.slice(4))),
  run,
};
