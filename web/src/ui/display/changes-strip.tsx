/**
 * A strip of the image from first to last byte, marked where the modified file differs: the lower the marks, the fewer
 * of the marked bytes changed.
 */
import type { Changes } from '@recodery/contract/features/recoding/recoding';
import { numberText, sizeText } from '../../i18n/formats.ts';
import { useTexts } from '../../i18n/texts.ts';
import { stripMarks } from './strip-marks.ts';

/** Units of the strip's height. */
const height = 8;
/** The least height of the marks: they stay visible. */
const leastHeight = 4;

/** The height of the marks: a span can join many distant changes, and must not look as if all its bytes changed. */
function heightOf({ bytes, spans }: Changes): number {
  const marked = spans.reduce((sum, { length }) => sum + length, 0);
  return Math.max(leastHeight, height * Math.sqrt(Math.min(1, bytes / Math.max(1, marked))));
}

export function ChangesStrip({ changes }: { readonly changes: Changes }) {
  const { t, language } = useTexts();
  const words = t('ui.changesStrip', {
    bytes: numberText(changes.bytes, language),
    size: sizeText(changes.size, language),
    regions: numberText(changes.regions, language),
  });
  const high = heightOf(changes);
  return (
    <svg
      role="img"
      aria-label={words}
      viewBox={`0 0 1000 ${height}`}
      preserveAspectRatio="none"
      className="h-2.5 w-full overflow-hidden rounded-[3px] bg-sunken inset-ring inset-ring-line forced-color-adjust-none"
    >
      {stripMarks(changes.spans, changes.size, 1000).map(({ x, width }) => (
        <rect key={x} {...{ x, width }} y={height - high} height={high} className="fill-modified" />
      ))}
    </svg>
  );
}
