/** What the page is told of this installation before anybody has signed in. Nothing secret. */
import type { Config as PageConfig } from '@recodery/contract/service-status';
import type { Config } from '../platform/config.ts';

/** The languages of the user guide, by the first two letters of the page's language. */
const guideLanguages = ['de', 'en', 'es', 'fr', 'it', 'pt', 'zh', 'pl', 'ru'] as const;

/** The page's configuration. The links lead to this installation's own guide: an operator has no others to begin with. */
export function describeConfig(
  config: Pick<Config, 'version' | 'publicUrl' | 'maxFileBytes'>,
): PageConfig {
  const { publicUrl } = config;
  const guide = (chapter: string) => `${publicUrl}/guide/en#${chapter}`;
  return {
    productName: 'Recodery',
    version: config.version,
    signInURL: `${publicUrl}/sso/start`,
    maxFileBytes: config.maxFileBytes,
    links: {
      dealer: guide('slaves'),
      dashboard: `${publicUrl}/`,
      userGuide: Object.fromEntries(
        guideLanguages.map((language) => [language, `${publicUrl}/guide/${language}`]),
      ),
      privacy: guide('privacy'),
      cookies: guide('cookies'),
      terms: guide('terms'),
      legal: guide('legal'),
      support: guide('support'),
    },
    companyLines: ['Open source under the Apache License 2.0'],
  };
}
