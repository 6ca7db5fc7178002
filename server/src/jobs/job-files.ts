/** Reads the files of jobs: those of one job with their history, and those with a certain hash. */
import {
  type FoundFile,
  type JobFile,
  type JobFileRole,
  jobFileRoles,
} from '@recodery/contract/features/jobs/jobs';
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import type { JobFailure, Sending } from '@recodery/contract/features/jobs/job-history';
import { type ComponentName, componentNames } from '@recodery/contract/families/family';
import { type Family, typesOf } from '@recodery/contract/families/registry';
import { describeSealing, doFilesExpire } from '@recodery/contract/families/sealing';
import { sql } from 'kysely';
import { type FailedRow, operationErrorOf } from '../operations/operation-rules.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import { findLastNumber, hasFormerKey, type SealedRead } from '../organisations/devices.ts';
import type { Correction } from '@recodery/contract/results';
import type { Db } from '../postgres/tables/schema.ts';
import { partOf } from '../recoding/drafts/draft-rules.ts';
import type { Slot } from '../slots/slots.ts';
import { listSealable } from '../slots/files/deliveries.ts';
import { isThere } from '../slots/files/stored-files.ts';
import { type FileDownloads, readDownloads, readSendings } from './sendings.ts';

/** The maximum number of files in a response, unless it has many hashes. */
const mostFound = 50;

interface FileRow {
  readonly guid: string;
  readonly role: JobFileRole;
  readonly component: string | null;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly createdOn: Date;
  readonly uploaderName: string | null;
  readonly isThere: boolean;
  readonly replacedOn: Date | null;
  readonly replacedBy: string | null;
  readonly madeRoom: boolean;
  readonly isOriginal: boolean;
  readonly number: number | null;
  /** The file that the encode made, of an encoded file. */
  readonly firstDelivery: string;
  /** Of a repair: the file as it came, and what was wrong with it. */
  readonly repairedFrom: string | null;
  readonly repairKind: Diagnosis['kind'] | null;
  readonly repairDetails: Diagnosis['details'] | null;
}

/** What became of the files after they were made, and the number of the newest file for the slave; null: not known. */
interface Aftermath {
  readonly sendings: ReadonlyMap<string, Sending[]>;
  readonly downloads: ReadonlyMap<string, FileDownloads>;
  readonly lastNumber: number | null;
  /** Whether the slave has a new key since its read. */
  readonly hasFormerKey: boolean;
  /** Files that can be sealed again. */
  readonly sealable: ReadonlySet<string>;
}

/** The properties of a job's operation that its files and its failures depend on. */
interface OperationRow extends FailedRow {
  readonly guid: string;
  readonly type: string;
  readonly completedOn: Date | null;
  readonly request: Request;
  readonly result: {
    readonly fileGuid?: string;
    readonly sealedOn?: string;
    readonly corrections?: Correction[];
  } | null;
  readonly userDisplayName: string | null;
  readonly isOfProgram: boolean;
  /** Of a file that was sealed again for a link in an email, or for an organisation that it is shared with. */
  readonly linkEmail: string | null;
  readonly receiverName: string | null;
}

/** The files that an encode names, as written by `stored-result`. */
interface Request {
  readonly modified?: readonly { readonly fileGuid: string }[];
  readonly originalFileGuid?: string | null;
  readonly sealsAgain?: { readonly fileGuid: string; readonly way: 'own' | 'received' | 'link' };
}

/** The files of a job, the operation that decoded it, and those that failed. */
export interface JobHistory {
  readonly files: JobFile[];
  readonly failures: JobFailure[];
  readonly decodeOperationGUID: string | null;
  readonly isDecoding: boolean;
}

/** The files of a job, oldest first, without restore kits. `db` is a snapshot. */
export async function readHistory(
  db: Db,
  organisationId: OrganisationId,
  slot: Pick<Slot, 'guid' | 'slaveDeviceGuid'> & SealedRead,
): Promise<JobHistory> {
  const { guid, family, slaveDeviceGuid } = slot;
  const files = await readFiles(db, organisationId, guid);
  const operations = await readOperations(db, organisationId, guid);
  const slave = slaveDeviceGuid === null ? null : await findLastNumber(db, slaveDeviceGuid);
  const aftermath = {
    sendings: await readSendings(db, organisationId, guid),
    downloads: await readDownloads(db, organisationId, guid),
    lastNumber: slave?.lastNumber ?? null,
    hasFormerKey: await hasFormerKey(db, slot),
    sealable: await listSealable(db, organisationId, guid),
  };
  const decodes = operations.filter(({ type }) => type === typesOf(family).decode);
  const decode = decodes.find(({ status }) => status === 'succeeded');
  const makers = new Map(
    operations.flatMap((operation) => {
      const made = operation.result?.fileGuid;
      return made === undefined ? [] : [[made, operation] as const];
    }),
  );
  return {
    files: files.map((file) =>
      describeFile(
        family,
        file,
        file.role === 'encoded' ? makers.get(file.guid) : decode,
        aftermath,
      ),
    ),
    failures: operations.flatMap((operation) => describeFailure(family, operation)),
    decodeOperationGUID: decode?.guid ?? null,
    isDecoding: decodes.some(({ status }) => status === 'waiting' || status === 'running'),
  };
}

function describeFile(
  family: Family,
  file: FileRow,
  maker: OperationRow | undefined,
  { sendings, downloads, lastNumber, sealable, ...aftermath }: Aftermath,
): JobFile {
  const { role, component, number } = file;
  const isInput = role === 'modified' || role === 'original';
  const { modified = [], originalFileGuid = null } = maker?.request ?? {};
  const sent = sendings.get(file.guid) ?? [];
  const byEmail = sent.find(({ email }) => email !== null);
  const { count = 0, first, latest = [] } = downloads.get(file.guid) ?? {};
  return {
    fileGUID: file.guid,
    role,
    component,
    // written by `insertStoredFiles`, which accepts component names only
    part: isInput ? partOf(family, { role, component: component as ComponentName }) : null,
    name: file.name,
    size: file.size,
    sha256: file.sha256,
    createdOn: file.createdOn.toISOString(),
    userDisplayName: file.uploaderName ?? (isInput ? null : (maker?.userDisplayName ?? null)),
    isThere: file.isThere,
    replacedOn: file.replacedOn?.toISOString() ?? null,
    replacedBy: file.replacedBy,
    madeRoom: file.madeRoom,
    firstDownloadedOn: first?.toISOString() ?? null,
    madeFrom:
      role === 'encoded'
        ? [...modified.map(({ fileGuid }) => fileGuid), originalFileGuid].filter(
            (one) => one !== null,
          )
        : [],
    sentTo: byEmail?.email ?? null,
    sentOn: byEmail?.sentOn ?? null,
    sendings: sent,
    downloads: latest,
    downloadCount: count,
    repaired:
      file.repairedFrom !== null && file.repairKind !== null
        ? { fileGUID: file.repairedFrom, kind: file.repairKind, details: file.repairDetails }
        : null,
    isOriginal: file.isOriginal,
    ...correctionsOf(role === 'encoded' ? maker : undefined),
    ...sealedAgainOf(role === 'encoded' ? maker : undefined),
    ...(role === 'encoded' && doFilesExpire(family)
      ? { canSealAgain: sealable.has(file.firstDelivery) }
      : {}),
    ...describeSealing(family, role === 'encoded' ? maker?.result?.sealedOn : undefined),
    hasFormerKey: role === 'encoded' && aftermath.hasFormerKey,
    isOutdated: number !== null && lastNumber !== null && number < lastNumber,
  };
}

/** The checksums that an encode corrected in the modified files. */
function correctionsOf(maker: OperationRow | undefined): Pick<JobFile, 'corrections'> {
  const corrections = maker?.result?.corrections;
  return corrections === undefined ? {} : { corrections };
}

/** Of a file that was sealed again: the first one, and who wanted it. */
function sealedAgainOf(maker: OperationRow | undefined): Pick<JobFile, 'sealedAgain'> {
  const { sealsAgain } = maker?.request ?? {};
  if (maker === undefined || sealsAgain === undefined) return {};
  const { userDisplayName, isOfProgram, linkEmail, receiverName } = maker;
  const by = {
    own: { kind: isOfProgram ? 'program' : 'user', name: userDisplayName },
    received: { kind: 'organisation', name: receiverName },
    link: { kind: 'link', name: linkEmail },
  } as const;
  return { sealedAgain: { fileGUID: sealsAgain.fileGuid, ...by[sealsAgain.way] } };
}

function describeFailure(family: Family, operation: OperationRow): JobFailure[] {
  const { guid, type, completedOn, userDisplayName } = operation;
  const error = operationErrorOf(operation);
  // the download shows why a file could not be sealed again
  const isSealing = operation.request.sealsAgain !== undefined;
  if (error === null || completedOn === null || isSealing) return [];
  return [
    {
      operationGUID: guid,
      isDecode: type === typesOf(family).decode,
      completedOn: completedOn.toISOString(),
      userDisplayName,
      error,
    },
  ];
}

async function readFiles(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<readonly FileRow[]> {
  const { rows } = await sql<FileRow>`
    select stored_file.guid, role, component, stored_file.name, size, sha256,
      stored_file.created_on as "createdOn", stored_file.number,
      ${isThere} as "isThere", coalesce(account.display_name, client_application.name) as "uploaderName",
      replaced_on as "replacedOn", coalesce(replacer.display_name, program.name) as "replacedBy", made_room as "madeRoom",
      original_on is not null as "isOriginal",
      coalesce(first_delivery_guid, stored_file.guid) as "firstDelivery",
      repaired_from as "repairedFrom", repair_kind as "repairKind", repair_details as "repairDetails"
    from stored_file
      left join account on account.guid = stored_file.account_guid
      left join client_application on client_application.guid = stored_file.client_guid
      left join account replacer on replacer.guid = replaced_account_guid
      left join client_application program on program.guid = replaced_client_guid
    where stored_file.organisation_guid = ${organisationId} and slot_guid = ${slotGuid} and role not in ('restore', 'plain')
    order by stored_file.created_on, array_position(${jobFileRoles}::text[], role),
      array_position(${componentNames}::text[], component), stored_file.guid`.execute(db);
  return rows;
}

async function readOperations(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<readonly OperationRow[]> {
  const { rows } = await sql<OperationRow>`
    select operation.guid, operation.family, type, operation.status, request, result,
      completed_on as "completedOn", error_name as "errorName", error_detail as "errorDetail",
      internal_code as "internalCode", error_sizes as "errorSizes",
      coalesce(account.display_name, client_application.name) as "userDisplayName",
      operation.client_guid is not null as "isOfProgram", mail.email as "linkEmail", receiver.name as "receiverName"
    from operation
      left join account on account.guid = operation.account_guid
      left join client_application on client_application.guid = operation.client_guid
      left join mail on mail.guid = (request -> 'sealsAgain' ->> 'notificationGuid')::uuid
      left join organisation receiver on receiver.guid = (request -> 'sealsAgain' ->> 'organisationGuid')::uuid
    where operation.organisation_guid = ${organisationId} and slot_guid = ${slotGuid}
      and (not is_background or request -> 'sealsAgain' is not null)
    order by operation.created_on, operation.guid`.execute(db);
  return rows;
}

/** The query for the organisation's files with certain hashes. Each hash has its share of the response. */
export function filesWithHash(organisationId: OrganisationId, hashes: readonly string[]) {
  const most = Math.max(5, Math.floor(mostFound / Math.max(1, hashes.length)));
  return sql<Omit<FoundFile, 'createdOn'> & { readonly createdOn: Date }>`
    with found as materialized (
      select with_hash.* from unnest(${hashes}::text[]) as given,
        lateral (select * from stored_file
          where organisation_guid = ${organisationId} and sha256 = given and role <> 'plain'
          order by created_on desc, guid desc limit ${most}) as with_hash)
    select stored_file.guid as "fileGUID", stored_file.sha256, stored_file.role, stored_file.name,
      stored_file.created_on as "createdOn", ${isThere} as "isThere",
      exists (select from damaged_file where damaged_file.storage_key = stored_file.storage_key) as "isDamaged",
      case when slot.deleted_on is null then slot.guid end as "slotGUID", slot.family, slot.workflow,
      slot.read_file_name as "fileName", slot.slave_serial_number as "slaveSerialNumber",
      coalesce(account.display_name, client_application.name) as "userDisplayName"
    from found as stored_file
      join slot on slot.guid = stored_file.slot_guid
      left join account on account.guid = coalesce(stored_file.account_guid, slot.account_guid)
      left join client_application on client_application.guid = coalesce(stored_file.client_guid, slot.client_guid)
    order by stored_file.created_on desc, stored_file.guid desc`;
}

/** The organisation's files with certain hashes, including deleted ones, newest first. */
export async function findFilesByHash(
  db: Db,
  organisationId: OrganisationId,
  hashes: readonly string[],
): Promise<FoundFile[]> {
  const { rows } = await filesWithHash(organisationId, [...new Set(hashes)]).execute(db);
  return rows.map((row) => ({ ...row, createdOn: row.createdOn.toISOString() }));
}
