/** A sentence about a wrong size and the expected one: in KiB and MiB, or to the byte if they hardly differ. */
import type { WrongSize } from '@recodery/contract/features/operations';
import { bytesText, eitherText, sizeText } from './formats.ts';
import type { Language } from './languages.ts';
import type { TextOf } from './texts.ts';

/** Sizes that differ by less than this share look the same in KiB and MiB. */
const alike = 1 / 16;

/** Whether a size is so close to another that only their bytes show the difference. */
export function isAlike(size: number, actual: number): boolean {
  return Math.abs(actual - size) < size * alike;
}

/** A size followed by its exact bytes: `512 KiB (524,288 B)`. */
function exactText(bytes: number, language: Language): string {
  const size = sizeText(bytes, language);
  // below 1 KiB the size is already exact to the byte
  return bytes < 1024 ? size : `${size} (${bytesText(bytes, language)})`;
}

/** An actual size and the expected one. */
export function wrongSizeText(
  t: TextOf,
  { actual, allowed }: WrongSize,
  language: Language,
): string {
  const isList = 'length' in allowed;
  const bounds = isList ? allowed : [allowed.min, allowed.max];
  const isClose = bounds.some((size) => isAlike(size, actual));
  const text = (bytes: number): string =>
    isClose ? exactText(bytes, language) : sizeText(bytes, language);
  if (isList) {
    return t('problem.size', {
      actual: text(actual),
      allowed: eitherText(allowed.map(text), language),
    });
  }
  const { min, max } = allowed;
  return min === 0
    ? t('problem.sizeAtMost', { actual: text(actual), max: text(max) })
    : t('problem.sizeBetween', { actual: text(actual), min: text(min), max: text(max) });
}
