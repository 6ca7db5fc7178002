/**
 * Starts decodes: the checks before the body of a read file is received, and the rows from which a worker decodes it.
 */
import { Refusal } from '@recodery/contract/refusal';
import { type Workflow, typesOf, workflowOf } from '@recodery/contract/families/registry';
import type { Received, Upload } from '../http/file-transfer.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import { insertOperation, refuseWhenFull, type WrittenTogether } from '../operations/operations.ts';
import { type FlagsWanted, flagsRefusal } from '../organisations/access-rules.ts';
import type { Caller, OrganisationId } from '../organisations/caller.ts';
import { lockDevices, type MasterChoice, type OwnedSlave } from '../organisations/devices.ts';
import { lockUsage } from '../organisations/usage.ts';
import { newGuid } from '../config/guids.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { VerifiedStorage } from '../storage/verified-storage.ts';
import { refuseWhenTooManyOpen } from '../slots/open-slots.ts';
import { slotInsert } from '../slots/slots.ts';
import { makeRoom } from '../slots/files/replaced-files.ts';
import { storedFilesInsert } from '../slots/files/stored-files.ts';
import { type Assignment, assignRead } from './engine-selection/choose-master.ts';
import { chooseSlave } from './engine-selection/choose-slave.ts';
import { requireEntry } from './entry-checks.ts';
import { findHeader } from './read-header.ts';
import { decodedBytes } from './results/result-size.ts';
import { toJson } from './results/stored-result.ts';

export interface RequestDependencies {
  readonly db: Db;
  /** Operations that an organisation can run at once. */
  readonly parallelOperations: number;
  /** Bytes that all files of an organisation may use. */
  readonly organisationBytes: number;
  /** Days that files are kept. */
  readonly retentionDays: number;
  /** Whether the disk has room for an operation's output; the upload receiver checks for uploads. */
  hasDiskRoom(): Promise<boolean>;
}

/** Makes the response to a call that starts an operation, in the transaction that starts it. */
export type Respond<T> = (trx: Db, operation: OperationRow) => Promise<T>;

export interface DecodeDependencies extends RequestDependencies {
  /** Where the received file is read again, to find the master named in it. */
  readonly storage: Pick<VerifiedStorage, 'peek'>;
}

/** The options that a caller sends with a read file. */
export interface DecodeAsk {
  readonly workflow: Workflow;
  /** null: the master named in the file. */
  readonly choice: MasterChoice | null;
  /** The serial number of the slave that wrote the file; absent: the caller has not chosen one. */
  readonly slave?: string | undefined;
  readonly skipChecksum: boolean;
  readonly debug: boolean;
  /** What links it to the file of the tray that starts it; absent: no tray does. */
  readonly linkTray?: (sha256: string) => WrittenTogether['link'];
  /** Set for a decode through the Encoding API, which opens the new slot to client applications. */
  readonly program?: ProgramAsk;
}

/** The data that a client application sends with a read file through the Encoding API. */
export interface ProgramAsk {
  readonly clientGuid: string;
  /** The label of the application's own customer. */
  readonly userCode: string;
  readonly callbackUrl: string | null;
  /** The base address under which it calls. */
  readonly baseAddress: string;
  /** Slots that the application can have open at once. */
  readonly mostOpenSlots: number;
}

/** The text fields next to a read file. */
interface DecodeFields {
  readonly userFlow?: 'D' | 'E' | undefined;
  readonly userInfo?: string | null;
  readonly callbackURL?: string | null;
}

/**
 * Refuses with SERVICE_UNAVAILABLE while the service is suspended: running operations continue, new ones do not start.
 */
export function requireService({ isSuspended }: { readonly isSuspended: boolean }): void {
  if (isSuspended) throw new Refusal('SERVICE_UNAVAILABLE');
}

/** Refuses with USER_NO_RIGHTS when a switch is used without its right. */
export function requireFlags(caller: Caller, wanted: FlagsWanted): void {
  const refusal = flagsRefusal(caller.rights, wanted);
  if (refusal !== null) throw new Refusal(refusal);
}

/**
 * Receives a read file and starts its decoding. Rights, devices, flags and quota are checked before the body is read.
 * Slot, file and operation are then written in one transaction, so that an accepted upload survives any crash.
 */
export async function requestDecode<T>(
  deps: DecodeDependencies,
  caller: Caller,
  ask: DecodeAsk,
  upload: Upload<DecodeFields>,
  respond: Respond<T>,
): Promise<T> {
  const { workflow, skipChecksum, debug, program } = ask;
  const { organisationId } = caller;
  const { family } = workflowOf(workflow);
  const entry = await requireEntry(deps.db, caller, { workflow, choice: ask.choice ?? {} });
  requireFlags(caller, { skipChecksum, debug });
  requireService(entry);
  const wanted = { family, isOfTray: ask.linkTray !== undefined };
  await refuseWhenFull(deps.db, caller, wanted, deps.parallelOperations, entry.usage);
  if (program !== undefined) await refuseWithoutPlace(deps.db, organisationId, program);
  const file = await upload.receive(entry.usage);
  const header = await findHeader(deps.storage, file, family, file.start);
  const assignment = assignRead(header, { skipChecksum, isChosen: ask.choice !== null }, entry);
  const { masterDeviceGuid } = assignment;
  const { sha256 } = file;
  const read = { organisationId, family, masterDeviceGuid, sha256, chosen: ask.slave ?? null };
  const slave = await chooseSlave(deps.db, read);
  const reservedBytes = decodedBytes(file, header);
  return writeDecode(deps, caller, ask, { assignment, slave, file, reservedBytes, respond });
}

function refuseWithoutPlace(
  db: Db,
  organisationId: OrganisationId,
  { clientGuid, mostOpenSlots }: ProgramAsk,
): Promise<void> {
  return refuseWhenTooManyOpen(db, organisationId, clientGuid, mostOpenSlots);
}

/** A decode whose file was received. */
interface DecodeStart<T> {
  readonly assignment: Assignment;
  readonly slave: OwnedSlave | null;
  readonly file: Received<DecodeFields>;
  /** For the files that it will produce. */
  readonly reservedBytes: number;
  readonly respond: Respond<T>;
}

/** Writes slot, operation and file in one transaction. */
async function writeDecode<T>(
  deps: RequestDependencies,
  { organisationId, accountGuid, clientGuid }: Caller,
  { workflow, skipChecksum, debug, program, linkTray }: DecodeAsk,
  { assignment, slave, file, reservedBytes, respond }: DecodeStart<T>,
): Promise<T> {
  const { family } = workflowOf(workflow);
  const [slotGuid, readFileGuid, guid] = [newGuid(), newGuid(), newGuid()];
  const { fields, start: _, ...stored } = file;
  const shared = { organisationId, accountGuid, clientGuid, family, workflow };
  return deps.db.transaction().execute(async (trx) => {
    const usage = await lockUsage(trx, organisationId);
    if (program !== undefined) await refuseWithoutPlace(trx, organisationId, program);
    // the master may have been removed while the file was received
    const { masterGuid, slaveGuid } = await lockDevices(trx, {
      masterGuid: assignment.masterDeviceGuid,
      slaveGuid: slave?.guid ?? null,
    });
    const newSlot = slotInsert(trx, {
      ...shared,
      guid: slotGuid,
      ...assignment,
      masterDeviceGuid: masterGuid,
      slaveDeviceGuid: slaveGuid,
      slaveSerialNumber: slave?.serialNumber ?? null,
      slaveOwnerGuid: slave?.ownerGuid ?? null,
      readFileName: file.name,
      userCode: program?.userCode ?? null,
      openedByClientGuid: program?.clientGuid ?? null,
    });
    const { retentionDays, organisationBytes } = deps;
    const place = { organisationId, slotGuid, role: 'read', component: null } as const;
    const read = { ...stored, ...place, guid: readFileGuid, retentionDays, uploader: shared };
    const use = { ...usage, usedBytes: usage.usedBytes + reservedBytes };
    await makeRoom(trx, organisationId, read.size, organisationBytes, use);
    const operation = await insertOperation(
      trx,
      {
        ...shared,
        guid,
        isOfTray: linkTray !== undefined,
        type: typesOf(family).decode,
        slotGuid,
        userFlow: fields.userFlow ?? 'D',
        contextData: null,
        request: toJson({ kind: 'decode', readFileGuid, skipChecksum, debug }),
        stage: 'DECODING',
        reservedBytes,
        connectionGuid: assignment.connectionGuid,
        userInfo: fields.userInfo ?? null,
        callbackUrl: program?.callbackUrl ?? fields.callbackURL ?? null,
        baseAddress: program?.baseAddress ?? null,
      },
      deps.parallelOperations,
      usage,
      { others: [newSlot, storedFilesInsert(trx, [read])], link: linkTray?.(stored.sha256) },
    );
    return respond(trx, operation);
  });
}
