/** What the page is told of this installation before anybody has signed in. Nothing secret. */
import type { Config as PageConfig } from '@recodery/contract/service-status';
import type { Config } from '../config/config.ts';
import type { LinkName } from '../config/own-links.ts';
import { shortLanguages } from '../texts/texts.ts';

/** Stands at the foot where the operator names no company; names alone, which need no translation. */
const ownLine = 'Recodery · Apache License 2.0';

/**
 * Where a link leads for which the operator has set no address: to the chapter of the built-in guide that says it, or
 * nowhere, as an empty text. The guide cannot speak for the operator: it knows no terms, no support desk, no dealer and
 * no dashboard.
 */
function ownLink(publicUrl: string, name: LinkName): string {
  const guide = `${publicUrl}/guide/{language}`;
  switch (name) {
    case 'userGuide':
      return guide;
    case 'privacy':
    case 'cookies':
    case 'legal':
      return `${guide}#${name}`;
    case 'dealer':
    case 'dashboard':
    case 'terms':
    case 'support':
      return '';
  }
}

/** What the page is told of, of all that is configured. */
export type PageSettings = Pick<
  Config,
  'version' | 'publicUrl' | 'maxFileBytes' | 'links' | 'companyLines'
>;

/** The page's configuration, with links for a reader of `locale`, a language tag. */
export function describeConfig(config: PageSettings, locale: string): PageConfig {
  const { publicUrl, links, companyLines } = config;
  const address = (name: LinkName, language = locale.slice(0, 2)) =>
    (links[name] ?? ownLink(publicUrl, name)).replaceAll('{language}', language);
  return {
    productName: 'Recodery',
    version: config.version,
    signInURL: `${publicUrl}/sso/start`,
    maxFileBytes: config.maxFileBytes,
    links: {
      dealer: address('dealer'),
      dashboard: address('dashboard'),
      userGuide: Object.fromEntries(
        shortLanguages.map((language) => [language, address('userGuide', language)]),
      ),
      privacy: address('privacy'),
      cookies: address('cookies'),
      terms: address('terms'),
      legal: address('legal'),
      support: address('support'),
    },
    companyLines: companyLines.length > 0 ? [...companyLines] : [ownLine],
  };
}
