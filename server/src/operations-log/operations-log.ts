/** Reads the operations log: the operations of the last days with user, action and files, a page at a time. */
import type { Family, Workflow } from '@recodery/contract/families/registry';
import { logDays } from '@recodery/contract/features/operations-log';
import { sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** A file as the log names it. It may have been deleted since: its name and hash are kept as long as the log. */
export interface LogFile {
  readonly guid: string;
  readonly role: string;
  readonly component: string | null;
  readonly name: string;
  readonly sha256: string;
}

/** An operation in the log. */
export interface LogEntry {
  readonly guid: string;
  readonly createdOn: Date;
  readonly completedOn: Date | null;
  readonly type: string;
  readonly status: string;
  readonly errorName: string | null;
  readonly internalCode: string | null;
  readonly request: JsonObject;
  readonly result: JsonObject | null;
  /** Of the user or the client application. */
  readonly userName: string | null;
  readonly userEmail: string | null;
  readonly customerCode: string;
  readonly groupCode: string;
  readonly slaveSerialNumber: string | null;
  readonly protocolId: number | null;
  readonly mode: string | null;
  readonly workflow: Workflow;
  readonly readFileName: string;
  /** The vehicle's VIN from the read: never shown, but needed to find it in names. */
  readonly vin: string | null;
}

/** Where the next page begins. The time is the database's text: a Date would lose its microseconds. */
export interface LogPlace {
  readonly createdOn: string;
  readonly guid: string;
}

export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** null: this was the last one. */
  readonly next: LogPlace | null;
}

/** The organisation and family of a log. */
export interface LogQuestion {
  readonly organisationId: OrganisationId;
  readonly family: Family;
  /** Of the local times, a name such as `Europe/Rome`. */
  readonly timeZone: string;
}

interface Row extends LogEntry {
  readonly place: string;
}

/**
 * A page of the log, newest first. The page is selected from the index before anything is joined, so that its cost does
 * not depend on how many operations there are.
 */
export async function readLogPage(
  db: Db,
  { organisationId, family }: Omit<LogQuestion, 'timeZone'>,
  from: LogPlace | null,
  size: number,
): Promise<LogPage> {
  const after =
    from === null
      ? sql``
      : sql`and (created_on, guid) < (${from.createdOn}::timestamptz, ${from.guid}::uuid)`;
  const { rows } = await sql<Row>`
    with page as materialized (
      select * from operation
      where organisation_guid = ${organisationId} and family = ${family}
        and created_on > now() - make_interval(days => ${logDays}) and not is_background ${after}
      order by created_on desc, guid desc
      limit ${size})
    select page.guid, page.created_on as "createdOn", page.created_on::text as place,
      page.completed_on as "completedOn", page.type, page.status, page.error_name as "errorName",
      page.internal_code as "internalCode", page.request, page.result,
      coalesce(account.display_name, client_application.name) as "userName", account.email as "userEmail",
      organisation.customer_code as "customerCode", slot.group_code as "groupCode",
      slot.slave_serial_number as "slaveSerialNumber", slot.protocol_id as "protocolId", slot.mode,
      slot.workflow, slot.read_file_name as "readFileName", slot.vin
    from page
      join organisation on organisation.guid = page.organisation_guid
      join slot on slot.guid = page.slot_guid
      left join account on account.guid = page.account_guid
      left join client_application on client_application.guid = page.client_guid
    order by page.created_on desc, page.guid desc`.execute(db);
  const last = rows.length < size ? undefined : rows.at(-1);
  return {
    entries: rows,
    next: last === undefined ? null : { createdOn: last.place, guid: last.guid },
  };
}

/** The files of these guids, deleted or not, that belong to that organisation. */
export async function findLogFiles(
  db: Db,
  organisationId: OrganisationId,
  guids: readonly string[],
): Promise<ReadonlyMap<string, LogFile>> {
  if (guids.length === 0) return new Map();
  const { rows } = await sql<LogFile>`
    select guid, role, component, name, sha256 from stored_file
    where guid = any(${guids}::uuid[]) and organisation_guid = ${organisationId}`.execute(db);
  return new Map(rows.map((row) => [row.guid, row]));
}
