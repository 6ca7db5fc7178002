/** The texts and colors of areas and of the changes in them. */
import type { AreaKind, ChangedRegion } from '@recodery/contract/features/comparison';
import { bytesText, listText, numberText } from '../../i18n/formats.ts';
import type { Language } from '../../i18n/languages.ts';
import type { TextOf } from '../../i18n/texts.ts';

/** The fill of a kind in the map. */
export const areaFill: Readonly<Record<AreaKind, string>> = {
  calibration: 'fill-accent',
  code: 'fill-control',
  data: 'fill-line-strong',
  checksum: 'fill-good',
  identification: 'fill-bad',
  protected: 'fill-ink',
};

/** The same color as a background, also in forced colors, which the map keeps too. */
export const areaBackground: Readonly<Record<AreaKind, string>> = {
  calibration: 'bg-accent forced-color-adjust-none',
  code: 'bg-control forced-color-adjust-none',
  data: 'bg-line-strong forced-color-adjust-none',
  checksum: 'bg-good forced-color-adjust-none',
  identification: 'bg-bad forced-color-adjust-none',
  protected: 'bg-ink forced-color-adjust-none',
};

/** The names of the areas that a region touches; empty if the protocol knows none. */
export function areasText(t: TextOf, kinds: readonly AreaKind[], language: Language): string {
  return listText(
    kinds.map((kind) => t(`changes.kind.${kind}`)),
    language,
  );
}

/** How much of a region changed: regions also contain the equal bytes between two changes. */
export function changedBytesText(
  t: TextOf,
  { bytes, length }: Pick<ChangedRegion, 'bytes' | 'length'>,
  language: Language,
): string {
  const all = bytesText(length, language);
  return bytes === length
    ? t('changes.regionWhole', { bytes: all })
    : t('changes.regionPart', { bytes: numberText(bytes, language), length: all });
}
