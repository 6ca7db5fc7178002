/** How a file that is sent was made, as the email and the page that offer it show it. */
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { findSealEnd } from '@recodery/contract/families/sealing';
import { fill, type ServerTexts } from '../texts/texts.ts';

export interface FileOrigin {
  readonly family: Family;
  /** When its maker's service sealed it, ISO 8601; null: none did. */
  readonly sealedOn: string | null;
  /** Whether a double of the demo made it. */
  readonly isDouble: boolean;
}

/** The device that a file is for: its serial number, or else the name of its family. */
export function nameDevice(serialNumber: string | null, origin: FileOrigin | null): string {
  return serialNumber ?? (origin && definitionOf(origin.family).name) ?? '–';
}

/** When a sealed file expires, with labels; nothing for a file that does not expire. */
export function sealFacts<T>(
  origin: FileOrigin | null,
  texts: ServerTexts,
  format: (time: Date) => T,
): readonly (readonly [label: string, value: T])[] {
  if (origin === null || origin.sealedOn === null) return [];
  const sealedOn = new Date(origin.sealedOn);
  const end = findSealEnd(origin.family, sealedOn);
  if (end === null) return [];
  return [
    [texts.shareSealedOn, format(sealedOn)],
    [texts.shareWriteBefore, format(end)],
  ];
}

/** That a double of the demo made a file; null: none did. */
export function doubleNote(origin: FileOrigin | null, texts: ServerTexts): string | null {
  if (origin?.isDouble !== true) return null;
  return fill(texts.doubleNote, definitionOf(origin.family).name);
}
