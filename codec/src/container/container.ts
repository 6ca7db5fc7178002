/**
 * The layout of TFC/1, the reference container: one diagram, and one definition for both reading and writing.
 *
 *     0   8  magic 89 54 46 43 0D 0A 1A 0A
 *     8   1  major 1                         9   1  minor, any
 *    10   1  family, its number in the registry
 *    11   1  kind 1 read file, 2 read backup, 3 encoded file, 4 encoded backup, 5 utility backup
 *    12   1  suite 1 = HKDF-SHA-256 + HMAC-SHA-256 + AES-256-GCM
 *    13   1  segment size, log2, 12..20     14   2  flags, 0
 *    16   4  header length H, 64..65536: preamble and fields
 *    20   4  key id                          24   8  payload length (plaintext)
 *    32  32  file salt
 *    64   …  fields: type[4] ASCII, length u32, value
 *     H   4  CRC-32/ISO-HDLC of bytes 0..H-1
 *   H+4  32  HMAC-SHA-256(header key, bytes 0..H+3)
 *  H+36   …  segments: ciphertext ‖ 16-byte tag; count = max(1, ceil(payload / segment))
 *
 *  A component in COMP (u8 count, then 52 bytes each):
 *     0   1  type    1   1  storage, 0 stored, 1 raw deflate    2   2  flags, 0
 *     4   4  base    8   8  size (plain)   16   4  CRC-32       20  32  SHA-256
 *
 * This file uses no Node API: the browser reads these bytes too.
 */

import { magic } from '@recodery/contract/recognize';
import {
  type ComponentName,
  type ContainerComponent,
  containerComponents,
  type FileKind,
  fileKinds,
  type Mode,
} from '@recodery/contract/families/family';
import {
  containerFamilies,
  type ContainerFamily,
  containerOf,
  type Family,
} from '@recodery/contract/families/registry';
import { concatBytes, fixedBytes, layout, u16, u32, u64, u8, viewOf } from './bytes.ts';
import type { Member, MemberValues } from './bytes.ts';
import { CodecError } from '../errors.ts';

export const magicBytes = Uint8Array.from(magic);

const preambleMembers = {
  magic: fixedBytes(8),
  major: u8,
  minor: u8,
  family: u8,
  kind: u8,
  suite: u8,
  segmentLog2: u8,
  flags: u16,
  headerLength: u32,
  keyId: u32,
  payloadLength: u64,
  fileSalt: fixedBytes(32),
};
export const preambleLayout = layout(preambleMembers);
/** The first 64 bytes. */
export type Preamble = MemberValues<typeof preambleMembers>;

const componentMembers = {
  type: u8,
  storage: u8,
  flags: u16,
  base: u32,
  size: u64,
  crc32: u32,
  sha256: fixedBytes(32),
};
export const componentLayout = layout(componentMembers);
/** An entry of the component table; `size` is the plain size, also for a deflated component. */
export type ComponentEntry = MemberValues<typeof componentMembers>;

const fieldStart = layout({ type: fixedBytes(4), length: u32 });

/** The size in bytes of the CRC and the MAC at the end of the header, and of a segment's tag. */
export const crcLength = 4;
export const macLength = 32;
export const tagLength = 16;
/** The bytes between the header's H bytes and the first segment. */
export const headerEndLength = crcLength + macLength;

/** The accepted limits, in bytes; declared sizes are checked against them before anything is allocated. */
export const limits = {
  headerLength: 65_536,
  fileSize: 64 * 1024 * 1024,
  componentSize: 16 * 1024 * 1024,
  componentsSize: 64 * 1024 * 1024,
  components: 16,
  infoSize: 16 * 1024,
} as const;

export const currentMajor = 1;
export const currentSuite = 1;
export const defaultSegmentLog2 = 16;
const segmentLog2Range = { min: 12, max: 20 };

/** How many bytes from the start of a file are always enough to read its header. */
export const longestHeader = limits.headerLength + headerEndLength;

export const familyIds = Object.fromEntries(
  containerFamilies.map((family) => [family, containerOf(family).number]),
) as Readonly<Record<ContainerFamily, number>>;
/** The kinds of container. */
export type ContainerKind = FileKind;
export const kindIds = Object.fromEntries(
  fileKinds.map((kind, index) => [kind, index + 1]),
) as Readonly<Record<ContainerKind, number>>;
export const modeIds: Readonly<Record<Mode, number>> = { obd: 1, bootbench: 2 };
/** The types of component in the table: those that a protocol can have, and the information fields. */
export type TableName = ContainerComponent | 'info';
export const componentIds: Readonly<Record<TableName, number>> = {
  flash: 1,
  micro: 2,
  eeprom: 3,
  tuningfile: 4,
  mapfile: 5,
  obd: 6,
  info: 0x10,
};
export const storageIds = { stored: 0, deflated: 1 } as const;

/** The name of a component in the table. @throws if no file in the container has such a component */
export function tableNameOf(component: ComponentName): ContainerComponent {
  const name = containerComponents.find((one) => one === component);
  if (name === undefined) throw new Error(`the container has no component ${component}`);
  return name;
}

/** The name that has this id in one of the tables above, or null. */
export function nameOf<N extends string>(ids: Readonly<Record<N, number>>, id: number): N | null {
  return (Object.keys(ids) as N[]).find((name) => ids[name] === id) ?? null;
}

/** How the value of a field is read (BAD_HEADER if invalid) and written. */
interface FieldFormat<T> {
  read(value: Uint8Array): T;
  write(value: T): Uint8Array;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientUtf8 = new TextDecoder('utf-8');
const utf8 = new TextEncoder();

/** The text of UTF-8 bytes, or null if they are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  // TextDecoder can report invalid bytes only by throwing.
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
}

function badHeader(): never {
  throw new CodecError('BAD_HEADER');
}

/** A serial number: UTF-8 of 1 to 32 bytes. */
const serialNumber: FieldFormat<string> = {
  read: (value) => {
    const text = value.length >= 1 && value.length <= 32 ? decodeUtf8(value) : null;
    return text ?? badHeader();
  },
  write: (value) => {
    const bytes = utf8.encode(value);
    if (bytes.length < 1 || bytes.length > 32) {
      throw new RangeError('a serial number has 1 to 32 bytes of UTF-8');
    }
    return bytes;
  },
};

/** Text that nothing depends on. */
const remark: FieldFormat<string> = {
  read: (value) => lenientUtf8.decode(value),
  write: (value) => utf8.encode(value),
};

/** A value with one fixed member. */
function single<T>(member: Member<T>): FieldFormat<T> {
  return {
    read: (value) => (value.length === member.size ? member.read(viewOf(value), 0) : badHeader()),
    write: (value) => {
      const bytes = new Uint8Array(member.size);
      member.write(viewOf(bytes), 0, value);
      return bytes;
    },
  };
}

const modeFormat: FieldFormat<Mode> = {
  read: (value) => nameOf(modeIds, single(u8).read(value)) ?? badHeader(),
  write: (value) => single(u8).write(modeIds[value]),
};

const componentTable: FieldFormat<readonly ComponentEntry[]> = {
  read: (value) => {
    const count = value[0] ?? badHeader();
    if (count > limits.components || value.length !== 1 + count * componentLayout.size) {
      badHeader();
    }
    const view = viewOf(value);
    return Array.from({ length: count }, (_, index) =>
      componentLayout.read(view, 1 + index * componentLayout.size),
    );
  },
  write: (entries) => {
    const bytes = new Uint8Array(1 + entries.length * componentLayout.size);
    const view = viewOf(bytes);
    bytes[0] = entries.length;
    for (const [index, entry] of entries.entries()) {
      componentLayout.write(view, 1 + index * componentLayout.size, entry);
    }
    return bytes;
  },
};

/** Every known field, in the order of writing. */
const fieldFormats = {
  MCOD: serialNumber,
  SSER: serialNumber,
  PROT: single(u32),
  MODE: modeFormat,
  RDID: single(fixedBytes(16)),
  COMP: componentTable,
  PREV: single(fixedBytes(32)),
  NUMB: single(u32),
  tool: remark,
  time: remark,
  note: remark,
};
type FieldName = keyof typeof fieldFormats;
const fieldNames = Object.keys(fieldFormats) as FieldName[];
type FieldValues = {
  [K in FieldName]: (typeof fieldFormats)[K] extends FieldFormat<infer T> ? T : never;
};
/** The fields that every container has. PREV and NUMB are in encoded files, see `checkKind`. */
const requiredFields = ['MCOD', 'SSER', 'PROT', 'MODE', 'RDID', 'COMP'] as const;
type RequiredField = (typeof requiredFields)[number];

/** The known fields of a header. */
export type Fields = { [K in RequiredField]: FieldValues[K] } & {
  [K in Exclude<FieldName, RequiredField>]?: FieldValues[K];
};

function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(fieldFormats, name);
}

/** First a letter (its case shows whether the field is critical), then printable ASCII. */
function fieldType(bytes: Uint8Array): string {
  const type = String.fromCharCode(...bytes);
  return /^[A-Za-z][\x21-\x7e]{3}$/.test(type) ? type : badHeader();
}

/** Splits a header's field area into fields of any type; the same type twice is BAD_HEADER. */
function cutFields(area: Uint8Array): Map<string, Uint8Array> {
  const values = new Map<string, Uint8Array>();
  const view = viewOf(area);
  let at = 0;
  while (at < area.length) {
    if (area.length - at < fieldStart.size) {
      badHeader();
    }
    const start = fieldStart.read(view, at);
    const type = fieldType(start.type);
    at += fieldStart.size;
    if (start.length > area.length - at || values.has(type)) {
      badHeader();
    }
    values.set(type, area.subarray(at, at + start.length));
    at += start.length;
  }
  return values;
}

function isCritical(type: string): boolean {
  return (type.charCodeAt(0) & 0x20) === 0;
}

/**
 * Reads the fields between preamble and CRC. Syntax, missing and duplicate fields: BAD_HEADER; then an unknown critical
 * field: UNSUPPORTED_CRITICAL_FIELD. Unknown ancillary fields are skipped.
 */
export function readHeaderFields(area: Uint8Array): Fields {
  const values = cutFields(area);
  const fields: Partial<Record<FieldName, unknown>> = {};
  for (const name of fieldNames) {
    const value = values.get(name);
    if (value !== undefined) {
      fields[name] = fieldFormats[name].read(value);
    }
  }
  if (requiredFields.some((name) => !values.has(name))) {
    badHeader();
  }
  for (const type of values.keys()) {
    if (isCritical(type) && !isFieldName(type)) {
      throw new CodecError('UNSUPPORTED_CRITICAL_FIELD');
    }
  }
  return fields as Fields;
}

/** Suite, flags and segment size: the part of the preamble that is checked after the CRC has proved it undamaged. */
export function checkPreamble(preamble: Preamble): void {
  if (preamble.suite !== currentSuite) {
    throw new CodecError('UNSUPPORTED_SUITE');
  }
  const { segmentLog2 } = preamble;
  if (
    preamble.flags !== 0 ||
    segmentLog2 < segmentLog2Range.min ||
    segmentLog2 > segmentLog2Range.max
  ) {
    badHeader();
  }
}

/** The values of a preamble that a writer chooses; the rest is derived. */
export interface PreambleChoice {
  family: Family;
  kind: ContainerKind;
  segmentLog2: number;
  keyId: number;
  payloadLength: number;
  fileSalt: Uint8Array;
}

/** The H bytes of preamble and fields. */
export function writeHeader(choice: PreambleChoice, fields: Fields): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const name of fieldNames) {
    const value = fields[name];
    if (value !== undefined) {
      const format = fieldFormats[name] as FieldFormat<unknown>;
      const bytes = format.write(value);
      const start = new Uint8Array(fieldStart.size);
      fieldStart.write(viewOf(start), 0, { type: utf8.encode(name), length: bytes.length });
      parts.push(start, bytes);
    }
  }
  const preamble = new Uint8Array(preambleLayout.size);
  const header = concatBytes([preamble, ...parts]);
  if (header.length > limits.headerLength) {
    throw new RangeError('the header is longer than a header may be');
  }
  preambleLayout.write(viewOf(header), 0, {
    magic: magicBytes,
    major: currentMajor,
    minor: 0,
    family: containerOf(choice.family).number,
    kind: kindIds[choice.kind],
    suite: currentSuite,
    segmentLog2: choice.segmentLog2,
    flags: 0,
    headerLength: header.length,
    keyId: choice.keyId,
    payloadLength: choice.payloadLength,
    fileSalt: choice.fileSalt,
  });
  return header;
}

/** How many segments a payload of this size has. */
export function segmentCount(payloadLength: number, segmentLog2: number): number {
  return Math.max(1, Math.ceil(payloadLength / 2 ** segmentLog2));
}

/** The only valid length, in bytes, of a file with this preamble. */
export function exactLength(preamble: Preamble): number {
  const { headerLength, payloadLength, segmentLog2 } = preamble;
  return (
    headerLength +
    headerEndLength +
    payloadLength +
    segmentCount(payloadLength, segmentLog2) * tagLength
  );
}
