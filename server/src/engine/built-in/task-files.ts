/** Stages a task's files in an engine's folder and collects its output, so that it has access to nothing else. */
import {
  closeSync,
  fstatSync,
  lchownSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
} from 'node:fs';
import { constants, copyFile, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { componentNames } from '@recodery/contract/families/family';
import type { EngineAccount } from './sandbox-command.ts';
import type {
  CorrectTask,
  DecodeAnswer,
  DiagnoseTask,
  EngineAnswer,
  EngineTask,
  PreflightTask,
  RecognizeTask,
} from './task.ts';

/** The folder of an engine, and the account that it runs under; null: our own. */
export interface EnginePlace {
  readonly folder: string;
  readonly account: EngineAccount | null;
}

/** A task as the engine sees it, and how to collect its output. */
export interface StagedTask {
  readonly task: EngineTask;
  /** Moves the engine's output to the caller's paths. */
  collect(answer: EngineAnswer): Promise<void>;
}

// An engine may replace the contents of its folder at any time: nothing here follows a link that it could have placed.
// Names and owners of local files are changed at once: to have another thread do it takes several times as long. What can
// take long, copying and deleting, is done in another thread.

function giveTo(account: EngineAccount | null, path: string): void {
  if (account !== null) lchownSync(path, account.uid, account.gid);
}

/** A hard link to the file; a copy when the folders are on different disks. The engine's account becomes its owner. */
async function bring(account: EngineAccount | null, from: string, to: string): Promise<string> {
  giveTo(account, from);
  try {
    linkSync(from, to);
  } catch {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    giveTo(account, to);
  }
  return to;
}

/**
 * Moves a file that an engine created. It is in the engine's own folder, whose place the engine cannot change: a folder
 * that it can replace by a link would lead the portal to its own files. What is moved is what was opened and checked.
 */
function take({ account }: EnginePlace, from: string, to: string): void {
  const opened = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const file = fstatSync(opened);
    const isOwn = file.uid === (account?.uid ?? process.getuid?.() ?? file.uid);
    // a second name could be that of a file of ours
    if (!file.isFile() || !isOwn || file.nlink !== 1)
      throw new Error('an engine output is not a file of its own');
    renameSync(from, to);
    const moved = lstatSync(to);
    if (moved.ino !== file.ino || moved.dev !== file.dev)
      throw new Error('an engine output was replaced');
  } finally {
    closeSync(opened);
  }
}

function isDecode(answer: EngineAnswer): answer is DecodeAnswer {
  return 'information' in answer;
}

async function collectComponents(
  place: EnginePlace,
  answer: EngineAnswer,
  outFolder: string,
): Promise<void> {
  if (!isDecode(answer)) throw new Error('an engine returned the wrong kind of result');
  for (const { name } of answer.components) {
    if (!componentNames.includes(name))
      throw new Error('an engine returned an unknown component name');
    take(place, join(place.folder, `${name}.bin`), join(outFolder, `${name}.bin`));
  }
}

async function collectRepair(
  place: EnginePlace,
  answer: EngineAnswer,
  from: string,
  to: string,
): Promise<void> {
  if (!('finding' in answer)) throw new Error('an engine returned the wrong kind of result');
  if (answer.finding?.repair) take(place, from, to);
}

async function collectCorrected(
  place: EnginePlace,
  answer: EngineAnswer,
  from: string,
  to: string,
): Promise<void> {
  if (!('correction' in answer)) throw new Error('an engine returned the wrong kind of result');
  if (answer.correction !== null && answer.correction.bytes > 0) take(place, from, to);
}

async function stagePreflight(asked: PreflightTask, place: EnginePlace): Promise<StagedTask> {
  const { folder, account } = place;
  const bringAs = (name: string, path: string) => bring(account, path, join(folder, name));
  const bringMaybe = async (path: string | null, name: string) =>
    path === null ? null : bringAs(name, path);
  const components = asked.components.map(async ({ name, decodedPath, modifiedPath }) => ({
    name,
    decodedPath: await bringMaybe(decodedPath, `decoded-${name}`),
    modifiedPath: await bringMaybe(modifiedPath, `modified-${name}`),
  }));
  const task = {
    ...asked,
    components: await Promise.all(components),
    originalPath: await bringMaybe(asked.originalPath, 'original'),
    library: asked.library && {
      ...asked.library,
      path: await bringAs('library', asked.library.path),
    },
  };
  return { task, collect: async () => undefined };
}

async function stageCorrection(asked: CorrectTask, place: EnginePlace): Promise<StagedTask> {
  const { folder, account } = place;
  const outPath = join(folder, 'corrected');
  const imagePath = await bring(account, asked.imagePath, join(folder, 'image'));
  const readPath = asked.readPath && (await bring(account, asked.readPath, join(folder, 'read')));
  return {
    task: { ...asked, outPath, imagePath, readPath },
    collect: (answer) => collectCorrected(place, answer, outPath, asked.outPath),
  };
}

async function stageDiagnosis(asked: DiagnoseTask, place: EnginePlace): Promise<StagedTask> {
  const { folder, account } = place;
  const bringAs = (name: string, path: string) => bring(account, path, join(folder, name));
  const outPath = join(folder, 'repair');
  const { decodedPath } = asked;
  const others = asked.others.map(async ({ name, path }) => ({
    name,
    path: await bringAs(`other-${name}`, path),
  }));
  const task = {
    ...asked,
    outPath,
    imagePath: await bringAs('image', asked.imagePath),
    decodedPath: decodedPath === null ? null : await bringAs('decoded', decodedPath),
    others: await Promise.all(others),
  };
  return { task, collect: (answer) => collectRepair(place, answer, outPath, asked.outPath) };
}

async function stageRecognition(
  asked: RecognizeTask,
  { folder, account }: EnginePlace,
): Promise<StagedTask> {
  const images = asked.images.map(async ({ name, path }) => ({
    name,
    path: await bring(account, path, join(folder, name)),
  }));
  const task = { ...asked, images: await Promise.all(images) };
  return { task, collect: async () => undefined };
}

/** Stages the files of a task in an engine's empty folder. */
export async function stageTask(asked: EngineTask, place: EnginePlace): Promise<StagedTask> {
  const { folder, account } = place;
  const inside = (name: string): string => join(folder, name);
  const bringMaybe = (path: string | null, name: string) =>
    path === null ? null : bring(account, path, inside(name));

  switch (asked.kind) {
    case 'decode': {
      const filePath = await bring(account, asked.filePath, inside('read'));
      return {
        task: { ...asked, filePath, outFolder: folder },
        collect: (answer) => collectComponents(place, answer, asked.outFolder),
      };
    }
    case 'encode': {
      const outPath = inside('encoded');
      const task = {
        ...asked,
        outPath,
        filePath: await bring(account, asked.filePath, inside('read')),
        originalPath: await bringMaybe(asked.originalPath, 'original'),
        modified: await Promise.all(
          asked.modified.map(async ({ name, path }) => ({
            name,
            path: await bring(account, path, inside(`modified-${name}`)),
          })),
        ),
      };
      return { task, collect: async () => take(place, outPath, asked.outPath) };
    }
    case 'preflight':
      return stagePreflight(asked, place);
    case 'correct':
      return stageCorrection(asked, place);
    case 'diagnose':
      return stageDiagnosis(asked, place);
    case 'recognize':
      return stageRecognition(asked, place);
    default: {
      const task = {
        ...asked,
        imagePath: await bring(account, asked.imagePath, inside('image')),
        decodedPath: await bringMaybe(asked.decodedPath, 'decoded'),
      };
      return { task, collect: async () => undefined };
    }
  }
}

/**
 * Empties the folder of a running engine, following no links.
 * @throws when it contains folders, which no engine creates
 */
export async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await unlink(join(folder, name));
}
