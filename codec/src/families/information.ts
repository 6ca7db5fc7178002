/** The information fields: how a slave's INFO names them, and under which labels each family shows them. */

import { limits, decodeUtf8 } from '../container/container.ts';
import type { Family, Mode } from '@recodery/contract/families';
import { CodecError } from '../errors.ts';

/** The keys that INFO may have; a slave may write others, which are kept and not shown. */
export const informationKeys = [
  'family',
  'serialNumber',
  'hardware',
  'hardwareVersion',
  'software',
  'softwareVersion',
  'softwareUpgrade',
  'softwareDate',
  'spare',
  'system',
  'engine',
  'vin',
] as const;
export type InformationKey = (typeof informationKeys)[number];

/** Short names of the keys, as a person types them for the device simulator (`vin=…,hw=…`). */
export const informationShortNames: Readonly<Record<string, InformationKey>> = {
  family: 'family',
  sn: 'serialNumber',
  hw: 'hardware',
  hwver: 'hardwareVersion',
  sw: 'software',
  swver: 'softwareVersion',
  swupg: 'softwareUpgrade',
  swdate: 'softwareDate',
  spare: 'spare',
  system: 'system',
  imp: 'system',
  engine: 'engine',
  vin: 'vin',
};

/** What a slave said about the ECU; a key that it did not give is null. */
export type SlaveInformation = Readonly<Record<InformationKey, string | null>>;

/** Reads INFO: UTF-8 JSON, an object, at most 16 KiB; throws INFO_ERROR. */
export function parseInfo(bytes: Uint8Array | null): Readonly<Record<string, unknown>> {
  const text = bytes === null || bytes.length > limits.infoSize ? null : decodeUtf8(bytes);
  const value = text === null ? null : parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CodecError('INFO_ERROR');
  }
  return value as Readonly<Record<string, unknown>>;
}

/** The value of a JSON text, or null. JSON.parse knows no other way to say no than to throw. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Letters of a field that are shown; no ECU names anything so long. */
const longestText = 128;

/** A field as it is shown: on one line, in its own direction, and of a length that a panel can hold. */
function tidy(text: string): string | null {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ')
    .trim();
  return plain === '' ? null : [...plain.slice(0, 2 * longestText)].slice(0, longestText).join('');
}

/** The known keys of INFO as texts; a number is shown as it stands, anything else not at all. */
export function readInformation(info: Readonly<Record<string, unknown>>): SlaveInformation {
  const textOf = (key: InformationKey): string | null => {
    const value = Object.hasOwn(info, key) ? info[key] : null;
    if (typeof value === 'number') {
      return String(value);
    }
    return typeof value === 'string' ? tidy(value) : null;
  };
  return Object.fromEntries(informationKeys.map((key) => [key, textOf(key)])) as SlaveInformation;
}

/** INFO's bytes for these fields; keys in a fixed order, so that the same read gives the same bytes. */
export function writeInfo(information: Readonly<Record<string, string>>): Uint8Array {
  const sorted = Object.entries(information).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(sorted)));
  if (bytes.length > limits.infoSize) {
    throw new RangeError('the information fields are longer than INFO may be');
  }
  return bytes;
}

/** All that a family's panel may show of a read. */
export interface Known {
  readonly slave: SlaveInformation;
  readonly slaveSerialNumber: string;
  readonly protocol: { readonly id: number; readonly name: string };
  readonly mode: Mode;
  /** Whether the images' own checksums hold; null: the protocol has none, or there is no image. */
  readonly isChecksumRight: boolean | null;
  /** Whether the image's identification was found; null: the protocol has none, or there is no image. */
  readonly isRecognised: boolean | null;
}

type Label = readonly [label: string, value: (known: Known) => string | null];

function said(key: InformationKey): (known: Known) => string | null {
  return (known) => known.slave[key];
}

function serialNumber(known: Known): string | null {
  return known.slave.serialNumber ?? known.slaveSerialNumber;
}

function protocolTitle({ protocol }: Known): string {
  return `${protocol.id} ${protocol.name}`;
}

function nothing(): null {
  return null;
}

function yesOrNo(value: boolean | null, yes: string, no: string): string | null {
  if (value === null) {
    return null;
  }
  return value ? yes : no;
}

/** The keys of `information`, which are KESSv2's field names and the panel labels of the other two, to the letter. */
const labels: Readonly<Record<Family, readonly Label[]>> = {
  kessv2: [
    ['protocolID', ({ protocol }) => String(protocol.id)],
    ['protocolName', ({ protocol }) => protocol.name],
    ['serialNumber', serialNumber],
    ['hardware', said('hardware')],
    ['software', said('software')],
    ['softwareUpgrade', said('softwareUpgrade')],
    ['spare', said('spare')],
    ['softwareDate', said('softwareDate')],
    ['imp', said('system')],
    ['engine', said('engine')],
    ['vin', said('vin')],
    ['softwareVersion', said('softwareVersion')],
  ],
  ktag: [
    ['PRT', protocolTitle],
    ['FAMILY', said('family')],
    ['SN', serialNumber],
    ['HW', said('hardware')],
    ['SW', said('software')],
    ['SW upd', said('softwareUpgrade')],
    ['Spare', said('spare')],
    ['Impianto', said('system')],
    ['Engine', said('engine')],
    ['VIN', said('vin')],
  ],
  kess3: [
    ['Mode', ({ mode }) => (mode === 'obd' ? 'OBD' : 'BootBench')],
    ['Cks', ({ isChecksumRight }) => yesOrNo(isChecksumRight, 'OK', 'KO')],
    ['Protocol', protocolTitle],
    ['Family', said('family')],
    ['HW', said('hardware')],
    ['HW Ver.', said('hardwareVersion')],
    ['SW', said('software')],
    ['SW Ver.', said('softwareVersion')],
    ['SW upg.', said('softwareUpgrade')],
    ['Spare', said('spare')],
    ['System', said('system')],
    ['VIN', said('vin')],
    ['Engine', said('engine')],
    ['Recognized', ({ isRecognised }) => yesOrNo(isRecognised, 'OK', 'KO')],
    ['SN', serialNumber],
    // Whose the slave is, the portal knows and fills in.
    ['Customer Code', nothing],
    ['Group Code', nothing],
  ],
};

/** What the family's panel shows, each label with its text or null. */
export function labelInformation(family: Family, known: Known): Record<string, string | null> {
  return Object.fromEntries(labels[family].map(([label, value]) => [label, value(known)]));
}
