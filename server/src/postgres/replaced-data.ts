/**
 * Puts a data folder's restored contents in the place of what is there. It is done piece by piece, so it is written down
 * first: whoever opens the folder after a power cut in the middle does the rest.
 */
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../config/folders.ts';
import { dropMovedHome } from './home.ts';

/** What of a data folder a restore replaces, where the restored data has it. */
const replacedNames = ['postgres.json', 'postgres', 'files', 'secret'] as const;
/** What belongs to the data that was there, and to no other. */
const droppedNames = ['secret.next', 'demo'] as const;

const asideName = '.restore';

function readyNote(dataDir: string): string {
  return join(dataDir, asideName, 'ready');
}

/** The folder for the new contents inside a data folder: on the same disk, so that they can be moved into place. */
export function nextOf(dataDir: string): string {
  return join(dataDir, asideName, 'next');
}

/** Makes the folder for the new contents, empty. No database may run in what a cut-off restore has left there. */
export async function openNext(dataDir: string): Promise<string> {
  const aside = join(dataDir, asideName);
  const next = nextOf(dataDir);
  await dropMovedHome(next);
  await rm(aside, { recursive: true, force: true });
  // The account that runs the database must be able to pass.
  await mkdir(next, { recursive: true, mode: 0o755 });
  return next;
}

/** Gives the new contents up. */
export async function dropNext(dataDir: string): Promise<void> {
  await dropMovedHome(nextOf(dataDir));
  await rm(join(dataDir, asideName), { recursive: true, force: true });
}

/** What of a data folder a restore would replace. */
export function listReplaceable(dataDir: string): readonly string[] {
  return replacedNames.filter((name) => existsSync(join(dataDir, name)));
}

/** Puts what was made aside in its place and deletes what was there. Nobody else may use the data folder meanwhile. */
export async function replaceData(dataDir: string): Promise<void> {
  const aside = join(dataDir, asideName);
  const next = nextOf(dataDir);
  const names = replacedNames.filter((name) => existsSync(join(next, name)));
  await syncFolder(next);
  const note = await open(readyNote(dataDir), 'w', 0o600);
  await note.writeFile(JSON.stringify(names));
  await note.sync().finally(() => note.close());
  await syncFolder(aside);
  await finishReplacing(dataDir);
}

/** Whether a replacement was cut off in its middle. */
export function isReplacing(dataDir: string): boolean {
  return existsSync(readyNote(dataDir));
}

/** Does what is left of a replacement. Nobody else may use the data folder meanwhile. */
export async function finishReplacing(dataDir: string): Promise<void> {
  const aside = join(dataDir, asideName);
  const next = nextOf(dataDir);
  const last = join(aside, 'last');
  const text = await readFile(readyNote(dataDir), 'utf8');
  const names: unknown = JSON.parse(text);
  await mkdir(last, { recursive: true });
  for (const name of [...replacedNames, ...droppedNames]) {
    const isNew = Array.isArray(names) && names.includes(name);
    // A secret of ours may be named elsewhere too; without one in the backup it stays.
    if (name === 'secret' && !isNew) continue;
    const isPlaced = isNew && !existsSync(join(next, name));
    if (isPlaced) continue;
    await moveIfThere(join(dataDir, name), join(last, name));
    if (isNew) await rename(join(next, name), join(dataDir, name));
  }
  await syncFolder(dataDir);
  await dropMovedHome(last);
  await rm(readyNote(dataDir));
  await rm(aside, { recursive: true, force: true });
}

async function moveIfThere(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  await rm(to, { recursive: true, force: true });
  await rename(from, to);
}
