/** The information fields: their names in a slave's INFO, and their labels on pages. */

import { limits, decodeUtf8 } from '../container/container.ts';
import type { Mode } from '@recodery/contract/families/family';
import {
  type InformationFields,
  type InformationKey,
  informationKeys,
  type InformationWord,
} from '@recodery/contract/families/information';
import { CodecError } from '../errors.ts';

/** Short names of the keys, for typing in the device simulator (`vin=…,hw=…`). */
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

/** What a slave reported about the ECU; a missing key is null. */
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

/** The value of a JSON text, or null. JSON.parse can report invalid text only by throwing. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The maximum length of a displayed field; no ECU has longer names. */
const longestText = 128;

/** A field as it is displayed: on one line, in its own text direction, and short enough for a panel. */
export function tidy(text: string): string | null {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ')
    .trim();
  return plain === '' ? null : [...plain.slice(0, 2 * longestText)].slice(0, longestText).join('');
}

/** The known keys of INFO as texts; a number is shown unchanged, any other type is omitted. */
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

/** Everything known about a read that a page may show. */
export interface Known {
  readonly information: SlaveInformation;
  /** Null: the engine that opened it does not report it. */
  readonly protocolId: number | null;
  readonly protocolName: string | null;
  readonly mode: Mode;
  /** Whether the images' own checksums are right; null: the protocol has none, or there is no image. */
  readonly isChecksumRight: boolean | null;
  /** Whether the image's identification was found; null: the protocol has none, or there is no image. */
  readonly isRecognised: boolean | null;
  /** Of the organisation that decoded it; null: unknown. */
  readonly customerCode: string | null;
  /** Of the master device that opened it; null: unknown. */
  readonly groupCode: string | null;
}

function protocolTitle({ protocolId, protocolName }: Known): string | null {
  return protocolId === null ? null : `${protocolId} ${protocolName}`;
}

/** `OK` or `KO`, as KESS3's panel shows a check; null stays null. */
function okOrKo(value: boolean | null): string | null {
  if (value === null) return null;
  return value ? 'OK' : 'KO';
}

/** The text of a fact, or null. */
function textOf(word: InformationWord, known: Known): string | null {
  switch (word) {
    case 'mode':
      return known.mode === 'obd' ? 'OBD' : 'BootBench';
    case 'protocol':
      return protocolTitle(known);
    case 'protocolID':
      return known.protocolId === null ? null : String(known.protocolId);
    case 'checksum':
      return okOrKo(known.isChecksumRight);
    case 'recognized':
      return okOrKo(known.isRecognised);
    case 'protocolName':
    case 'customerCode':
    case 'groupCode':
      return known[word];
    default:
      return known.information[word];
  }
}

/** Each field of a family's information with its text or null. */
export function labelInformation(
  fields: InformationFields,
  known: Known,
): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(fields).map(([label, word]) => [label, textOf(word, known)]),
  );
}
