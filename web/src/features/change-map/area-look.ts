/** The text and the color of each kind of area. */
import type { AreaKind } from '@recodery/contract/features/comparison';
import { listText } from '../../i18n/formats.ts';
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

/** The same color as a background. */
export const areaBackground: Readonly<Record<AreaKind, string>> = {
  calibration: 'bg-accent',
  code: 'bg-control',
  data: 'bg-line-strong',
  checksum: 'bg-good',
  identification: 'bg-bad',
  protected: 'bg-ink',
};

/** The names of the areas that a region touches; empty if the protocol knows none. */
export function areasText(t: TextOf, kinds: readonly AreaKind[], language: Language): string {
  return listText(
    kinds.map((kind) => t(`changes.kind.${kind}`)),
    language,
  );
}
