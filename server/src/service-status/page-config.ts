/** The configuration that the page gets before sign-in. Contains nothing secret. */
import type { PageConfig } from '@recodery/contract/features/service-status';
import { signInStartPath } from '@recodery/contract/sign-in-paths';
import type { Config } from '../config/config.ts';
import type { LinkName } from '../config/own-links.ts';
import { shortLanguages } from '../texts/texts.ts';

/** Shown in the footer if the operator has not set a company; contains only names, which need no translation. */
const ownLine = 'Recodery · Apache License 2.0';

/**
 * The chapters of the built-in guide that a link leads to if the operator has configured no URL for it. The guide
 * cannot replace the operator's own pages: it has no terms, support desk, dealer or dashboard.
 */
const chapters: Readonly<Partial<Record<LinkName, string>>> = {
  userGuide: '',
  privacy: '#privacy',
  cookies: '#cookies',
  legal: '#legal',
};

/** The part of the configuration that the page gets. */
export interface PageSettings
  extends Pick<
    Config,
    'version' | 'publicUrl' | 'maxFileBytes' | 'smtpUrl' | 'links' | 'companyLines'
  > {
  /** The name of the installation. */
  readonly productName: string;
  /** The path of its logo; null: it has none. */
  readonly logo: string | null;
  readonly terms: { readonly version: string; readonly articles: readonly string[] };
}

/** The page's configuration, with links for a reader of `locale`, a language tag. */
export function describeConfig(config: PageSettings, locale: string): PageConfig {
  const { publicUrl, links, companyLines, terms } = config;
  const address = (name: LinkName, language = locale.slice(0, 2)) => {
    const chapter = chapters[name];
    const own = chapter === undefined ? '' : `${publicUrl}/guide/{language}${chapter}`;
    return (links[name] ?? own).replaceAll('{language}', language);
  };
  return {
    productName: config.productName,
    version: config.version,
    signInURL: `${publicUrl}${signInStartPath}`,
    maxFileBytes: config.maxFileBytes,
    sendsEmail: config.smtpUrl !== null,
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
    terms: { version: terms.version, articles: [...terms.articles] },
    ...(config.logo === null ? {} : { logo: config.logo }),
    companyLines: companyLines.length > 0 ? [...companyLines] : [ownLine],
  };
}
