/** Owns the table organisation_preferences: an organisation's choices; null or a missing row means the default. */
import type { Family } from '@recodery/contract/families/registry';
import { defaultFileNameFormat } from '@recodery/contract/file-names';
import { defaultAutoSendAction } from '@recodery/contract/features/preferences';
import type { AutoSendAction } from '@recodery/contract/features/recoding/recoding';
import { sql } from 'kysely';
import { findTimeZone } from '../organisations/accounts.ts';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import { keepPlan } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';

type NameFormats = Readonly<Partial<Record<Family, string | null>>>;

/** An organisation's choices; null: not set. */
export interface StoredPreferences {
  /** Of encoded files, by family; absent or null: not set. */
  readonly nameFormats: NameFormats;
  readonly autoSendDefaultAction: AutoSendAction | null;
  readonly isPrivateByDefault: boolean | null;
  /** Of decoded files, of all families. */
  readonly decodedNameFormat: string | null;
  /** A name such as `Europe/Rome`. */
  readonly timeZone: string | null;
}

/** The choices of an organisation. */
export async function readPreferences(
  db: Db,
  organisationId: OrganisationId,
): Promise<StoredPreferences> {
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
    decodedNameFormat: row?.decoded_name_format ?? null,
    timeZone: row?.time_zone ?? null,
  };
}

/**
 * Saves changed choices; fields that `chosen` does not name stay unchanged. One statement: of two concurrent calls, the
 * last one wins entirely.
 */
export async function savePreferences(
  db: Db,
  organisationId: OrganisationId,
  chosen: Partial<StoredPreferences>,
): Promise<void> {
  const nameFormats = JSON.stringify(chosen.nameFormats ?? {});
  const columns = {
    ...(chosen.autoSendDefaultAction !== undefined && {
      auto_send_default_action: chosen.autoSendDefaultAction,
    }),
    ...(chosen.isPrivateByDefault !== undefined && {
      is_private_by_default: chosen.isPrivateByDefault,
    }),
    ...(chosen.decodedNameFormat !== undefined && {
      decoded_name_format: chosen.decodedNameFormat,
    }),
    ...(chosen.timeZone !== undefined && { time_zone: chosen.timeZone }),
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

/** How an organisation names a family's files. Without a time zone of its own, times are in the account's, or in UTC. */
export async function getNaming(
  db: Db,
  organisationId: OrganisationId,
  family: Family,
  accountGuid: string | null,
) {
  const { rows } = await sql<{
    encodedFormat: string | null;
    decodedFormat: string | null;
    timeZone: string | null;
  }>`
    select ${keepPlan} name_formats ->> ${family} as "encodedFormat", decoded_name_format as "decodedFormat",
      coalesce(chosen.time_zone, (select time_zone from account where guid = ${accountGuid})) as "timeZone"
    from organisation left join organisation_preferences chosen on organisation_guid = guid
    where guid = ${organisationId}`.execute(db);
  const [chosen] = rows;
  return {
    encodedFormat: chosen?.encodedFormat ?? defaultFileNameFormat,
    decodedFormat: chosen?.decodedFormat ?? defaultFileNameFormat,
    timeZone: chosen?.timeZone ?? 'UTC',
  };
}

/** The time zone that an organisation has chosen, else that of the user's browser, else null. */
export async function getTimeZone(
  db: Db,
  organisationId: OrganisationId,
  accountGuid: string | null,
): Promise<string | null> {
  const { timeZone } = await readPreferences(db, organisationId);
  return timeZone ?? findTimeZone(db, accountGuid);
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
