/**
 * Imports one job of an export: stores its files, then writes the slot, the files and the decode of its read in one
 * transaction.
 */
import { makeFileNameSafe } from '@recodery/contract/file-names';
import { definitionOf, families, type Family, typesOf } from '@recodery/contract/families/registry';
import {
  type importJob,
  type ImportedJob,
  longestImportLine,
} from '@recodery/contract/features/jobs/jobs-import';
import type { AnswerOf } from '@recodery/contract/api';
import { Refusal } from '@recodery/contract/refusal';
import { type Kysely, sql } from 'kysely';
import { newGuid } from '../config/guids.ts';
import { type Upload, uploadPrefix } from '../http/file-transfer.ts';
import type { KeepAnswer } from '../http/requests/idempotency.ts';
import { hasStorableTexts } from '../http/requests/read-input.ts';
import { insertOperation, type NewOperation, refuseWhenFull } from '../operations/operations.ts';
import type { Caller, Doer, OrganisationId } from '../organisations/caller.ts';
import {
  isFormerKey,
  listMasters,
  lockDevices,
  type OwnedSlave,
  type ServedMaster,
} from '../organisations/devices.ts';
import { findSlaveForRead } from '../organisations/openers.ts';
import { lockOrganisation } from '../organisations/organisations.ts';
import { readUsage } from '../organisations/usage.ts';
import type { Database, Db } from '../postgres/tables/schema.ts';
import { type RequestDependencies, requireService } from '../recoding/decode.ts';
import { type Assignment, assignRead } from '../recoding/engine-selection/choose-master.ts';
import { chooseSlave } from '../recoding/engine-selection/choose-slave.ts';
import { requireEntry } from '../recoding/entry-checks.ts';
import { findHeader, isOpenedHere } from '../recoding/read-header.ts';
import { decodedBytes } from '../recoding/results/result-size.ts';
import { toJson } from '../recoding/results/stored-result.ts';
import { markImported } from '../slots/job-marks.ts';
import { fitsQuota } from '../slots/files/replaced-files.ts';
import { slotInsert } from '../slots/slots.ts';
import { insertImportedFiles, isThere, type NewStoredFile } from '../slots/files/stored-files.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { RecordedFile, VerifiedStorage } from '../storage/verified-storage.ts';
import {
  type DescribedJob,
  type NotImported,
  notImported,
  readImportedJob,
} from './import-rules.ts';
import { Portions } from './portions.ts';

export interface ImportDependencies extends Omit<RequestDependencies, 'db'> {
  readonly db: Kysely<Database>;
  readonly storage: Pick<VerifiedStorage, 'delete' | 'peek' | 'put'>;
  readonly secrets: Pick<Secrets, 'getKey'>;
  /** Maximum bytes of an uploaded file. */
  readonly maxFileBytes: number;
  /** Whether the operator has suspended the service. */
  isSuspended(): Promise<boolean>;
}

/** Bytes after a job's last file that are refused with a reason; beyond them, the upload is not read to its end. */
const slackBytes = 64 * 1024;

type Outcome = AnswerOf<typeof importJob>;

const there: Outcome = { outcome: 'there', slotGUID: null, reason: null, detail: null };

/** A file of the job, and where it is stored. */
interface ImportedFile {
  readonly file: ImportedJob['files'][number];
  readonly stored: RecordedFile;
  /** NUMB of an encoded file. */
  readonly number: number | null;
}

/** What arrived: a job with all its files, whose bytes are those that it lists. */
interface Arrived extends DescribedJob {
  readonly files: readonly ImportedFile[];
  readonly readFile: RecordedFile;
}

/** Imports the job that an upload contains. Nothing of it stays unless it is imported. */
export async function importOneJob(
  deps: ImportDependencies,
  caller: Caller,
  upload: Upload<unknown>,
  keep: KeepAnswer,
): Promise<Outcome> {
  const { db, storage, organisationBytes } = deps;
  requireService({ isSuspended: await deps.isSuspended() });
  // like the reads of a tray, which pages do not take up; of those, the family makes no difference
  await refuseWhenFull(
    db,
    caller,
    { family: families[0], isOfTray: true },
    deps.parallelOperations,
    await readUsage(db, caller.organisationId),
  );
  const keys: string[] = [];
  // what cannot be deleted now is swept later
  const clear = (): Promise<unknown> => Promise.allSettled(keys.map((key) => storage.delete(key)));
  let isWriting = false;
  const work = async (): Promise<Outcome | NotImported> => {
    const arrived = await upload.receiveInto(organisationBytes, (stream) =>
      receiveJob(deps, caller.organisationId, new Portions(stream), keys),
    );
    if ('outcome' in arrived || 'reason' in arrived) return arrived;
    const assigned = await assignJob(deps, caller, arrived);
    if ('reason' in assigned) return assigned;
    isWriting = true;
    return db
      .transaction()
      .execute((trx) => writeJob(deps, caller, arrived, assigned, { trx, keep }));
  };
  const outcome = await work().catch(async (error: unknown) => {
    // after an internal error the job may exist: the commit may have succeeded before the connection was lost
    if (!isWriting || error instanceof Refusal) await clear();
    throw error;
  });
  if ('outcome' in outcome && outcome.outcome === 'imported') return outcome;
  await clear();
  return 'outcome' in outcome ? outcome : { ...outcome, outcome: 'refused', slotGUID: null };
}

function parse(line: Uint8Array | null): unknown {
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(line ?? undefined),
    );
    return hasStorableTexts(value) ? value : null;
  } catch {
    return null;
  }
}

const sizeOf = ({ files }: ImportedJob): number => files.reduce((sum, { size }) => sum + size, 0);

/** NUMB of an encoded file, as its header contains it; null: another file, or one of a vendor's engine. */
async function readNumber(
  storage: ImportDependencies['storage'],
  stored: RecordedFile,
  family: Family,
  role: string,
): Promise<number | null> {
  if (role !== 'encoded') return null;
  const number = (await findHeader(storage, stored, family))?.number ?? null;
  // anyone can write a header; this portal does not give such a number
  return number !== null && number < 2 ** 31 ? number : null;
}

/** Stores the files of a job while they arrive. `keys` gets the place of each before it is written. */
async function receiveJob(
  { db, storage, maxFileBytes, organisationBytes }: ImportDependencies,
  organisationId: OrganisationId,
  portions: Portions,
  keys: string[],
): Promise<Arrived | Outcome | NotImported> {
  const limits = { maxFileBytes, now: new Date() };
  const described = readImportedJob(parse(await portions.line(longestImportLine)), limits);
  const instead = async <T>(answer: T): Promise<T> => {
    // a response before the end of the body would not reach every client
    await portions.drain();
    return answer;
  };
  const announced = 'reason' in described ? maxFileBytes : sizeOf(described.job);
  portions.limit(announced + slackBytes);
  if ('reason' in described) return instead(described);
  const { job, read } = described;
  if (await hasRead(db, organisationId, described)) return instead(there);
  // the length of a chunked body is not known before
  if (!(await fitsQuota(db, organisationId, announced, organisationBytes)))
    throw new Refusal('STORAGE_QUOTA_REACHED');
  const files: ImportedFile[] = [];
  for (const file of job.files) {
    const storageKey = `${uploadPrefix}/${organisationId}/${newGuid()}`;
    keys.push(storageKey);
    const written = await storage.put(storageKey, portions.take(file.size));
    if (written.size !== file.size || written.sha256 !== file.sha256)
      return instead(notImported('CHANGED', makeFileNameSafe(file.name)));
    const stored = { ...written, storageKey };
    files.push({ file, stored, number: await readNumber(storage, stored, job.family, file.role) });
  }
  const readFile = files.find(({ file }) => file === read)?.stored;
  if (readFile === undefined) return notImported('NO_READ');
  if (await portions.drain()) return notImported('INVALID');
  return { ...described, files, readFile };
}

/** Whether a job of the organisation has this read, uploaded at this time, and its bytes. */
async function hasRead(
  db: Db,
  organisationId: OrganisationId,
  { read: { sha256, createdOn } }: DescribedJob,
): Promise<boolean> {
  // times outside the database have milliseconds
  const { rows } = await sql`
    select from stored_file join slot on slot.guid = slot_guid
    where stored_file.organisation_guid = ${organisationId} and sha256 = ${sha256} and role = 'read'
      and date_trunc('milliseconds', stored_file.created_on) = ${new Date(createdOn)}
      and slot.deleted_on is null and ${isThere}
      and not exists (select from damaged_file where damaged_file.storage_key = stored_file.storage_key)
    limit 1`.execute(db);
  return rows.length > 0;
}

/** How an imported read is decoded. */
interface Assigned {
  readonly assignment: Assignment;
  /** Where the maker's service needs it. */
  readonly slave: OwnedSlave | null;
  readonly skipChecksum: boolean;
  /** For the files that the decode will produce. */
  readonly reservedBytes: number;
}

/** The master device of a read file, which must be one of the organisation, as the slave of the file must be. */
async function findItsMaster(
  db: Db,
  organisationId: OrganisationId,
  header: Awaited<ReturnType<typeof findHeader>>,
  { family, groupCode }: ImportedJob,
): Promise<ServedMaster | NotImported> {
  const all = await listMasters(db, organisationId, family);
  if (header === null) {
    const foreign = all.filter(({ engine }) => engine.offers.foreignFiles);
    const master = foreign.find((one) => one.groupCode === groupCode) ?? foreign[0];
    return master ?? notImported('NOT_A_READ');
  }
  const { masterDeviceSerialNumber: masterSerial, slaveSerialNumber: slaveSerial } = header;
  const master = all.find(({ serialNumber }) => serialNumber === masterSerial);
  if (master === undefined) return notImported('MASTER', masterSerial);
  // a vendor's engine knows its slaves itself
  if (master.connectionGuid !== null) return master;
  const origin = { family, masterSerial, slaveSerial, groupCode: master.groupCode };
  const found = await findSlaveForRead(db, organisationId, origin);
  if (typeof found === 'string') return notImported('SLAVE', slaveSerial);
  const isRevoked = 'slave' in found && isFormerKey(found.slave, header.keyId);
  return isRevoked ? notImported('REVOKED_KEY', slaveSerial) : master;
}

/** Chooses the engine of an imported read, with the same checks as for an uploaded one. */
async function assignJob(
  deps: ImportDependencies,
  caller: Caller,
  { job, readFile }: Arrived,
): Promise<Assigned | NotImported> {
  const { db, storage } = deps;
  const { organisationId } = caller;
  const { family, workflow } = job;
  const header = await findHeader(storage, readFile, family);
  const master = await findItsMaster(db, organisationId, header, job);
  if ('reason' in master) return master;
  const { groupCode, serialNumber, engine } = master;
  // devices of the same serial numbers have other keys in another installation
  if (header !== null && master.connectionGuid === null) {
    const read = { ...readFile, name: job.fileName };
    const isOpened = await isOpenedHere(deps, { organisationId, workflow, groupCode, read });
    if (isOpened === null) return notImported('NOT_A_READ');
    if (!isOpened) return notImported('KEY', header.slaveSerialNumber);
  }
  const choice = { groupCode, masterDeviceSerialNumber: serialNumber };
  const masters = await requireEntry(db, caller, { workflow, choice });
  // a read whose checksums were wrong was decoded nevertheless
  const skipChecksum = job.readChecksums === 'wrong' && engine.offers.checksumSkip;
  if (skipChecksum && !caller.rights.skipChecksum) return notImported('CHECKSUMS');
  const assignment = assignRead(header, { skipChecksum, isChosen: true }, masters);
  const chosen = job.slaveSerialNumber ?? null;
  const { masterDeviceGuid } = assignment;
  const read = { organisationId, family, masterDeviceGuid, sha256: readFile.sha256, chosen };
  const slave = await chooseSlave(db, read).catch((error: unknown) => {
    if (!(error instanceof Refusal) || error.code !== 'SLAVE_NEEDED') throw error;
    // a job that was never decoded does not name its slave: it arrives, and its decode fails again
    return chosen === null ? null : notImported('SLAVE', chosen);
  });
  if (slave !== null && 'reason' in slave) return slave;
  return { assignment, slave, skipChecksum, reservedBytes: decodedBytes(readFile, header) };
}

const dateOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

/** The rows of the files. No draft has them: an image that was in one left it with the import. */
function rowsOf(
  { files, job }: Arrived,
  place: {
    readonly organisationId: OrganisationId;
    readonly slotGuid: string;
    readonly readFileGuid: string;
  },
  retentionDays: number,
): NewStoredFile[] {
  const { readFileGuid, ...own } = place;
  return files.map(({ file, stored, number }) => {
    const { role, component, name, createdOn, replacedOn } = file;
    const isInput = role === 'modified' || role === 'original';
    return {
      ...own,
      ...stored,
      guid: role === 'read' ? readFileGuid : newGuid(),
      role,
      component,
      name: makeFileNameSafe(role === 'read' ? job.fileName : name),
      number,
      retentionDays,
      imported: {
        createdOn: new Date(createdOn),
        replacedOn: isInput ? (dateOf(replacedOn) ?? new Date()) : null,
      },
    };
  });
}

/** The decode of an imported read. Like that of a tray, no page takes it up, and it leaves a place for pages. */
function decodeOf(
  { family, ...shared }: Doer & Pick<NewOperation, 'family' | 'guid' | 'slotGuid' | 'workflow'>,
  readFileGuid: string,
  { assignment: { connectionGuid }, skipChecksum, reservedBytes }: Assigned,
): NewOperation {
  const request = { readFileGuid, skipChecksum, debug: false, isOfImport: true };
  return {
    ...shared,
    family,
    isOfTray: true,
    type: typesOf(family).decode,
    userFlow: 'D',
    contextData: null,
    request: toJson({ kind: 'decode', ...request }),
    stage: 'DECODING',
    reservedBytes,
    connectionGuid,
  };
}

/** Writes slot, files and operation. Answers that it is there if a concurrent import was first. */
async function writeJob(
  deps: ImportDependencies,
  caller: Caller,
  arrived: Arrived,
  assigned: Assigned,
  { trx, keep }: { readonly trx: Db; readonly keep: KeepAnswer },
): Promise<Outcome> {
  const { organisationId, accountGuid, clientGuid } = caller;
  const { job } = arrived;
  const { family, workflow } = job;
  const { assignment, slave } = assigned;
  const [slotGuid, readFileGuid, guid] = [newGuid(), newGuid(), newGuid()];
  await lockOrganisation(trx, organisationId);
  if (await hasRead(trx, organisationId, arrived)) return there;
  // it may have been removed while the files were received
  const { masterGuid, slaveGuid } = await lockDevices(trx, {
    masterGuid: assignment.masterDeviceGuid,
    slaveGuid: slave?.guid ?? null,
  });
  const shared = { organisationId, accountGuid, clientGuid, family, workflow };
  const readFileName = makeFileNameSafe(job.fileName);
  const newSlot = slotInsert(trx, {
    ...shared,
    ...assignment,
    guid: slotGuid,
    masterDeviceGuid: masterGuid,
    slaveDeviceGuid: slaveGuid,
    slaveSerialNumber: slave?.serialNumber ?? null,
    slaveOwnerGuid: slave?.ownerGuid ?? null,
    readFileName,
    // no double imitates the portal's own engine
    isDouble: job.isDouble === true && definitionOf(family).sealing !== undefined,
  });
  await newSlot.execute();
  await markImported(trx, caller, slotGuid, {
    ...job,
    createdOn: new Date(job.createdOn),
    note: job.note?.trim() || null,
    notedOn: dateOf(job.notedOn),
    origin: job.origin ? { ...job.origin, exportedOn: new Date(job.origin.exportedOn) } : null,
  });
  await insertOperation(
    trx,
    decodeOf({ ...shared, guid, slotGuid }, readFileGuid, assigned),
    deps.parallelOperations,
  );
  const { retentionDays, organisationBytes } = deps;
  const files = rowsOf(arrived, { organisationId, slotGuid, readFileGuid }, retentionDays);
  await insertImportedFiles(trx, organisationId, files, organisationBytes);
  const outcome: Outcome = { outcome: 'imported', slotGUID: slotGuid, reason: null, detail: null };
  await keep(trx, outcome);
  return outcome;
}
