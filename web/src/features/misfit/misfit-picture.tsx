/** A picture of a file that does not fit: the ECU's image above, the file below, and what belongs where. */
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import { useId } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { hexAddress } from '../../i18n/formats.ts';
import { type ImageBar, type Joined, layOut, width } from './picture-layout.ts';

/** Units of the height: two bars, and the space that joins them. */
const bar = { height: 18, gap: 34 } as const;
const below = bar.height + bar.gap;
const height = below + bar.height;
/** Parts that a sentence for screen readers lists. */
const mostRead = 8;

function rangeText(offset: number, length: number): string {
  return `${hexAddress(offset)}–${hexAddress(offset + length - 1)}`;
}

/** What the picture shows, for screen readers. */
function useWords({ details }: Pick<Diagnosis, 'details'>): string {
  const { t } = useTexts();
  const { pieces = [], missing = [], outside = [] } = details;
  const places = pieces
    .slice(0, mostRead)
    .map(({ from, to, length }) =>
      t('misfit.picture.place', { from: rangeText(from, length), to: rangeText(to, length) }),
    );
  const gaps = missing
    .slice(0, mostRead)
    .map(({ offset, length }) => t('misfit.picture.missing', { range: rangeText(offset, length) }));
  const extras = outside
    .slice(0, mostRead)
    .map(({ offset, length }) => t('misfit.picture.outside', { range: rangeText(offset, length) }));
  return [...places, ...gaps, ...extras].join(' ');
}

/** A part of the file, joined with its place in the image. */
function Join({ joined: { above, below: under } }: { readonly joined: Joined }) {
  const corners = [
    [above.x, bar.height],
    [above.x + above.width, bar.height],
    [under.x + under.width, below],
    [under.x, below],
  ];
  return (
    <>
      <polygon
        points={corners.map((corner) => corner.join(',')).join(' ')}
        className="fill-accent opacity-20"
      />
      <rect {...above} y={0} height={bar.height} className="fill-accent stroke-surface" />
      <rect {...under} y={below} height={bar.height} className="fill-accent stroke-surface" />
    </>
  );
}

interface HatchedProps {
  readonly part: ImageBar;
  readonly y: number;
  readonly pattern: string;
}

/** A part that is not in the other bar: hatched, so that it differs in more than its color. */
function Hatched({ part, y, pattern }: HatchedProps) {
  return (
    <rect
      {...part}
      {...{ y }}
      height={bar.height}
      fill={`url(#${pattern})`}
      className="stroke-bad"
    />
  );
}

export function MisfitPicture({
  diagnosis,
}: {
  readonly diagnosis: Pick<Diagnosis, 'kind' | 'details'>;
}) {
  const { t } = useTexts();
  const pattern = useId();
  const words = useWords(diagnosis);
  const picture = layOut(diagnosis);
  if (picture === null) return null;
  const frame = 'fill-sunken stroke-line';
  return (
    <div className="mt-2 max-w-xl text-xs text-ink-2">
      <p aria-hidden="true">{t('misfit.picture.read')}</p>
      <svg
        role="img"
        aria-label={words}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="my-0.5 h-16 w-full forced-color-adjust-none"
      >
        <defs>
          <pattern id={pattern} width="12" height="12" patternUnits="userSpaceOnUse">
            <rect width="12" height="12" className="fill-surface" />
            <rect width="5" height="12" className="fill-bad" />
          </pattern>
        </defs>
        <rect {...picture.image} y={0} height={bar.height} className={frame} />
        <rect {...picture.file} y={below} height={bar.height} className={frame} />
        {picture.joined.map((joined, index) => (
          <Join key={index} joined={joined} />
        ))}
        {picture.missing.map((part, index) => (
          <Hatched key={index} part={part} y={0} pattern={pattern} />
        ))}
        {picture.outside.map((part, index) => (
          <Hatched key={index} part={part} y={below} pattern={pattern} />
        ))}
      </svg>
      <p aria-hidden="true">{t('misfit.picture.file')}</p>
    </div>
  );
}
