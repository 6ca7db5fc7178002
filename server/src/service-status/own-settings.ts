/** Owns the table own_setting: what operators set in the browser, such as the name of the installation. */
import type { OwnLinks } from '../config/own-links.ts';
import { pictureTypeOf } from '../organisations/logo-file.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** A text, lines, or a picture as a data URL. */
export type OwnSettingValue = string | readonly string[];

/** The values that are set, by name. */
export type OwnSettings = ReadonlyMap<string, OwnSettingValue>;

/** All settings but the picture: every visit reads them. */
export async function readOwnSettings(db: Db): Promise<OwnSettings> {
  const rows = await db
    .selectFrom('own_setting')
    .where('name', '!=', 'logo')
    .select(['name', 'value'])
    .execute();
  return new Map(rows.map(({ name, value }) => [name, value as OwnSettingValue]));
}

/** Saves a setting; null: its default applies. In a transaction. */
export async function saveOwnSetting(
  trx: Db,
  name: string,
  value: OwnSettingValue | null,
): Promise<void> {
  if (value === null) {
    await trx.deleteFrom('own_setting').where('name', '=', name).execute();
    return;
  }
  const row = { value: JSON.stringify(value), changed_on: new Date() };
  await trx
    .insertInto('own_setting')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/** The picture of the installation. */
export interface OwnLogo {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

const pictureForm = /^data:(image\/(?:png|svg\+xml));base64,([\w+/]+={0,2})$/;

/** Reads a picture from a data URL; null if its bytes are not what it claims to be. */
export function readPicture(url: string): OwnLogo | null {
  const [, mediaType, text] = pictureForm.exec(url) ?? [];
  if (mediaType === undefined || text === undefined) return null;
  const bytes = Buffer.from(text, 'base64');
  return pictureTypeOf(bytes) === mediaType ? { bytes, mediaType } : null;
}

const ownLogo = (db: Db) => db.selectFrom('own_setting').where('name', '=', 'logo');

/** The picture that operators have set, or null. */
export async function findOwnLogo(db: Db): Promise<OwnLogo | null> {
  const row = await ownLogo(db).select('value').executeTakeFirst();
  return typeof row?.value === 'string' ? readPicture(row.value) : null;
}

/** Changes whenever the picture is saved: 12 hexadecimal digits, or null when none is set. Every visit reads it. */
export async function readLogoVersion(db: Db): Promise<string | null> {
  const row = await ownLogo(db).select('changed_on').executeTakeFirst();
  return row === undefined ? null : row.changed_on.getTime().toString(16).padStart(12, '0');
}

const linkPrefix = 'link.';

/** The links that operators have set in the browser. */
export function linksOf(settings: OwnSettings): OwnLinks {
  const found = [...settings].filter(([name]) => name.startsWith(linkPrefix));
  return Object.fromEntries(
    found.map(([name, value]) => [name.slice(linkPrefix.length), String(value)]),
  );
}
