/** The settings of the installation with where each comes from, as a resource of the administration. */
import type { FieldErrors } from '@recodery/contract/admin/check-fields';
import { pathOf } from '@recodery/contract/api';
import type { AnyValues } from '@recodery/contract/admin/resource';
import { resources } from '@recodery/contract/admin/resources';
import { getInstallationLogo } from '@recodery/contract/features/service-status';
import type { Config } from '../../config/config.ts';
import { createHash } from 'node:crypto';
import { isLinkAddress, type LinkName, linkNames } from '../../config/own-links.ts';
import type { SettingOrigin } from '../../config/setting-origins.ts';
import {
  type OwnSettings,
  readLogoVersion,
  readOwnSettings,
  readPicture,
  saveOwnSetting,
} from '../../service-status/own-settings.ts';
import type { KeptStore } from '../records/kept-records.ts';
import { textIn, textsIn, type Values } from '../records/resource-store.ts';

/** The settings of the environment. */
export interface SettingsDeps {
  readonly configured: Pick<Config, 'links' | 'companyLines' | 'origins'>;
}

/** Maximum characters of the name, which is in the header of every page. */
const longestName = 40;
const mostLines = 8;

/** Shown with their parts, or on the page of the terms. */
const inParts: ReadonlySet<string> = new Set(['RECODERY_LINKS', 'RECODERY_COMPANY']);

/** A setting has no GUID: one that is made from its name takes the place of one. */
function guidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [8, 12, 16, 20, 32].map((end, at, ends) => hex.slice(ends[at - 1] ?? 0, end)).join('-');
}

const empty = { value: null, lines: [], image: null, variable: null, about: null } as const;

/** A setting that operators can change here, unless the environment sets it. */
function changeable(
  name: string,
  type: 'text' | 'link' | 'lines' | 'image',
  environment: { readonly variable: string; readonly values: Values } | null,
  own: Values | null,
): Values {
  const source = environment !== null ? 'environment' : own !== null ? 'page' : 'default';
  return {
    ...empty,
    ...(environment?.values ?? own),
    name,
    type,
    source,
    variable: environment?.variable ?? null,
    isEditable: environment === null,
  };
}

function linkOf(name: LinkName, { links }: SettingsDeps['configured'], own: OwnSettings): Values {
  const given = links[name];
  const environment =
    given === undefined ? null : { variable: 'RECODERY_LINKS', values: { value: given } };
  const value = own.get(`link.${name}`);
  return changeable(
    `link.${name}`,
    'link',
    environment,
    value === undefined ? null : { value: String(value) },
  );
}

function companyOf({ companyLines }: SettingsDeps['configured'], own: OwnSettings): Values {
  const shown = (lines: readonly string[]): Values => ({ lines, value: lines.join(' | ') });
  const value = own.get('companyLines');
  return changeable(
    'companyLines',
    'lines',
    companyLines.length === 0
      ? null
      : { variable: 'RECODERY_COMPANY', values: shown(companyLines) },
    Array.isArray(value) ? shown(value) : null,
  );
}

const fixedValues = ({ name, source, value, isSecret, about }: SettingOrigin): Values => ({
  ...empty,
  name,
  type: isSecret ? 'secret' : 'fixed',
  source,
  value: isSecret && source === 'environment' ? '••••••••' : value,
  variable: name,
  isEditable: false,
  about,
});

/** The links that are set here; that to the terms belongs to their page. */
const ownLinkNames = linkNames.filter((name) => name !== 'terms');

function openSettingsRead({ configured }: SettingsDeps): KeptStore['read'] {
  return async (db) => {
    const own = await readOwnSettings(db);
    const version = await readLogoVersion(db);
    const name = own.get('productName');
    const image = version && pathOf(getInstallationLogo, { version });
    const records = [
      changeable('productName', 'text', null, name === undefined ? null : { value: String(name) }),
      changeable('logo', 'image', null, image === null ? null : { image }),
      companyOf(configured, own),
      ...ownLinkNames.map((one) => linkOf(one, configured, own)),
      ...configured.origins.filter((one) => !inParts.has(one.name)).map(fixedValues),
    ];
    return new Map(records.map((values) => [guidOf(String(values['name'])), values]));
  };
}

function findErrors(values: AnyValues, _before: Values | null, sent: AnyValues): FieldErrors {
  const value = textIn(values, 'value');
  const image = textIn(sent, 'image');
  switch (values['type']) {
    case 'text':
      return value.length > longestName ? { value: 'TOO_LONG' } : {};
    case 'link':
      return value === '' || isLinkAddress(value) ? {} : { value: 'INVALID' };
    case 'lines':
      return textsIn(values, 'lines').length > mostLines ? { lines: 'TOO_LONG' } : {};
    case 'image':
      return image === '' || image.startsWith('/') || readPicture(image) !== null
        ? {}
        : { image: 'INVALID' };
    default:
      return {};
  }
}

/** The value that a form without errors saves; undefined: it stays as it is. */
function savedValue(values: AnyValues) {
  if (values['type'] === 'lines') {
    const lines = textsIn(values, 'lines');
    return lines.length === 0 ? null : lines;
  }
  if (values['type'] !== 'image') return textIn(values, 'value') || null;
  const image = textIn(values, 'image');
  return image.startsWith('/') ? undefined : image || null;
}

export function openSettings(deps: SettingsDeps): KeptStore {
  return {
    declared: resources.settings,
    read: openSettingsRead(deps),
    findErrors,
    async update(trx, _guid, values) {
      const value = savedValue(values);
      if (value !== undefined) await saveOwnSetting(trx, textIn(values, 'name'), value);
    },
  };
}
