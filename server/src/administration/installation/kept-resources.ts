/** The resources of operators that have tables of their own, their actions and their tasks. */
import type { ResourceName } from '@recodery/contract/admin/resources';
import { Refusal } from '@recodery/contract/refusal';
import { builtInEngine } from '@recodery/contract/features/engines';
import { findConnection } from '../../engine-connections/engine-connections.ts';
import { testConnection } from '../../recoding/engine-selection/test-connection.ts';
import type { Caller } from '../../organisations/caller.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { AdministrationDeps } from '../directory/actions.ts';
import { auditStore, verifyTrail, writeAuditCsv, writeAuditLines } from './audit-trail.ts';
import {
  type BackupDeps,
  createBackup,
  openBackupFile,
  openBackups,
  openBackupSchedule,
  type RecordFile,
  verifyAgain,
} from './backups.ts';
import {
  openOriginalUploads,
  type OriginalDeps,
  originalRecords,
  type UploadedRecords,
} from './originals.ts';
import { actOnEmail, type EmailDeps, emailStore, testEmail } from './emails.ts';
import { openEngines } from './engines.ts';
import { keptRecords, type KeptStore, readKept } from '../records/kept-records.ts';
import { type PageAsk, pagedRecords } from '../records/paged-records.ts';
import { maintenanceStore } from './maintenance.ts';
import { openMessages } from './messages.ts';
import { actOnKeys, type KeyDeps, openKeys, renewAll, rotate } from './keys.ts';
import { openSettings, type SettingsDeps } from './settings.ts';
import {
  actOnProvider,
  failureStore,
  openSignInProvider,
  type SignInProviderDeps,
} from './sign-in.ts';
import { openStorageStore, scanStorage, type StorageDeps } from './storage.ts';
import { acceptanceStore, actOnTerms, openTerms, type TermsDeps } from './terms.ts';
import type { ActionOutcome, ResourceRecords, TaskResult } from '../records/records.ts';
import { type DirectoryResource, refuseFields } from '../records/resource-store.ts';

/** A resource that is not part of the directory. */
export type KeptResource = Exclude<ResourceName, DirectoryResource>;

/** The dependencies of these resources. */
export interface KeptDeps
  extends AdministrationDeps,
    Omit<EmailDeps, 'db'>,
    StorageDeps,
    TermsDeps,
    Omit<SettingsDeps, 'configured'>,
    Omit<SignInProviderDeps, 'configured'>,
    KeyDeps,
    OriginalDeps,
    BackupDeps {
  readonly secrets: AdministrationDeps['secrets'] & Pick<Secrets, 'getKey' | 'retireKeys'>;
  readonly configured: SettingsDeps['configured'] & SignInProviderDeps['configured'];
}

/** How a resource is served. */
export interface Kept {
  readonly records: ResourceRecords;
  readonly act: (action: string, guid: string, caller: Caller) => Promise<ActionOutcome>;
  /** Its tasks by name. */
  readonly tasks?: Readonly<Record<string, (caller: Caller) => Promise<TaskResult>>>;
  /** The file of a record. */
  readonly download?: (guid: string) => Promise<RecordFile>;
  /** Adds and replaces records with an uploaded file. */
  readonly uploads?: UploadedRecords;
  /** Its records as files, in pieces. */
  readonly exports?: Readonly<
    Record<
      'csv' | 'jsonl',
      (ask: Pick<PageAsk, 'words' | 'filters'>) => AsyncGenerator<string, void>
    >
  >;
}

async function testEngine(
  deps: KeptDeps,
  store: KeptStore,
  action: string,
  guid: string,
): Promise<ActionOutcome> {
  const item = await readKept(deps.db, store, guid);
  if (action !== 'test') throw new Refusal('NOT_FOUND');
  if (item['kind'] === builtInEngine) refuseFields({ name: 'FIXED' });
  const connection = await findConnection(deps.db, String(item['name']));
  if (connection === null) throw new Refusal('NOT_FOUND');
  const { isRight, text } = await testConnection(deps, connection);
  return { item, link: null, finding: { state: isRight ? 'ok' : 'wrong', text }, changes: {} };
}

const noAction = (): Promise<never> => Promise.reject(new Refusal('NOT_FOUND'));

/** The originals library. */
function openOriginals(deps: KeptDeps): Kept {
  const { db } = deps;
  return {
    records: originalRecords(db, deps),
    act: noAction,
    uploads: openOriginalUploads(db, deps),
  };
}

/** Opens all of them. */
export function openKeptResources(deps: KeptDeps): Readonly<Record<KeptResource, Kept>> {
  const engines = openEngines(deps);
  return {
    engines: {
      records: keptRecords(deps.db, engines),
      act: (action, guid) => testEngine(deps, engines, action, guid),
    },
    originals: openOriginals(deps),
    messages: { records: keptRecords(deps.db, openMessages(deps)), act: noAction },
    maintenance: { records: keptRecords(deps.db, maintenanceStore), act: noAction },
    settings: { records: keptRecords(deps.db, openSettings(deps)), act: noAction },
    signIn: {
      records: keptRecords(deps.db, openSignInProvider(deps)),
      act: (action, guid) => actOnProvider(deps, action, guid),
    },
    signInFailures: { records: pagedRecords(deps.db, failureStore), act: noAction },
    keys: {
      records: keptRecords(deps.db, openKeys(deps)),
      act: (action, guid, caller) => actOnKeys(deps, caller, action, guid),
      tasks: {
        renewAll: (caller) => renewAll(deps, caller),
        rotate: (caller) => rotate(deps, caller),
      },
    },
    emails: {
      records: pagedRecords(deps.db, emailStore),
      act: (action, guid) => (action === 'retry' ? actOnEmail(deps, guid) : noAction()),
      tasks: { test: (caller) => testEmail(deps, caller) },
    },
    storage: {
      records: keptRecords(deps.db, openStorageStore(deps)),
      act: noAction,
      tasks: {
        result: () => scanStorage(deps.db, deps.fileScan.describe),
        scan: () => scanStorage(deps.db, deps.fileScan.start),
      },
    },
    terms: {
      records: keptRecords(deps.db, openTerms(deps)),
      act: (action, guid) => actOnTerms(deps.db, deps, action, guid),
    },
    acceptances: { records: pagedRecords(deps.db, acceptanceStore), act: noAction },
    backups: {
      records: keptRecords(deps.db, openBackups(deps)),
      act: (action, guid) => (action === 'verify' ? verifyAgain(deps.db, deps, guid) : noAction()),
      tasks: { create: (caller) => createBackup(deps.db, deps, caller) },
      download: (guid) => openBackupFile(deps.db, deps, guid),
    },
    backupSchedule: { records: keptRecords(deps.db, openBackupSchedule(deps)), act: noAction },
    audit: {
      records: pagedRecords(deps.db, auditStore),
      act: noAction,
      tasks: { verify: () => verifyTrail(deps.db) },
      exports: {
        csv: (ask) => writeAuditCsv(deps.db, ask),
        jsonl: (ask) => writeAuditLines(deps.db, ask),
      },
    },
  };
}
