/** When a sealed file expires, as facts for the email and the page that offer it. */
import { findSealEnd } from '@recodery/contract/families/sealing';
import type { ServerTexts } from '../texts/texts.ts';
import type { FileSeal } from './emails.ts';

/** The facts, with labels; none for a file that does not expire. */
export function sealFacts<T>(
  seal: FileSeal | null,
  texts: ServerTexts,
  format: (time: Date) => T,
): readonly (readonly [label: string, value: T])[] {
  if (seal === null) return [];
  const sealedOn = new Date(seal.sealedOn);
  const end = findSealEnd(seal.family, sealedOn);
  if (end === null) return [];
  return [
    [texts.shareSealedOn, format(sealedOn)],
    [texts.shareWriteBefore, format(end)],
  ];
}
