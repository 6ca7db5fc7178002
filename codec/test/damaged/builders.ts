/** Makes damaged files, and names the errors that several faults share. */

import type {
  ContainerFamily,
  Family,
  RecodErrorName,
  Workflow,
} from '@recodery/contract/families/registry';
import type { Slave } from '../../src/simulator/slave.ts';
import { type InternalCode, wrongFamilyCode } from '../../src/errors.ts';
import { forge, type ForgedComponent, type Forgery } from '../forge.ts';
import { noise, usualModeOf } from '../slaves.ts';

/** The error names on the three families' pages; null if the file is valid there, or cannot occur there. */
type Names = readonly [
  kessv2: RecodErrorName | null,
  ktag: RecodErrorName | null,
  kess3: RecodErrorName | null,
];

/** A family's place in rows of error names; a later family has the names of KESSv2 or K-TAG, whose mode is its own. */
const columns: Readonly<Partial<Record<ContainerFamily, 0 | 1 | 2>>> = {
  kessv2: 0,
  ktag: 1,
  kess3: 2,
};

/** The names in which a later family differs; null: cannot occur there. */
const ownNames: Readonly<
  Partial<Record<ContainerFamily, Partial<Record<InternalCode, RecodErrorName | null>>>>
> = {};

/** The name in a row that an error has on a family's page; null if it cannot occur there. */
export function nameIn<N extends string | null>(
  family: ContainerFamily,
  code: InternalCode,
  row: readonly [N, N, N],
): N | RecodErrorName | null {
  const column = columns[family];
  if (column !== undefined) return row[column];
  const own = ownNames[family]?.[code];
  if (own !== undefined) return own;
  if (code === wrongFamilyCode(family)) return null;
  // the family whose names it has cannot refuse its own files, the other one can
  if (code.startsWith('WRONG_FAMILY_')) return row[0] || row[1];
  return row[usualModeOf(family) === 'obd' ? 0 : 1];
}

export interface Damage {
  /** In kebab-case, for use in a file name. */
  name: string;
  code: InternalCode;
  names: Names;
  /**
   * Only the portal, which knows masters and slaves, can report it; the codec alone finds that the key does not fit.
   */
  isReportedByPortal?: true;
  /** The page on which it is dropped; by default the family's own. */
  workflow?: Workflow;
  make(slave: Slave): Uint8Array;
}

export const image = noise(1024);
export const anotherKey = Buffer.alloc(32, 0x77);

/** The component in a family's smallest read. */
export function componentOf(family: Family): ForgedComponent {
  return { type: usualModeOf(family) === 'bootbench' ? 1 : 6, bytes: image };
}

/** A read of open firmware by this slave, with the given differences. */
export function readBy(slave: Slave, otherwise: Forgery = {}): Buffer {
  return forge({
    family: slave.family as ContainerFamily,
    pairKey: slave.pairKey,
    keyId: slave.keyId,
    masterSerial: slave.masterSerial,
    slaveSerial: slave.slaveSerial,
    components: [componentOf(slave.family)],
    ...otherwise,
  });
}

/** The smallest read of another family, sealed as a slave of that family with some key. */
export function readOf(family: Family, slave: Slave): Buffer {
  return readBy({ ...slave, family });
}

export type Make = Damage['make'];

export const told =
  (otherwise: Forgery): Make =>
  (slave) =>
    readBy(slave, otherwise);

/** A read whose single component is declared differently from what it is. */
export const lied =
  (lie: Partial<ForgedComponent>): Make =>
  (slave) =>
    readBy(slave, { components: [{ ...componentOf(slave.family), ...lie }] });

export const startingWith =
  (...bytes: number[]): Make =>
  () =>
    Buffer.concat([Buffer.from(bytes), image]);

export const cutTo =
  (length: number): Make =>
  (slave) =>
    readBy(slave).subarray(0, length);

export function replaced(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
}

/** A read with one bit flipped, this many bytes before its end. */
export const flippedFromEnd =
  (distance: number): Make =>
  (slave) => {
    const file = readBy(slave);
    const at = file.length - distance;
    file[at] = (file[at] ?? 0) ^ 0x10;
    return file;
  };

export const corrupted: Names = ['FILE_CORRUPTED', 'FILE_CORRUPTED', 'KESS3_BAD_HEADER'];
export const archive: Names = [
  'FILE_IS_ZIP_ARCHIVE',
  'FILE_IS_ZIP_ARCHIVE',
  'KESS3_FILE_IS_ARCHIVE',
];
export const unknown: Names = ['INVALID_FILE', 'INVALID_FILE', 'KESS3_FILE_NOT_RECOGNIZED'];
export const cutOff: Names = ['UNEXPECTED_SIZE', 'UNEXPECTED_SIZE', 'KESS3_BAD_HEADER'];
export const tooLong: Names = [
  'UNEXPECTED_SIZE',
  'UNEXPECTED_SIZE',
  'KESS3_GENERIC_ERROR_WITH_CODE',
];
export const newer: Names = ['INVALID_FILE', 'INVALID_FILE', 'KESS3_BAD_HEADER'];
export const sealedWrong: Names = ['FILE_CORRUPTED', 'FILE_CORRUPTED', 'KESS3_DECRYPT_ERROR'];
export const componentWrong: Names = [
  'FILE_CORRUPTED',
  'FILE_CORRUPTED',
  'KESS3_COMPONENT_READ_ERROR',
];
export const infoWrong: Names = ['FILE_CORRUPTED', 'FILE_CORRUPTED', 'KESS3_INFO_RETRIEVAL_ERROR'];
