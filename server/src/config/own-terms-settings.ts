/** The operator's terms of use, as the environment sets them. */
import { resolve } from 'node:path';
import type { OwnLinks } from './own-links.ts';
import type { SettingName } from './settings.ts';

/** The settings of the terms. */
interface TermsValues {
  readonly RECODERY_TERMS_DIR: string | null;
  readonly RECODERY_TERMS_VERSION: string;
  readonly RECODERY_TERMS_ARTICLES: readonly string[];
  readonly RECODERY_LINKS: OwnLinks;
}

/** The operator's terms of use. */
export function describeTerms(values: TermsValues, isGiven: (name: SettingName) => boolean) {
  const folder = values.RECODERY_TERMS_DIR;
  const names = [
    'RECODERY_TERMS_DIR',
    'RECODERY_TERMS_VERSION',
    'RECODERY_TERMS_ARTICLES',
  ] as const;
  return {
    /** Where the texts are; null: they are on another server, or on paper. */
    folder: folder && resolve(folder),
    /** Users who have accepted another version are asked again. */
    version: values.RECODERY_TERMS_VERSION,
    /** The articles that users accept expressly. */
    articles: values.RECODERY_TERMS_ARTICLES.filter((name) => name !== 'none'),
    /** Whether the operator has named them: the default ones belong to the text of the specification. */
    areArticlesNamed: isGiven('RECODERY_TERMS_ARTICLES'),
    /** The settings that are given: with any of them, the terms are those of the environment. */
    variables: [
      ...names.filter(isGiven),
      ...(values.RECODERY_LINKS.terms === undefined ? [] : (['RECODERY_LINKS'] as const)),
    ],
  };
}
