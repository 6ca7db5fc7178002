/** Brings a task's files into an engine's folder and what it made out again, so that it sees nothing else. */
import { copyFile, link, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { componentNames } from '@recodery/contract/families/family';
import type { DecodeAnswer, EngineAnswer, EngineTask } from './task.ts';

/** A task as the engine sees it, and what to do with its answer. */
export interface StagedTask {
  readonly task: EngineTask;
  /** Moves what the engine made to where the asker wants it. */
  collect(answer: EngineAnswer): Promise<void>;
}

/** Another name for the same file; a copy where the folders lie on different disks. */
async function bring(from: string, to: string): Promise<string> {
  await link(from, to).catch(() => copyFile(from, to));
  return to;
}

/** Moves a file that an engine made. A link in its place would lead to somebody else's file. */
async function take(from: string, to: string): Promise<void> {
  if (!(await lstat(from)).isFile())
    throw new Error('an engine laid down something else than a file');
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
  if (!isDecode(answer)) throw new Error('an engine gave another answer than it was asked for');
  await Promise.all(
    answer.components.map(async ({ name }) => {
      if (!componentNames.includes(name)) throw new Error('an engine named no component');
      await take(join(made, `${name}.bin`), join(outFolder, `${name}.bin`));
    }),
  );
}

/** Brings the files of a task into an engine's empty folder. */
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
