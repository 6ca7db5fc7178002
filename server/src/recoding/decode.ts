/**
 * Starts decodes: the checks before the body of a read file is received, and the rows from which a worker decodes it.
 */
import { Refusal } from '@recodery/contract/errors';
import { type Workflow, typesOf, workflowOf } from '@recodery/contract/families/registry';
import type { Upload } from '../http/file-transfer.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import { insertOperation, refuseWhenFull } from '../operations/operations.ts';
import { type FlagsWanted, flagsRefusal } from '../organisations/access-rules.ts';
import type { Caller } from '../organisations/caller.ts';
import type { MasterChoice } from '../organisations/devices.ts';
import { notify } from '../postgres/announce.ts';
import { newGuid } from '../config/guids.ts';
import type { Db } from '../postgres/schema.ts';
import { settleAll } from '../config/settle-all.ts';
import { insertSlot } from '../slots/slots.ts';
import { insertUploadedFile } from '../slots/stored-files.ts';
import { demandEntry } from './entry.ts';
import { toJson } from './outcome.ts';

export interface RequestDependencies {
  readonly db: Db;
  /** Operations that an organisation can run at once. */
  readonly parallelOperations: number;
  /** Bytes that all files of an organisation may use. */
  readonly organisationBytes: number;
  /** Days that files are kept. */
  readonly retentionDays: number;
  /** Whether the operator has suspended the service. */
  isSuspended(): Promise<boolean>;
  /** Whether the disk has room for an operation's output; the upload receiver checks for uploads. */
  hasDiskRoom(): Promise<boolean>;
}

/** Makes the response to a call that starts an operation, in the transaction that starts it. */
export type Respond<T> = (trx: Db, operation: OperationRow) => Promise<T>;

/** The options that a caller sends with a read file. */
export interface DecodeAsk {
  readonly workflow: Workflow;
  readonly choice: MasterChoice;
  readonly skipChecksum: boolean;
  readonly debug: boolean;
}

/**
 * Refuses with SERVICE_UNAVAILABLE while the service is suspended: running operations continue, new ones do not start.
 */
export async function demandService(deps: Pick<RequestDependencies, 'isSuspended'>): Promise<void> {
  if (await deps.isSuspended()) throw new Refusal('SERVICE_UNAVAILABLE');
}

/** Refuses with USER_NO_RIGHTS when a switch is used without its right. */
export async function demandFlags(caller: Caller, wanted: FlagsWanted): Promise<void> {
  const refusal = flagsRefusal(caller.rights, wanted);
  if (refusal !== null) throw new Refusal(refusal);
}

/**
 * Receives a read file and starts its decoding. Rights, devices, flags and quota are checked before the body is read.
 * Slot, file and operation are then written in one transaction, so that an accepted upload survives any crash.
 */
export async function requestDecode<T>(
  deps: RequestDependencies,
  caller: Caller,
  ask: DecodeAsk,
  upload: Upload<{ readonly userFlow?: 'D' | 'E' | undefined }>,
  respond: Respond<T>,
): Promise<T> {
  const { workflow, skipChecksum, debug } = ask;
  const { family } = workflowOf(workflow);
  // all checks run at once; the caller gets the first refusal in this list
  const [master] = await settleAll([
    demandEntry(deps.db, caller, { workflow, choice: ask.choice }),
    demandFlags(caller, { skipChecksum, debug }),
    demandService(deps),
    refuseWhenFull(deps.db, caller, family, deps.parallelOperations),
  ]);
  const { fields, ...file } = await upload.receive();
  const { organisationId, accountGuid, clientGuid } = caller;
  const [slotGuid, readFileGuid, guid] = [newGuid(), newGuid(), newGuid()];
  const { retentionDays, organisationBytes } = deps;
  const place = {
    guid: readFileGuid,
    organisationId,
    slotGuid,
    role: 'read',
    component: null,
  } as const;
  const read = { ...file, ...place, retentionDays };
  const shared = { organisationId, accountGuid, clientGuid, family, workflow };
  return deps.db.transaction().execute(async (trx) => {
    await insertSlot(trx, {
      ...shared,
      guid: slotGuid,
      groupCode: master.groupCode,
      readFileName: file.name,
    });
    const operation = await insertOperation(
      trx,
      {
        ...shared,
        guid,
        type: typesOf(family).decode,
        slotGuid,
        userFlow: fields.userFlow ?? 'D',
        contextData: null,
        request: toJson({ kind: 'decode', readFileGuid, skipChecksum, debug }),
        stage: 'DECODING',
      },
      deps.parallelOperations,
    );
    // after the operation, which locks the organisation's row
    await insertUploadedFile(trx, read, organisationBytes);
    await notify(trx, { kind: 'operation-due', guid, organisation: organisationId });
    return respond(trx, operation);
  });
}
