/** Has an engine explain why an upload does not fit its read, and keeps the repair that it offers. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { CodecError } from '@recodery/codec/errors';
import type { MisfitToExplain } from '@recodery/codec/recoding/explain-misfit';
import type { Diagnosis } from '@recodery/contract/features/recoding/diagnosis';
import { Refusal } from '@recodery/contract/refusal';
import { newGuid } from '../../config/guids.ts';
import type { EnginePool } from '../../engine/built-in/pool.ts';
import type { DiagnoseAnswer } from '../../engine/built-in/task.ts';
import { uploadPrefix } from '../../http/file-transfer.ts';
import { lockOrganisation } from '../../organisations/organisations.ts';
import { bytesBeyond, readStorageUse } from '../../organisations/storage-quota.ts';
import type { Log } from '../../config/log.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import {
  describeMisfit,
  insertMisfit,
  insertUnexplained,
  type KeptFile,
  type Misfit,
  type Unexplained,
} from '../../slots/misfits.ts';
import type { Slot } from '../../slots/slots.ts';
import { getStoredFile } from '../../slots/files/stored-files.ts';
import { NothingStored } from '../../storage/storage.ts';
import { DamagedFile, type VerifiedStorage } from '../../storage/verified-storage.ts';
import { runCheck } from '../engine-check.ts';
import type { DecodeFacts } from '../results/stored-result.ts';

export interface DiagnosisDependencies {
  readonly db: Db;
  readonly log: Log;
  readonly storage: VerifiedStorage;
  readonly engines: Pick<EnginePool, 'run'>;
  /** Bytes that all files of an organisation may use. */
  readonly organisationBytes: number;
}

/** An upload that was checked: what the check compared, in a folder that exists until the diagnosis is kept. */
export interface CheckedUpload
  extends Pick<MisfitToExplain, 'protocolId' | 'mode' | 'component' | 'role' | 'identification'> {
  readonly slot: Slot;
  readonly facts: DecodeFacts;
  /** The file name that its sender gave it. */
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly folder: string;
  readonly imagePath: string;
  readonly decodedPath: string | null;
}

type Finding = NonNullable<DiagnoseAnswer['finding']>;

/** What was found, and the file of the repair if there is one. */
export interface Diagnosed {
  readonly finding: Finding;
  readonly repairPath: string;
}

/** The images of the read's other components, as files of the folder; those that are damaged or gone are left out. */
async function bringOthers({ db, storage }: DiagnosisDependencies, upload: CheckedUpload) {
  const { slot, facts, component, folder } = upload;
  // the library's original has no components of this read
  if (facts.wasOriginalFileFound) return [];
  const others = facts.components.filter((one) => one.component !== component);
  const brought = others.map(async ({ component: name, fileGuid }) => {
    const path = join(folder, `other-${name}`);
    await storage.toFile(await getStoredFile(db, slot.organisationId, fileGuid), path);
    return [{ name, path }];
  });
  const found = brought.map((one) =>
    one.catch((error: unknown) => {
      const isMissing = error instanceof Refusal || error instanceof NothingStored;
      if (isMissing || error instanceof DamagedFile) return [];
      throw error;
    }),
  );
  return (await Promise.all(found)).flat();
}

/** Explains why an upload does not fit, or says why it cannot: nothing is certain, or no engine could do it now. */
export async function diagnoseUpload(
  deps: DiagnosisDependencies,
  upload: CheckedUpload,
): Promise<Diagnosed | Pick<Unexplained, 'reason'>> {
  const { slot, protocolId, mode, component, role, identification } = upload;
  const { imagePath, decodedPath } = upload;
  const repairPath = join(upload.folder, 'repair');
  const task = {
    ...({ kind: 'diagnose', workflow: slot.workflow, protocolId, mode, component, role } as const),
    ...{ identification, imagePath, decodedPath, outPath: repairPath },
    others: await bringOthers(deps, upload),
  };
  const answer = await runCheck(deps, task, {
    organisation: slot.organisationId,
    slot: slot.guid,
    crashed: 'engine crashed during a diagnosis',
    failed: 'could not diagnose an upload',
  }).catch((error: unknown) => {
    // the upload was checked: a diagnosis that fails must not change the result
    if (error instanceof Refusal || error instanceof CodecError) return null;
    throw error;
  });
  if (answer === null) return { reason: 'engine-unavailable' };
  const { finding } = answer;
  return finding === null ? { reason: 'not-certain' } : { finding, repairPath };
}

/** The name of a repair: that of the upload, with the extension of an image. */
function nameRepair(name: string, isText: boolean): string {
  const stem = name.replace(/\.[^.]{1,8}$/, '');
  return isText || stem === name ? `${stem}.bin` : name;
}

const textKinds: readonly Diagnosis['kind'][] = [
  'archive',
  'intel-hex',
  's-record',
  'ti-txt',
  'hex-dump',
  'base64',
  'c-array',
];

function misfitOf(
  { slot, role, component }: CheckedUpload,
  { kind, details }: Finding,
  files: Pick<Misfit, 'fileGuid' | 'upload' | 'repair'>,
): Misfit {
  return { guid: newGuid(), slotGuid: slot.guid, role, component, kind, details, ...files };
}

/** Copies a file of the folder into the storage. */
async function keepFile(
  { storage }: Pick<DiagnosisDependencies, 'storage'>,
  { slot }: CheckedUpload,
  path: string,
  name: string,
): Promise<KeptFile> {
  const storageKey = `${uploadPrefix}/${slot.organisationId}/${newGuid()}`;
  const { size, sha256 } = await storage.put(storageKey, createReadStream(path));
  return { name, size, sha256, storageKey };
}

/**
 * Records the diagnosis of a refused upload, with the upload and its repair, and returns it for the refusal. Without
 * room for them in the organisation's storage, there is no repair.
 */
export async function keepRefused(
  deps: DiagnosisDependencies,
  upload: CheckedUpload,
  diagnosed: Diagnosed,
): Promise<Diagnosis> {
  const { finding } = diagnosed;
  if (finding.repair === null) {
    return describeMisfit(
      misfitOf(upload, finding, { fileGuid: null, upload: null, repair: null }),
    );
  }
  const came = await keepFile(deps, upload, upload.imagePath, upload.name);
  const misfit = await withRepair(deps, upload, diagnosed, { fileGuid: null, upload: came });
  return describeMisfit(await record(deps, upload, misfit));
}

/** The diagnosis of an accepted upload, to be recorded with its file. */
export async function keepAccepted(
  deps: DiagnosisDependencies,
  upload: CheckedUpload,
  diagnosed: Diagnosed | Pick<Unexplained, 'reason'>,
  fileGuid: string,
): Promise<Misfit | Unexplained> {
  if ('reason' in diagnosed) {
    const { slot, role, component } = upload;
    return { slotGuid: slot.guid, role, component, fileGuid, reason: diagnosed.reason };
  }
  return withRepair(deps, upload, diagnosed, { fileGuid, upload: null });
}

async function withRepair(
  deps: DiagnosisDependencies,
  upload: CheckedUpload,
  { finding, repairPath }: Diagnosed,
  files: Pick<Misfit, 'fileGuid' | 'upload'>,
): Promise<Misfit> {
  const { repair, kind } = finding;
  if (repair === null) return misfitOf(upload, finding, { ...files, repair: null });
  const name = nameRepair(upload.name, textKinds.includes(kind));
  const file = await keepFile(deps, upload, repairPath, name);
  const component = repair.component ?? upload.component;
  return misfitOf(upload, finding, {
    ...files,
    repair: { file, component, isLossless: repair.isLossless },
  });
}

/**
 * Records a misfit if there is room for its files; else without them. `trx` must lock the organisation's row. An offer of
 * an hour makes no room: replaced versions that stay with a job are worth more.
 */
async function recordMisfit(
  trx: Db,
  { slot }: Pick<CheckedUpload, 'slot'>,
  misfit: Misfit,
  organisationBytes: number,
): Promise<Misfit> {
  const { organisationId } = slot;
  const bytes = (misfit.upload?.size ?? 0) + (misfit.repair?.file.size ?? 0);
  const use = await readStorageUse(trx, organisationId);
  const hasRoom = bytesBeyond(use, bytes, organisationBytes) <= 0;
  const recorded = hasRoom ? misfit : { ...misfit, upload: null, repair: null };
  if (hasRoom || misfit.fileGuid !== null) await insertMisfit(trx, organisationId, recorded);
  return recorded;
}

/** Records what is known of an accepted upload that hardly resembles the read; `trx` as in {@link recordMisfit}. */
export async function recordAccepted(
  trx: Db,
  upload: Pick<CheckedUpload, 'slot'>,
  misfit: Misfit | Unexplained,
  organisationBytes: number,
): Promise<void> {
  if ('reason' in misfit) await insertUnexplained(trx, upload.slot.organisationId, misfit);
  else await recordMisfit(trx, upload, misfit, organisationBytes);
}

async function record(
  deps: DiagnosisDependencies,
  upload: CheckedUpload,
  misfit: Misfit,
): Promise<Misfit> {
  return deps.db.transaction().execute(async (trx) => {
    await lockOrganisation(trx, upload.slot.organisationId);
    return recordMisfit(trx, upload, misfit, deps.organisationBytes);
  });
}
