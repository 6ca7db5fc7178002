/** What the worker gives an engine with every decode and encode: the read, a folder, and what the engine has stored. */
import { join } from 'node:path';
import type { Family } from '@recodery/contract/families/registry';
import { newGuid } from '../config/guids.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Engine, EngineJob } from '../engine/engine.ts';
import type { Scratch } from '../engine/built-in/pool.ts';
import type { AttemptContext } from '../operations/attempt.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Usage } from '../organisations/usage.ts';
import type { Clock } from '../config/clock.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { PendingWrite } from '../postgres/write-together.ts';
import type { VerifiedStorage } from '../storage/verified-storage.ts';
import { makeRoom } from '../slots/files/replaced-files.ts';
import { saveSlotContext, type Slot } from '../slots/slots.ts';
import {
  type NewStoredFile,
  type StoredFile,
  storedFilesInsert,
} from '../slots/files/stored-files.ts';
import { openContexts, sealContext } from './engine-contexts.ts';
import type { Naming } from './results/result-names.ts';

export interface JobDependencies {
  readonly db: Db;
  readonly storage: VerifiedStorage;
  readonly secrets: Pick<Secrets, 'getCurrentKey' | 'getKey'>;
  readonly clock: Clock;
  /** Days that files are kept. */
  readonly retentionDays: number;
  /** Bytes that all files of an organisation may use. */
  readonly organisationBytes: number;
  /** A new folder for the files of a job. */
  openScratch(): Promise<Scratch>;
  /** How the organisation names a family's files; times are in the time zone of the account if it has chosen none. */
  getNaming(
    organisationId: OrganisationId,
    family: Family,
    accountGuid: string | null,
  ): Promise<Naming>;
  /** The engine of a connection; null: the built-in engine. */
  getEngine(connectionGuid: string | null): Promise<Engine>;
}

/** A running operation. */
export interface Working {
  readonly operation: OperationRow;
  readonly work: AttemptContext;
  readonly slot: Slot;
  readonly read: StoredFile;
  readonly folder: string;
}

/** The job of an operation. */
export async function openJob(deps: JobDependencies, working: Working): Promise<EngineJob> {
  const { operation, work, slot, read, folder } = working;
  const { organisationId, family, workflow } = operation;
  return {
    operationGuid: operation.guid,
    organisationId,
    customerCode: slot.customerCode,
    family,
    workflow,
    groupCode: slot.groupCode,
    slaveSerialNumber: slot.slaveSerialNumber,
    read,
    folder,
    workedMs: deps.clock.now().getTime() - (operation.startedOn ?? operation.createdOn).getTime(),
    signal: work.signal,
    report: (fraction, isWaiting) => work.report(fraction, isWaiting),
    async bring(file) {
      const path = join(folder, newGuid());
      await deps.storage.toFile(file, path);
      return path;
    },
    contexts: await openContexts(deps.secrets, operation, slot),
    async remember(contexts) {
      const seal = async (of: 'slot' | 'operation', guid: string) => {
        const context = contexts[of];
        return context && sealContext(deps.secrets, { of, guid }, context);
      };
      const ofSlot = await seal('slot', slot.guid);
      await work.remember(await seal('operation', operation.guid));
      if (ofSlot !== null) await saveSlotContext(deps.db, organisationId, slot.guid, ofSlot);
    },
  };
}

/**
 * Makes room for the files of a result in the transaction that ends its operation, which has locked the `usage` without
 * the operation's reservation; returns what records them. Refuses with STORAGE_QUOTA_REACHED when they do not fit: the reservation covers what the portal's own engine makes, but a
 * vendor's files can be larger, and the operator may have lowered the quota.
 */
export async function recordFiles(
  trx: Db,
  { organisationBytes }: Pick<JobDependencies, 'organisationBytes'>,
  { organisationId }: OperationRow,
  usage: Usage,
  files: readonly NewStoredFile[],
): Promise<readonly PendingWrite[]> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  await makeRoom(trx, organisationId, bytes, organisationBytes, usage);
  return files.length === 0 ? [] : [storedFilesInsert(trx, files)];
}
