/** The operations log: one CSV per family, covering the last 30 days. */
import { file, route } from '../api.ts';
import { byFamily, definitionOf, type Family } from '../families/registry.ts';

/** Days that the log covers. */
export const logDays = 30;

function logRoute(family: Family) {
  return route('GET', `/api/operations-log/${family}`, {
    summary: `Streams the ${definitionOf(family).name} operations of the last ${logDays} days as CSV (RFC 4180, UTF-8 with BOM), newest first.`,
    access: 'portal',
    answer: file('text/csv; charset=utf-8'),
    refusals: ['API_ERROR_UNAUTHORIZED', 'USER_NO_RIGHTS'],
  });
}

/** The log of each family. */
export const logRoutes = byFamily(logRoute);
