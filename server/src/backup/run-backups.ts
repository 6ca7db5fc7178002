/**
 * Makes the backups of a portal in the background: those that operators request, and the daily one. Each is read again
 * after it was written; only then are older ones removed. One portal at a time makes one.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Actor, type AuditEvent, recordAudit } from '../audit/audit.ts';
import { CannotStart } from '../config/cannot-start.ts';
import { type Repeating, startRepeating } from '../config/start-repeating.ts';
import type { Platform } from '../platform.ts';
import { openDatabase } from '../postgres/database.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Storage } from '../storage/storage.ts';
import { writeBackup } from './backup.ts';
import { nameBackup, readOwnSecret, verifyBackup } from './backup-file.ts';
import { findFolderFault, removeFolderFile, removeParts } from './backup-folder.ts';
import {
  type BackupRun,
  claimRun,
  deleteRun,
  endRun,
  noteRun,
  readSchedule,
  releaseRun,
  requestDueRun,
  type RunEnd,
  type RunFacts,
} from './backup-runs.ts';
import { forgetGone, listExcess } from './kept-backups.ts';

/** The dependencies of making backups. */
export interface MakerDependencies
  extends Pick<Platform, 'config' | 'db' | 'clock' | 'log' | 'secretSource'> {
  readonly storage: Pick<Storage, 'get' | 'head' | 'put' | 'delete'>;
  readonly folder: string;
  /** Names this portal in the leases and in the files that it writes. */
  readonly owner: string;
}

/** Milliseconds from the start to the first look for work, and between two. */
const pace = { first: 1000, every: 3000 };
/** Milliseconds between two renewals of the lease, with the progress. */
const noteEvery = 2000;

/** Makes backups until it is stopped, which aborts the current one: the next start of a portal makes it again. */
export function startBackups(given: Omit<MakerDependencies, 'owner'>): Repeating {
  const deps = { ...given, owner: randomUUID() };
  return startRepeating('back up', pace, async (signal) => {
    await runBackups(deps, signal).catch((error: unknown) => {
      if (!signal.aborted) deps.log.warn({ error }, 'could not look for backups to make');
    });
  });
}

/** Makes what is due or requested, one after the other. */
async function runBackups(deps: MakerDependencies, signal: AbortSignal): Promise<void> {
  await requestDueRun(deps.db, nameBackup(deps.clock.now()));
  while (!signal.aborted) {
    const run = await claimRun(deps.db, deps);
    if (run === null) return;
    await runOne(deps, run, signal);
  }
}

/** Who wanted a backup. */
function actorOfRun({ requestedBy }: BackupRun): Actor {
  return requestedBy === null ? { kind: 'worker' } : { kind: 'user', name: requestedBy };
}

async function record(
  { db }: Pick<MakerDependencies, 'db'>,
  event: Omit<AuditEvent, 'actor'> & { readonly run: BackupRun },
): Promise<void> {
  const { run, ...rest } = event;
  await recordAudit(db, { actor: actorOfRun(run), ...rest });
}

/** Works on one backup. Its failure is stored with it. */
async function runOne(deps: MakerDependencies, run: BackupRun, stop: AbortSignal): Promise<void> {
  const { db, log, owner } = deps;
  const { fileName } = run;
  const lease = { fileName, owner };
  const lost = new AbortController();
  const signal = AbortSignal.any([stop, lost.signal]);
  let facts: RunFacts = {};
  let noting = Promise.resolve();
  const note = (next: RunFacts): void => {
    facts = { ...facts, ...next };
  };
  const timer = setInterval(() => {
    noting = noteRun(db, lease, facts).then(
      (isOurs) => {
        if (!isOurs) lost.abort();
      },
      (error: unknown) => log.warn({ error, fileName }, 'could not note the progress of a backup'),
    );
  }, noteEvery);
  const end = await work(deps, run, { note, signal })
    .catch((error: unknown): RunEnd | null => {
      if (signal.aborted) return null;
      log.warn({ error, fileName }, 'could not make or verify a backup');
      // what was written completely can be good: only reading it again has failed
      const hasFile = run.status === 'verifying' || existsSync(join(deps.folder, fileName));
      return { status: hasFile ? 'complete' : 'failed', isVerified: false, error: textOf(error) };
    })
    .finally(() => clearInterval(timer));
  // a late note must not follow the end
  await noting;
  if (end === null) return releaseRun(db, lease);
  if (!(await endRun(db, lease, { ...facts, ...end }))) return;
  const isDone = end.status === 'complete' && end.isVerified;
  const isNew = run.origin !== 'other' && run.verifiedOn === null;
  await record(deps, {
    run,
    action: isNew ? 'backup' : 'backup verify',
    object: { file: fileName, ...lossesIn(facts), ...(isDone ? {} : { error: end.error }) },
    outcome: isDone ? 'done' : 'failed',
  });
  if (!isDone || !isNew) return;
  // not after a failure: the disk can be missing, and with it files that are not gone
  await forgetGone(db, deps.folder).catch((error: unknown) => {
    log.warn({ error }, 'could not forget old backups without a file');
  });
  await removeExcess(deps, run).catch(async (error: unknown) => {
    log.warn({ error, fileName }, 'could not remove older backups');
    await noteRun(db, lease, { error: `Older backups could not be removed: ${textOf(error)}` });
  });
}

/** The losses of a backup that was just written. */
const lossesIn = ({ missing, damaged }: RunFacts): object =>
  missing === undefined ? {} : { missing, damaged };

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface Work {
  readonly note: (facts: RunFacts) => void;
  readonly signal: AbortSignal;
}

/** Writes a backup, unless it is there already, and reads it again. Returns how it ended. */
async function work(
  deps: MakerDependencies,
  run: BackupRun,
  { note, signal }: Work,
): Promise<RunEnd> {
  const fault = await findFolderFault(deps.folder);
  if (fault !== null) throw new CannotStart(fault);
  const path = join(deps.folder, run.fileName);
  let written: RunFacts = {};
  if (run.status !== 'verifying' && !existsSync(path)) {
    await removeParts(deps.folder, run.fileName);
    written = await write(deps, path, { note, signal });
  }
  note({ ...written, status: 'verifying' });
  const lease = { fileName: run.fileName, owner: deps.owner };
  await noteRun(deps.db, lease, { ...written, status: 'verifying' });
  try {
    const { hasSecret } = await verifyBackup(path, () => signal.throwIfAborted());
    return { status: 'complete', isVerified: true, hasSecret, error: null };
  } catch (error) {
    if (signal.aborted || !(error instanceof CannotStart)) throw error;
    return { status: 'broken', isVerified: true, error: error.message };
  }
}

async function write(
  deps: MakerDependencies,
  path: string,
  { note, signal }: Work,
): Promise<RunFacts> {
  const { config, storage, clock } = deps;
  const readSecret = (snapshot: Db) => readOwnSecret(deps, snapshot);
  const { db, end } = openDirect(deps);
  try {
    const { files, missing, damaged } = await writeBackup(
      {
        ...{ db, storage, clock, readSecret, signal },
        version: config.version,
        onProgress: (copied, of) => note({ copied, files: of }),
      },
      path,
      `${path}.${deps.owner}.part`,
    );
    return { copied: files, files, missing: missing.length, damaged: damaged.length };
  } finally {
    await end();
  }
}

/** A backup holds a lock with its connection, which a pooler would give to others. */
function openDirect({ config, db, log }: MakerDependencies): { db: Db; end: () => Promise<void> } {
  return config.directDatabaseUrl === null
    ? { db, end: async () => undefined }
    : openDatabase(config.directDatabaseUrl, log, { size: 2 });
}

/** Removes the oldest backups of portals. */
async function removeExcess(deps: MakerDependencies, run: BackupRun): Promise<void> {
  const { db, folder } = deps;
  const { kept } = await readSchedule(db);
  for (const fileName of await listExcess(db, folder, kept)) {
    await removeFolderFile(folder, fileName);
    await deleteRun(db, fileName);
    await record(deps, {
      run,
      action: 'backup remove',
      object: { file: fileName },
      outcome: 'done',
    });
  }
}
