/** Owns the table organisation_preferences: an organisation's choices; null or a missing row means the default. */
import { type Family, definitionOf } from '@recodery/contract/families/registry';
import { defaultFileNameFormat } from '@recodery/contract/file-names';
import { defaultAutoSendAction } from '@recodery/contract/features/preferences';
import type { AutoSendAction } from '@recodery/contract/features/recoding';
import { sql } from 'kysely';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';

type NameFormats = Readonly<Partial<Record<Family, string | null>>>;

/** An organisation's choices; null: not set. */
export interface Preferences {
  /** Of encoded files, by family; absent or null: not set. */
  readonly nameFormats: NameFormats;
  readonly autoSendDefaultAction: AutoSendAction | null;
  readonly isPrivateByDefault: boolean | null;
}

/** The choices of an organisation. */
export async function readPreferences(
  db: Db,
  organisationId: OrganisationId,
): Promise<Preferences> {
  const row = await db
    .selectFrom('organisation_preferences')
    .selectAll()
    .where('organisation_guid', '=', organisationId)
    .executeTakeFirst();
  return {
    // Written by `savePreferences`.
    nameFormats: row?.name_formats ?? {},
    autoSendDefaultAction: row?.auto_send_default_action ?? null,
    isPrivateByDefault: row?.is_private_by_default ?? null,
  };
}

/**
 * Saves changed choices; fields that `chosen` does not name stay unchanged. One statement: of two concurrent calls, the
 * last one wins entirely.
 */
export async function savePreferences(
  db: Db,
  organisationId: OrganisationId,
  chosen: Partial<Preferences>,
): Promise<void> {
  const nameFormats = JSON.stringify(chosen.nameFormats ?? {});
  const columns = {
    ...(chosen.autoSendDefaultAction !== undefined && {
      auto_send_default_action: chosen.autoSendDefaultAction,
    }),
    ...(chosen.isPrivateByDefault !== undefined && {
      is_private_by_default: chosen.isPrivateByDefault,
    }),
  };
  await db
    .insertInto('organisation_preferences')
    .values({ organisation_guid: organisationId, name_formats: nameFormats, ...columns })
    .onConflict((conflict) =>
      conflict.column('organisation_guid').doUpdateSet({
        ...columns,
        name_formats: sql<string>`organisation_preferences.name_formats || ${nameFormats}::jsonb`,
        changed_on: sql<Date>`clock_timestamp()`,
      }),
    )
    .execute();
}

/** The name format of a family's encoded files. */
export async function getNameFormat(
  db: Db,
  organisationId: OrganisationId,
  family: Family,
): Promise<string> {
  if (definitionOf(family).nameFormatField === null) return defaultFileNameFormat;
  const { nameFormats } = await readPreferences(db, organisationId);
  return nameFormats[family] ?? defaultFileNameFormat;
}

/** An organisation's preferences for sending results. */
export interface SendingPreferences {
  readonly autoSendDefaultAction: AutoSendAction;
  readonly isPrivateByDefault: boolean;
}

/** The defaults for sending. Without the right to send, the product's defaults apply, regardless of earlier choices. */
export async function getSendingPreferences(
  db: Db,
  caller: Pick<Caller, 'organisationId' | 'rights'>,
): Promise<SendingPreferences> {
  const chosen = caller.rights.autoSend ? await readPreferences(db, caller.organisationId) : null;
  return {
    autoSendDefaultAction: chosen?.autoSendDefaultAction ?? defaultAutoSendAction,
    isPrivateByDefault: chosen?.isPrivateByDefault ?? true,
  };
}
