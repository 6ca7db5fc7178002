/** The changed regions as CSV (RFC 4180), for spreadsheets and programs: the same columns in every language. */
import type { ChangedRegion } from '@recodery/contract/features/comparison';
import { addressText } from './addresses.ts';

/** Spreadsheets recognize UTF-8 by it. */
const byteOrderMark = '\uFEFF';

/** One line for each region: the addresses of its first and last byte, its bytes, those that changed, and its areas. */
export function csvOf(regions: readonly ChangedRegion[], size: number): string {
  const lines = regions.map(({ offset, length, bytes, kinds }) =>
    [
      addressText(offset, size),
      addressText(offset + length - 1, size),
      length,
      bytes,
      kinds.join(' '),
    ].join(','),
  );
  return `${byteOrderMark}${['first,last,length,changed,area', ...lines].join('\r\n')}\r\n`;
}
