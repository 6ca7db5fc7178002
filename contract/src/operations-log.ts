/** The operations log: one CSV a family, of the last 30 days. */
import { file, route } from './api.ts';
import { type Family, familyNames } from './families.ts';

/** Days that the log covers. */
export const logDays = 30;

function logRoute<const F extends Family>(family: F) {
  return route('GET', `/api/operations-log/${family}`, {
    summary: `The ${familyNames[family]} operations of the last ${logDays} days as CSV (RFC 4180, UTF-8 with BOM), newest first, streamed.`,
    access: 'session',
    answer: file('text/csv; charset=utf-8'),
    refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS'],
  });
}

export const downloadKess3Log = logRoute('kess3');
export const downloadKessv2Log = logRoute('kessv2');
export const downloadKtagLog = logRoute('ktag');
