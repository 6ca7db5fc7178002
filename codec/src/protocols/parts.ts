/**
 * Shorthand for protocol files: ranges by their start and end address, checksum rules, the usual identification block.
 */

import type {
  ChecksumAlgorithm,
  ChecksumRule,
  NumberType,
  CopyAlgorithm,
  DigestAlgorithm,
  Range,
  RangeTable,
  StoredNumber,
  SumAlgorithm,
  TargetResult,
  XorAlgorithm,
} from '../checksum/scheme.ts';
import type { Area, AreaKind, FamilyModes, IdentLayout } from './shape.ts';

/** Read through the diagnostic socket, by slaves of both families that can. */
export const kessv2AndKess3: readonly FamilyModes[] = [
  { family: 'kessv2', modes: ['obd'] },
  { family: 'kess3', modes: ['obd'] },
];

/** From an offset up to, but not including, another. */
export const span = (at: number, end: number): Range => ({ at, length: end - at });

/** An area by its first offset and the one after its last. */
export const area = (name: string, kind: AreaKind, at: number, end: number): Area => ({
  name,
  kind,
  at,
  length: end - at,
});

/** The sum of units of the given number of bytes, modulo 2^width. */
export const sum = (
  unit: SumAlgorithm['unit'],
  order: SumAlgorithm['order'],
  width: SumAlgorithm['width'],
  start = '0',
): SumAlgorithm => ({ kind: 'sum', unit, order, width, start });

/** The exclusive or of units of the given number of bytes. */
export const xor = (
  unit: XorAlgorithm['unit'],
  order: XorAlgorithm['order'],
  start = '0',
): XorAlgorithm => ({ kind: 'xor', unit, order, start });

export const copy: CopyAlgorithm = { kind: 'copy' };
export const sha256: DigestAlgorithm = { kind: 'digest', name: 'sha-256' };

/** A rule whose value the image stores as a number at an offset. */
export const stored = (
  name: string,
  ranges: Range | { readonly table: RangeTable },
  algorithm: ChecksumAlgorithm,
  at: number,
  type: NumberType,
  {
    disabledWhen,
    required,
    ...form
  }: Pick<StoredNumber, 'transform' | 'complementAt'> &
    Pick<ChecksumRule, 'disabledWhen' | 'required'> = {},
): ChecksumRule => ({
  name,
  ranges: 'table' in ranges ? ranges : [ranges],
  algorithm,
  result: { kind: 'store', at, type, ...form },
  ...(disabledWhen && { disabledWhen }),
  ...(required === false && { required }),
});

/** A rule whose bytes (copy, digest, signature) the image stores at an offset; `not`: inverted. */
export const storedBytes = (
  name: string,
  range: Range,
  algorithm: ChecksumAlgorithm,
  at: number,
  transform?: 'not',
): ChecksumRule => ({
  name,
  ranges: [range],
  algorithm,
  result: { kind: 'store-bytes', at, ...(transform && { transform }) },
});

/** A rule whose range must have this value (hexadecimal), by adjusting its free bytes. */
export const target = (
  name: string,
  range: Range,
  algorithm: ChecksumAlgorithm,
  value: string,
  free: TargetResult['free'],
): ChecksumRule => ({
  name,
  ranges: [range],
  algorithm,
  result: { kind: 'target', value, free },
});

/** Bytes of an identification block. */
export const identBytes = 0x100;

/** The usual identification block of a reference protocol, 256 bytes, for three invented ECUs. */
export function identBlock(at: number, protocolId: number): IdentLayout {
  return {
    marker: { at, text: `REF-IDENT ${protocolId}` },
    fields: [
      { name: 'hardware', at: at + 0x10, length: 16 },
      { name: 'hardwareVersion', at: at + 0x20, length: 8 },
      { name: 'software', at: at + 0x28, length: 16 },
      { name: 'softwareVersion', at: at + 0x38, length: 8 },
      { name: 'softwareUpgrade', at: at + 0x40, length: 16 },
      { name: 'softwareDate', at: at + 0x50, length: 8 },
      { name: 'spare', at: at + 0x58, length: 16 },
      { name: 'system', at: at + 0x68, length: 24 },
      { name: 'engine', at: at + 0x80, length: 24 },
      { name: 'vin', at: at + 0x98, length: 17 },
      { name: 'serialNumber', at: at + 0xb0, length: 16 },
    ],
    ecus: ['A', 'B', 'C'].map((letter) => ({
      name: `REF ECU ${protocolId}${letter}`,
      hardware: `REF-HW-${protocolId}-${letter}`,
    })),
  };
}
