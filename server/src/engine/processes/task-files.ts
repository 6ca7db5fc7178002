/** Stages a task's files in an engine's folder and collects its output, so that it has access to nothing else. */
import { copyFile, link, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { componentNames } from '@recodery/contract/families/family';
import type { DecodeAnswer, EngineAnswer, EngineTask } from './task.ts';

/** A task as the engine sees it, and how to collect its output. */
export interface StagedTask {
  readonly task: EngineTask;
  /** Moves the engine's output to the caller's paths. */
  collect(answer: EngineAnswer): Promise<void>;
}

/** A hard link to the file; a copy when the folders are on different disks. */
async function bring(from: string, to: string): Promise<string> {
  await link(from, to).catch(() => copyFile(from, to));
  return to;
}

/** Moves a file that an engine created. A link in its place could point to a file of another organisation. */
async function take(from: string, to: string): Promise<void> {
  if (!(await lstat(from)).isFile()) throw new Error('an engine output is not a file');
  await rename(from, to).catch(async () => {
    await copyFile(from, to);
    await rm(from);
  });
}

function isDecode(answer: EngineAnswer): answer is DecodeAnswer {
  return 'information' in answer;
}

async function collectComponents(
  answer: EngineAnswer,
  made: string,
  outFolder: string,
): Promise<void> {
  if (!isDecode(answer)) throw new Error('an engine returned the wrong kind of result');
  await Promise.all(
    answer.components.map(async ({ name }) => {
      if (!componentNames.includes(name))
        throw new Error('an engine returned an unknown component name');
      await take(join(made, `${name}.bin`), join(outFolder, `${name}.bin`));
    }),
  );
}

/** Stages the files of a task in an engine's empty folder. */
export async function stageTask(asked: EngineTask, folder: string): Promise<StagedTask> {
  const inside = (name: string): string => join(folder, name);
  const bringMaybe = (path: string | null, name: string) =>
    path === null ? null : bring(path, inside(name));

  switch (asked.kind) {
    case 'decode': {
      const made = inside('made');
      await mkdir(made);
      const filePath = await bring(asked.filePath, inside('read'));
      return {
        task: { ...asked, filePath, outFolder: made },
        collect: (answer) => collectComponents(answer, made, asked.outFolder),
      };
    }
    case 'encode': {
      const outPath = inside('encoded');
      const task = {
        ...asked,
        outPath,
        filePath: await bring(asked.filePath, inside('read')),
        originalPath: await bringMaybe(asked.originalPath, 'original'),
        modified: await Promise.all(
          asked.modified.map(async ({ name, path }) => ({
            name,
            path: await bring(path, inside(`modified-${name}`)),
          })),
        ),
      };
      return { task, collect: () => take(outPath, asked.outPath) };
    }
    default: {
      const task = {
        ...asked,
        imagePath: await bring(asked.imagePath, inside('image')),
        decodedPath: await bringMaybe(asked.decodedPath, 'decoded'),
      };
      return { task, collect: async () => undefined };
    }
  }
}

/** Empties an engine's folder. */
export async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder);
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
