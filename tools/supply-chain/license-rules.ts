/** Which licenses the packages of a commercial product that its customers run may have. Pure. */
import { idOf, type LockedPackage } from './production-packages.ts';

/** Licenses without conditions other than keeping their text: any package may have them. */
const allowed: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
]);

/** Licenses with a condition: only these packages may have them, because they meet it. */
const conditional: Readonly<Record<string, { readonly packages: RegExp; readonly why: string }>> = {
  'MPL-2.0': {
    packages: /^lightningcss(?:-|$)/,
    why: 'used as it is, by the build only; its source is public',
  },
  'OFL-1.1': {
    packages: /^@fontsource(?:-variable)?\//,
    why: 'fonts, delivered unchanged under their own names',
  },
};

/** Packages whose package.json has no license, with the one that their LICENSE file contains. */
const unnamed: Readonly<Record<string, string>> = {
  '@react-aria/optimize-locales-plugin': 'Apache-2.0',
};

/** A package with its license, and whether it may have it. */
export interface JudgedPackage {
  readonly id: string;
  readonly license: string;
  /** The condition under which the license is allowed; null: none. */
  readonly condition: string | null;
  readonly isAllowed: boolean;
}

/**
 * Checks the license of a package. Of alternatives (`A OR B`), one must be allowed; other expressions are not
 * supported.
 */
export function judgeLicense(one: LockedPackage): JudgedPackage {
  const license = one.license ?? unnamed[one.name] ?? 'none';
  const alternatives = license.replace(/^\((.*)\)$/, '$1').split(' OR ');
  const isFree = alternatives.some((alternative) => allowed.has(alternative));
  const rule = conditional[license];
  const isMet = rule?.packages.test(one.name) ?? false;
  const condition = isFree || rule === undefined ? null : rule.why;
  return { id: idOf(one), license, condition, isAllowed: isFree || isMet };
}
