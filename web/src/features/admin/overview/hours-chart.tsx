/** The operations of the last hours as small columns. Their sums are next to it as text, so only those are announced. */
import type { Overview } from '@recodery/contract/admin/overview';

export type Hours = Overview['operations']['hours'];

/** Percent of the height that the smallest column has, so that one operation is visible next to thousands. */
const least = 6;

export function HoursChart({ hours }: { readonly hours: Hours }) {
  const most = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed));
  const heightOf = (count: number): string =>
    `${count === 0 ? 0 : Math.max(least, (100 * count) / most)}%`;
  return (
    <div aria-hidden="true" className="flex h-12 items-end gap-0.5 border-b border-line">
      {hours.map(({ from, succeeded, failed }) => (
        <div key={from} className="flex h-full min-w-0 flex-1 flex-col justify-end">
          <div className="bg-bad forced-colors:bg-[Mark]" style={{ height: heightOf(failed) }} />
          <div
            className="bg-accent forced-colors:bg-[Highlight]"
            style={{ height: heightOf(succeeded) }}
          />
        </div>
      ))}
    </div>
  );
}
