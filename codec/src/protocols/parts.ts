/** Shorthand for protocol files: ranges by their start and end address, and the usual identification block. */

import type { Range } from '../checksum/scheme.ts';
import type { Area, AreaKind, IdentLayout } from './shape.ts';

/** From an offset up to, but not including, another. */
export const span = (at: number, end: number): Range => ({ at, length: end - at });

/** An area by its first offset and the one after its last. */
export const area = (name: string, kind: AreaKind, at: number, end: number): Area => ({
  name,
  kind,
  at,
  length: end - at,
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
