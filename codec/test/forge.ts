/**
 * Writes valid and invalid containers by hand. It shares no code with the codec, only the documented layout, so it
 * finds a fault that the codec's writer and reader have in common.
 */

import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { fileKinds } from '@recodery/contract/families/family';
import {
  type ContainerFamily,
  containerOf,
  type Family,
  workflowOf,
} from '@recodery/contract/families/registry';
import { readId, salt, slaveOf, usualModeOf } from './slaves.ts';

/** Written down, so that they do not change; a newer family's is in its definition. */
const numbers: Readonly<Partial<Record<Family, number>>> = { kessv2: 1, ktag: 2, kess3: 3 };
const numberOf = (family: Family): number => numbers[family] ?? containerOf(family).number;

/** A line of a forged component table and its bytes; every number can be wrong. */
export interface ForgedComponent {
  type: number;
  bytes: Uint8Array;
  storage?: number;
  flags?: number;
  base?: number;
  size?: bigint;
  crc?: number;
  sha256?: Uint8Array;
  /** The bytes in the payload; by default the component's bytes, deflated if storage is 1. */
  packed?: Uint8Array;
}

export type ForgedField = readonly [type: string, value: Uint8Array];

/** What to forge; everything else is valid. */
export interface Forgery {
  family?: ContainerFamily;
  familyByte?: number;
  kind?: number;
  magic?: readonly number[];
  major?: number;
  minor?: number;
  suite?: number;
  segmentLog2?: number;
  flags?: number;
  headerLength?: number;
  keyId?: number;
  payloadLength?: bigint;
  pairKey?: Uint8Array;
  masterSerial?: string;
  slaveSerial?: string;
  protocolId?: number;
  mode?: number;
  components?: readonly ForgedComponent[];
  info?: unknown;
  /** INFO's bytes, unchanged; null: no INFO. */
  infoBytes?: Uint8Array | null;
  /** The component table's bytes, unchanged. */
  table?: Uint8Array;
  /** Changes the list of fields before it is written. */
  fields?: (usual: ForgedField[]) => readonly ForgedField[];
  /** Changes the preamble and fields before CRC and MAC are calculated. */
  header?: (bytes: Buffer) => Buffer;
  isCrcWrong?: boolean;
  isMacWrong?: boolean;
}

export function numberBytes(value: number | bigint, size: 1 | 2 | 4 | 8): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes.subarray(0, size);
}

function packedOf(component: ForgedComponent): Uint8Array {
  return (
    component.packed ??
    (component.storage === 1 ? deflateRawSync(component.bytes) : component.bytes)
  );
}

/** The bytes of a component table. */
export function tableOf(components: readonly ForgedComponent[]): Buffer {
  const lines = components.map((component) =>
    Buffer.concat([
      numberBytes(component.type, 1),
      numberBytes(component.storage ?? 0, 1),
      numberBytes(component.flags ?? 0, 2),
      numberBytes(component.base ?? 0, 4),
      numberBytes(component.size ?? component.bytes.length, 8),
      numberBytes(component.crc ?? crc32(component.bytes), 4),
      component.sha256 ?? createHash('sha256').update(component.bytes).digest(),
    ]),
  );
  return Buffer.concat([numberBytes(components.length, 1), ...lines]);
}

function usualFields(forgery: Forgery, components: readonly ForgedComponent[]): ForgedField[] {
  const slave = slaveOf(forgery.family ?? 'kessv2');
  const usualMode = usualModeOf(forgery.family ?? 'kessv2') === 'bootbench' ? 2 : 1;
  return [
    ['MCOD', Buffer.from(forgery.masterSerial ?? slave.masterSerial)],
    ['SSER', Buffer.from(forgery.slaveSerial ?? slave.slaveSerial)],
    ['PROT', numberBytes(forgery.protocolId ?? 9000, 4)],
    ['MODE', numberBytes(forgery.mode ?? usualMode, 1)],
    ['RDID', readId],
    ['COMP', forgery.table ?? tableOf(components)],
  ];
}

export function fieldBytes([type, value]: ForgedField): Buffer {
  return Buffer.concat([Buffer.from(type, 'latin1'), numberBytes(value.length, 4), value]);
}

function preambleOf(forgery: Forgery, headerLength: number, payloadLength: number): Buffer {
  return Buffer.concat([
    Buffer.from(forgery.magic ?? [0x89, 0x54, 0x46, 0x43, 0x0d, 0x0a, 0x1a, 0x0a]),
    numberBytes(forgery.major ?? 1, 1),
    numberBytes(forgery.minor ?? 0, 1),
    numberBytes(forgery.familyByte ?? numberOf(forgery.family ?? 'kessv2'), 1),
    numberBytes(
      forgery.kind ?? fileKinds.indexOf(workflowOf(forgery.family ?? 'kessv2').readKind) + 1,
      1,
    ),
    numberBytes(forgery.suite ?? 1, 1),
    numberBytes(forgery.segmentLog2 ?? 16, 1),
    numberBytes(forgery.flags ?? 0, 2),
    numberBytes(forgery.headerLength ?? headerLength, 4),
    numberBytes(forgery.keyId ?? 1, 4),
    numberBytes(forgery.payloadLength ?? payloadLength, 8),
    salt,
  ]);
}

function segmentsOf(payload: Buffer, key: Buffer, mac: Buffer, log2: number): Buffer[] {
  const size = 2 ** log2;
  const count = Math.max(1, Math.ceil(payload.length / size));
  return Array.from({ length: count }, (_, index) => {
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(index, 7);
    nonce[11] = index === count - 1 ? 1 : 0;
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(mac);
    const sealed = cipher.update(payload.subarray(index * size, (index + 1) * size));
    cipher.final();
    return Buffer.concat([sealed, cipher.getAuthTag()]);
  });
}

function forgedInfo(forgery: Forgery): ForgedComponent[] {
  if (forgery.infoBytes === null) {
    return [];
  }
  const bytes = forgery.infoBytes ?? Buffer.from(JSON.stringify(forgery.info ?? { vin: 'VIN' }));
  return [{ type: 0x10, bytes }];
}

const fileKeys = new Map<string, Buffer>();

/** One of a file's two keys; cached, because thousands of forgeries share them. */
function fileKey(pairKey: Uint8Array, purpose: string, place: Buffer): Buffer {
  const name = `${purpose} ${place.toString('hex')} ${Buffer.from(pairKey).toString('hex')}`;
  const info = Buffer.concat([Buffer.from(purpose), place]);
  const key = fileKeys.get(name) ?? Buffer.from(hkdfSync('sha256', pairKey, salt, info, 32));
  fileKeys.set(name, key);
  return key;
}

/** A complete container, sealed for the family's usual slave, with the forged parts. */
export function forge(forgery: Forgery = {}): Buffer {
  const components = [...forgedInfo(forgery), ...(forgery.components ?? [])];
  const usual = usualFields(forgery, components);
  const fields = Buffer.concat((forgery.fields?.(usual) ?? usual).map(fieldBytes));
  const payload = Buffer.concat(components.map(packedOf));
  const plain = Buffer.concat([preambleOf(forgery, 64 + fields.length, payload.length), fields]);
  const header = forgery.header?.(plain) ?? plain;
  const crc = crc32(header);
  const withCrc = Buffer.concat([
    header,
    numberBytes(forgery.isCrcWrong === true ? (crc ^ 1) >>> 0 : crc, 4),
  ]);
  const pairKey = forgery.pairKey ?? slaveOf(forgery.family ?? 'kessv2').pairKey;
  const place = header.subarray(10, 12);
  const keyOf = (purpose: string): Buffer => fileKey(pairKey, purpose, place);
  const mac = createHmac('sha256', keyOf('tfc/1/header')).update(withCrc).digest();
  const log2 = Math.min(Math.max(forgery.segmentLog2 ?? 16, 4), 20);
  const segments = segmentsOf(payload, keyOf('tfc/1/payload'), mac, log2);
  const shown = Buffer.from(mac);
  if (forgery.isMacWrong === true) {
    shown[31] = (shown[31] ?? 0) ^ 1;
  }
  return Buffer.concat([withCrc, shown, ...segments]);
}
