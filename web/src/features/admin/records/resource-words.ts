/** The texts of every resource, by the names in its declaration. */
import type { Field, FieldValue, Resource } from '@recodery/contract/admin/resource';
import { definitionOf, families } from '@recodery/contract/families/registry';
import { numberText, sizeText, timeText } from '../../../i18n/formats.ts';
import { type Language, languageNames, languageOf } from '../../../i18n/languages.ts';
import { hasText, type TextOf } from '../../../i18n/texts.ts';
import { chosenFile } from './chosen-files.ts';

/** The first of these keys that has a text; a name that a newer server declares is shown as it is. */
function firstText(t: TextOf, keys: readonly string[], otherwise: string): string {
  const known = keys.find(hasText);
  return known === undefined ? otherwise : t(known);
}

/** The label of a field. */
export function fieldLabel(t: TextOf, { name }: Pick<Resource, 'name'>, field: string): string {
  // a text in one language
  const language = field.length === 2 ? languageOf(field) : null;
  const otherwise = language === null ? field : languageNames[language];
  return firstText(t, [`admin.${name}.${field}`, `admin.field.${field}`], otherwise);
}

/** What to enter in a field, or null. */
export function fieldHint(
  t: TextOf,
  { name }: Pick<Resource, 'name'>,
  field: string,
): string | null {
  const text = firstText(t, [`admin.${name}.${field}Hint`, `admin.field.${field}Hint`], '');
  return text === '' ? null : text;
}

/** An option of a field. */
export function optionText(t: TextOf, field: string, option: string): string {
  const isLanguage = field === 'culture' || field === 'language';
  const language = isLanguage ? languageOf(option) : null;
  if (language !== null) return languageNames[language];
  const family = families.find((known) => known === option);
  if (family !== undefined) return definitionOf(family).name;
  const keys = [`admin.option.${field}.${option}`, `admin.option.${option}`];
  // the names of the kinds of engine are those of the settings
  return firstText(t, [...keys, `engines.${field}.${option}`], option);
}

/** A device as the directory names it, such as `kess3 KS3-1`, with the name of its family. */
export function deviceText(t: TextOf, device: string): string {
  const [family = '', ...serial] = device.split(' ');
  return [optionText(t, 'family', family), ...serial].join(' ');
}

/** Why the value of a field is not accepted, for a code of the server or of the form's own check. */
export function faultText(t: TextOf, code: string): string {
  return firstText(t, [`admin.fault.${code}`, 'admin.fault.INVALID'], code);
}

/** The label of an action's button. */
export function actionText(t: TextOf, { name }: Pick<Resource, 'name'>, action: string): string {
  return firstText(t, [`admin.${name}.${action}`, `admin.action.${action}`], action);
}

/** What still needs a record, such as `Users (2)`. */
export function needText(t: TextOf, name: string, count: string): string {
  const keys = [`admin.field.${name}`, `menu.${name}`, `admin.overview.${name}`];
  // receipts are a purpose of keys
  const text = firstText(t, [...keys, `admin.option.purpose.${name.slice(0, -1)}`], name);
  return count === '' ? text : `${text} (${count})`;
}

/** What an action does, before it is done; null: it is done at once. */
export function actionQuestion(
  t: TextOf,
  { name }: Pick<Resource, 'name'>,
  action: string,
): string | null {
  const text = firstText(t, [`admin.${name}.${action}About`], '');
  return text === '' ? null : text;
}

/** What is shown once an action is done. */
export function doneText(t: TextOf, resource: Pick<Resource, 'name'>, action: string): string {
  const otherwise = t('admin.done', { action: actionText(t, resource, action) });
  return firstText(t, [`admin.${resource.name}.${action}Done`], otherwise);
}

/** What a list shows of a switch; empty for the value that needs no words. */
export function flagText(t: TextOf, name: string, value: boolean): string {
  return firstText(t, [`admin.flag.${name}.${value ? 'on' : 'off'}`], '');
}

/** How values are written. */
export interface Writing {
  readonly t: TextOf;
  readonly language: Language;
  /** The reference time for formatting times. */
  readonly now: Date;
}

/** A file by the beginning of its hash, and by its name if the user has chosen it. */
function fileText(hash: string): string {
  const { name } = chosenFile(hash) ?? {};
  const short = `SHA-256 ${hash.slice(0, 12)}…`;
  return name === undefined ? short : `${name} (${short})`;
}

/** The value of a field as text; empty if there is none. */
export function valueText(
  { t, language, now }: Writing,
  name: string,
  { kind }: Pick<Field, 'kind'>,
  value: FieldValue | undefined,
): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return t(value ? 'admin.yes' : 'admin.no');
  if (typeof value === 'number')
    return kind === 'bytes' ? sizeText(value, language) : numberText(value, language);
  if (typeof value === 'string') {
    if (kind === 'time') return timeText(value, now, language);
    if (kind === 'file') return fileText(value);
    return kind === 'choice' ? optionText(t, name, value) : value;
  }
  return value.map((one) => (kind === 'choices' ? optionText(t, name, one) : one)).join(', ');
}
