/** Shows each setting with where its value comes from, without any secret. */
import { type SettingName, settings } from './settings.ts';

/** A setting of the environment as operators see it. */
export interface SettingOrigin {
  readonly name: SettingName;
  readonly source: 'environment' | 'default';
  /** Null: it is empty, or a secret. */
  readonly value: string | null;
  readonly isSecret: boolean;
  /** What it does, in English. */
  readonly about: string;
}

/** Those that are secrets, or addresses that can contain one. */
const secrets: ReadonlySet<string> = new Set<SettingName>([
  'RECODERY_DATABASE_URL',
  'RECODERY_DATABASE_DIRECT_URL',
  'RECODERY_STORAGE_URL',
  'RECODERY_OIDC_CLIENT_SECRET',
  'RECODERY_SMTP_URL',
  'RECODERY_SECRET',
  'RECODERY_UPDATES_URL',
]);

/** All settings, in the order of `.env.example`. `value` reads an environment variable. */
export function listOrigins(value: (name: string) => string | undefined): readonly SettingOrigin[] {
  return Object.entries(settings).map(([name, { shown, about }]) => {
    const given = value(name);
    const isSecret = secrets.has(name);
    return {
      name: name as SettingName,
      source: given === undefined ? 'default' : 'environment',
      value: isSecret ? null : (given ?? (shown || null)),
      isSecret,
      about,
    };
  });
}

/** Names in the environment that look like settings, such as misspelt ones. */
export function listUnknown(environment: Readonly<Record<string, unknown>>): readonly string[] {
  const isUnknown = (name: string) => name.startsWith('RECODERY_') && !(name in settings);
  return Object.keys(environment).filter(isUnknown);
}
