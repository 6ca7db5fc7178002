/** The operator's own addresses, in place of those of the built-in guide. */

/** The links that the page is given, by name. */
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

/** Addresses by name; `{language}` in one stands for the two letters of the reader's language. */
export type OwnLinks = Readonly<Partial<Record<LinkName, string>>>;

function isLinkName(name: string): name is LinkName {
  return linkNames.some((known) => known === name);
}

function isAddress(text: string): boolean {
  const url = URL.parse(text.replaceAll('{language}', 'en'));
  return url !== null && ['https:', 'http:', 'mailto:'].includes(url.protocol);
}

/** Reads `name=address` pairs, parted by spaces; gives the first word that is none instead of the links. */
export function parseLinks(text: string): OwnLinks | { readonly wrong: string } {
  const links: Partial<Record<LinkName, string>> = {};
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const at = word.indexOf('=');
    const name = word.slice(0, Math.max(0, at));
    const address = word.slice(at + 1);
    if (!isLinkName(name) || !isAddress(address)) return { wrong: word };
    links[name] = address;
  }
  return links;
}
