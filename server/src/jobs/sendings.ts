/** Reads what became of a job's files after they were made: to whom they were sent, and who downloaded them. */
import type { FileDownload, Sending } from '@recodery/contract/features/jobs/job-history';
import { sql } from 'kysely';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';

/** Downloads of a file in a response, the latest ones. */
const mostDownloads = 20;

interface SendingRow {
  readonly fileGuid: string;
  readonly guid: string;
  readonly requestedOn: Date;
  readonly userDisplayName: string | null;
  readonly email: string | null;
  readonly receiverName: string | null;
  readonly isShared: boolean;
  readonly isRevoked: boolean;
  readonly status: 'waiting' | 'sent' | 'failed' | 'revoked' | null;
  readonly failure: 'limit' | 'refused' | 'undeliverable' | null;
  readonly way: 'mail-server' | 'outbox' | null;
  readonly sentOn: Date | null;
}

/** The sendings of a slot's files, by the GUID of the file, oldest first. */
export async function readSendings(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<ReadonlyMap<string, Sending[]>> {
  const { rows } = await sql<SendingRow>`
    select target_file_guid as "fileGuid", notification.guid, completed_on as "requestedOn",
      coalesce(account.display_name, client_application.name) as "userDisplayName", mail.email,
      receiver_name as "receiverName", receiver_organisation_guid is not null as "isShared",
      notification.revoked_on is not null as "isRevoked", mail.status, mail.failure, mail.way, mail.sent_on as "sentOn"
    from notification
      left join mail on mail.guid = notification.guid
      left join account on account.guid = sender_account_guid
      left join client_application on client_application.guid = sender_client_guid
    where slot_guid = ${slotGuid} and sender_organisation_guid = ${organisationId} and target_file_guid is not null
      and (mail.guid is not null or receiver_organisation_guid is not null)
    order by completed_on, notification.guid`.execute(db);
  const byFile = Map.groupBy(rows, ({ fileGuid }) => fileGuid);
  return new Map([...byFile].map(([file, all]) => [file, all.map(describeSending)]));
}

function describeSending(row: SendingRow): Sending {
  return {
    notificationGUID: row.guid,
    requestedOn: row.requestedOn.toISOString(),
    userDisplayName: row.userDisplayName,
    email: row.email,
    organisationName: row.isShared ? row.receiverName : null,
    status: row.isRevoked ? 'revoked' : (row.status ?? 'shared'),
    failure: row.failure,
    way: row.way,
    sentOn: row.sentOn?.toISOString() ?? null,
  };
}

interface DownloadRow {
  readonly fileGuid: string;
  readonly count: number;
  readonly first: Date;
  readonly way: 'own' | 'received' | 'link';
  readonly isProgram: boolean;
  readonly downloadedOn: Date;
  readonly name: string | null;
  readonly organisationName: string | null;
  readonly email: string | null;
}

/** The downloads of a file. */
export interface FileDownloads {
  readonly count: number;
  readonly first: Date;
  /** The latest ones, newest first. */
  readonly latest: FileDownload[];
}

/** The downloads of a slot's files, by the GUID of the file. */
export async function readDownloads(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<ReadonlyMap<string, FileDownloads>> {
  const { rows } = await sql<DownloadRow>`
    select stored_file.guid as "fileGuid", total.count, total.first, latest.way,
      latest.client_guid is not null as "isProgram", latest.downloaded_on as "downloadedOn",
      coalesce(account.display_name, client_application.name) as name, organisation.name as "organisationName",
      mail.email
    from stored_file
      cross join lateral (
        select count(*)::integer, min(downloaded_on) as first from download where file_guid = stored_file.guid) total
      cross join lateral (
        select * from download where file_guid = stored_file.guid
        order by downloaded_on desc, guid desc limit ${mostDownloads}) latest
      left join account on account.guid = latest.account_guid
      left join client_application on client_application.guid = latest.client_guid
      left join organisation on organisation.guid = latest.organisation_guid
      left join mail on mail.guid = latest.notification_guid
    where stored_file.organisation_guid = ${organisationId} and slot_guid = ${slotGuid}
    order by latest.downloaded_on desc, latest.guid desc`.execute(db);
  const byFile = Map.groupBy(rows, ({ fileGuid }) => fileGuid);
  return new Map(
    [...byFile].flatMap(([file, all]) => {
      const [newest] = all;
      if (newest === undefined) return [];
      const { count, first } = newest;
      return [[file, { count, first, latest: all.map(describeDownload) }] as const];
    }),
  );
}

function describeDownload(row: DownloadRow): FileDownload {
  const { way, isProgram, name, organisationName, email } = row;
  return {
    kind:
      way === 'own' ? (isProgram ? 'program' : 'user') : way === 'link' ? 'link' : 'organisation',
    name: way === 'own' ? name : way === 'link' ? email : organisationName,
    downloadedOn: row.downloadedOn.toISOString(),
  };
}
