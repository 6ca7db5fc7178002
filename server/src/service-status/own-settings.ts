/** Owns the table own_setting: what operators set in the browser, such as the name of the installation. */
import { createHash } from 'node:crypto';
import type { OwnLinks } from '../config/own-links.ts';
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

/** The picture of the installation. `version` changes with its bytes. */
export interface OwnLogo {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly version: string;
}

const pictureForm = /^data:(image\/(?:png|svg\+xml));base64,([\w+/]+={0,2})$/;

/** Reads a picture from a data URL; null if its bytes are not what it claims to be. */
export function readPicture(url: string): OwnLogo | null {
  const [, mediaType, text] = pictureForm.exec(url) ?? [];
  if (mediaType === undefined || text === undefined) return null;
  const bytes = Buffer.from(text, 'base64');
  const isRight =
    mediaType === 'image/png'
      ? bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))
      : /^\s*(<\?xml[^>]*>\s*)?(<!--[^]*?-->\s*)*<svg[\s>]/.test(bytes.toString('utf8'));
  if (!isRight) return null;
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  return { bytes, mediaType, version };
}

/** The picture that operators have set, or null. */
export async function findOwnLogo(db: Db): Promise<OwnLogo | null> {
  const row = await db
    .selectFrom('own_setting')
    .where('name', '=', 'logo')
    .select('value')
    .executeTakeFirst();
  return typeof row?.value === 'string' ? readPicture(row.value) : null;
}

const linkPrefix = 'link.';

/** The links that operators have set in the browser. */
export function linksOf(settings: OwnSettings): OwnLinks {
  const found = [...settings].filter(([name]) => name.startsWith(linkPrefix));
  return Object.fromEntries(
    found.map(([name, value]) => [name.slice(linkPrefix.length), String(value)]),
  );
}
