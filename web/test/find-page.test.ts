/** The reason why no page opens a file that was dropped on the home page. */
import { faultDetails } from '@recodery/contract/operations';
import { expect, test } from 'vitest';
import { faultOfUnopened } from '../src/pages/find-page.ts';

test('an archive is refused with its kind as the detail', () => {
  const fault = faultOfUnopened({ outcome: 'archive', archive: '7z' });
  if (fault.kind !== 'refused' || !(fault.thrown instanceof Error)) throw new Error(fault.kind);
  expect(fault.thrown).toMatchObject({ code: 'FILE_IS_ZIP_ARCHIVE' });
  const { details } = fault.thrown as Error & { details: unknown };
  expect(faultDetails.parse(details).detail).toBe('7z');
});
