/** A strip of the image from first to last byte, marked where the modified file differs. */
import type { Changes } from '@recodery/contract/features/recoding';
import { numberText, sizeText } from '../i18n/formats.ts';
import { useTexts } from '../i18n/texts.ts';
import { stripMarks } from './strip-marks.ts';

export function ChangesStrip({ changes }: { readonly changes: Changes }) {
  const { t, language } = useTexts();
  const words = t('ui.changesStrip', {
    bytes: numberText(changes.bytes, language),
    size: sizeText(changes.size, language),
    regions: numberText(changes.regions, language),
  });
  return (
    <svg
      role="img"
      aria-label={words}
      viewBox="0 0 1000 8"
      preserveAspectRatio="none"
      className="h-2.5 w-full overflow-hidden rounded-[3px] bg-sunken inset-ring inset-ring-line"
    >
      {stripMarks(changes.spans, changes.size, 1000).map(({ x, width }) => (
        <rect key={x} x={x} y="0" width={width} height="8" className="fill-modified" />
      ))}
    </svg>
  );
}
