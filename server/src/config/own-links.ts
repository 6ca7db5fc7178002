/** The operator's own URLs, which replace those of the built-in guide. */
import * as z from 'zod/mini';

/** The links of the page, by name. */
export const linkNames = [
  'dealer',
  'dashboard',
  'userGuide',
  'privacy',
  'cookies',
  'terms',
  'legal',
  'support',
] as const;
export type LinkName = (typeof linkNames)[number];

/** URLs by name; `{language}` in a URL is replaced with the two letters of the reader's language. */
export type OwnLinks = Readonly<Partial<Record<LinkName, string>>>;

const rule = `must be pairs separated by spaces, where each name is one of ${linkNames.join(', ')} and each value is a URL, such as terms=https://example.org/terms`;
const pairForm = new RegExp(`^(${linkNames.join('|')})=(.+)$`);

/** Whether an address can be the one of a link. */
export function isLinkAddress(address: string): boolean {
  const url = URL.parse(address.replaceAll('{language}', 'en'));
  return url !== null && ['https:', 'http:', 'mailto:'].includes(url.protocol);
}

const isPair = (word: string): boolean => isLinkAddress(pairForm.exec(word)?.[2] ?? '');

/** Parses URLs from words such as `terms=https://example.org/terms`. */
export const ownLinks = z.pipe(
  z.array(z.string().check(z.refine(isPair, rule))),
  z.transform(
    (pairs): OwnLinks => Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2))),
  ),
);
