/**
 * Replaces the contents of a data folder with restored data. The pieces are moved one by one, so the replacement is
 * recorded first: after a power cut in the middle, the next process that opens the folder completes it.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../config/folders.ts';
import { dropMovedHome } from './embedded/cluster-location.ts';

/** The parts of a data folder that a restore replaces, if the restored data contains them. */
const replacedNames = ['postgres.json', 'postgres', 'files', 'secret'] as const;
/** Files that belong only to the previous data. */
const droppedNames = ['secret.next', 'demo'] as const;

const asideName = '.restore';

function readyMarker(dataDir: string): string {
  return join(dataDir, asideName, 'ready');
}

/** The folder for the new contents inside a data folder: on the same disk, so that they can be moved into place. */
export function nextOf(dataDir: string): string {
  return join(dataDir, asideName, 'next');
}

/** Creates an empty folder for the new contents. Stop any database that an interrupted restore left running first. */
export async function openNext(dataDir: string): Promise<string> {
  const aside = join(dataDir, asideName);
  const next = nextOf(dataDir);
  await dropMovedHome(next);
  await rm(aside, { recursive: true, force: true });
  // The account that runs the database must be able to pass through.
  await mkdir(next, { recursive: true, mode: 0o755 });
  return next;
}

/** Deletes the new contents. */
export async function dropNext(dataDir: string): Promise<void> {
  await dropMovedHome(nextOf(dataDir));
  await rm(join(dataDir, asideName), { recursive: true, force: true });
}

/** The parts of a data folder that a restore would replace. */
export function listReplaceable(dataDir: string): readonly string[] {
  return replacedNames.filter((name) => existsSync(join(dataDir, name)));
}

/**
 * Moves the prepared contents into place and deletes the previous ones. No other process may use the data folder at the
 * same time.
 */
export async function replaceData(dataDir: string): Promise<void> {
  const aside = join(dataDir, asideName);
  const next = nextOf(dataDir);
  const names = replacedNames.filter((name) => existsSync(join(next, name)));
  await syncFolder(next);
  await writeFile(readyMarker(dataDir), JSON.stringify(names), { mode: 0o600, flush: true });
  await syncFolder(aside);
  await finishReplacing(dataDir);
}

/** Whether a replacement was interrupted. */
export function isReplacing(dataDir: string): boolean {
  return existsSync(readyMarker(dataDir));
}

/** Completes an interrupted replacement. No other process may use the data folder at the same time. */
export async function finishReplacing(dataDir: string): Promise<void> {
  const aside = join(dataDir, asideName);
  const next = nextOf(dataDir);
  const last = join(aside, 'last');
  const text = await readFile(readyMarker(dataDir), 'utf8');
  const names: unknown = JSON.parse(text);
  await mkdir(last, { recursive: true });
  for (const name of [...replacedNames, ...droppedNames]) {
    const isNew = Array.isArray(names) && names.includes(name);
    // Other settings may refer to our secret too; it stays when the backup contains none.
    if (name === 'secret' && !isNew) continue;
    const isPlaced = isNew && !existsSync(join(next, name));
    if (isPlaced) continue;
    await moveIfThere(join(dataDir, name), join(last, name));
    if (isNew) await rename(join(next, name), join(dataDir, name));
  }
  await syncFolder(dataDir);
  await dropMovedHome(last);
  await rm(readyMarker(dataDir));
  await rm(aside, { recursive: true, force: true });
}

async function moveIfThere(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  await rm(to, { recursive: true, force: true });
  await rename(from, to);
}
