/** The search and the filters of the list of jobs in the page's address, so that a reload and Back restore them. */
import { families, type Family } from '@recodery/contract/families/registry';
import { mostHashes } from '@recodery/contract/features/jobs/jobs';
import type { JobQuery } from './jobs.ts';

/** What the finder shows; empty text: no filter. Days are local dates such as `2026-03-22`. */
export interface JobSearch {
  readonly search: string;
  readonly family: string;
  readonly device: string;
  readonly person: string;
  readonly from: string;
  readonly to: string;
  readonly kept: boolean;
  readonly expiring: boolean;
}

const flags = ['kept', 'expiring'] as const;
const names = ['search', 'family', 'device', 'person', 'from', 'to'] as const;

/** Reads the parameters of an address. */
export function readSearch(parameters: URLSearchParams): JobSearch {
  const [search, family, device, person, from, to] = names.map(
    (name) => parameters.get(name) ?? '',
  ) as [string, string, string, string, string, string];
  const [kept, expiring] = flags.map((name) => parameters.has(name)) as [boolean, boolean];
  return { search, family, device, person, from, to, kept, expiring };
}

/** The parameters for a search, without what is not set. */
export function writeSearch(search: JobSearch): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const name of names) if (search[name] !== '') parameters.set(name, search[name]);
  for (const name of flags) if (search[name]) parameters.set(name, '');
  return parameters;
}

/** The parameters that show the jobs of a file, or of the files in an archive, by their hashes. */
export function parametersOf(hashes: readonly string[], fileName: string): URLSearchParams {
  return new URLSearchParams({ sha256: hashes.slice(0, mostHashes).join(','), file: fileName });
}

/** Whether a filter is set. */
export function isFiltered(search: JobSearch): boolean {
  const isSet = names.some((name) => name !== 'search' && search[name] !== '');
  return isSet || flags.some((name) => search[name]);
}

/** The beginning of a local day, plus `days`; null if it is not a date. */
function startOf(day: string, days = 0): string | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return null;
  const time = new Date(Number(year), Number(month) - 1, Number(date) + days);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

const isFamily = (text: string): text is Family => families.some((one) => one === text);
const guidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The query for the server, without values that it would refuse. */
export function toQuery(filters: JobSearch): JobQuery {
  const { search, family, device, person, from, to, kept, expiring } = filters;
  const [start, end] = [startOf(from), startOf(to, 1)];
  const text = search.replaceAll('\0', '').slice(0, 200).trim();
  return {
    ...(text === '' ? {} : { search: text }),
    ...(isFamily(family) ? { family } : {}),
    ...(device === '' ? {} : { device: device.slice(0, 64) }),
    ...(guidForm.test(person) ? { person } : {}),
    ...(start === null ? {} : { from: start }),
    ...(end === null ? {} : { to: end }),
    ...(kept ? { kept: 'true' as const } : {}),
    ...(expiring ? { expiring: 'true' as const } : {}),
  };
}
