/** What the portal takes from an engine's folder, which hostile code may have filled. */
import { execFileSync } from 'node:child_process';
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { stageTask } from '../../../src/engine/built-in/task-files.ts';
import type { EngineAnswer } from '../../../src/engine/built-in/task.ts';

const all = await mkdtemp(join(tmpdir(), 'recodery-taken-'));
afterAll(() => rm(all, { recursive: true }));

let portal: string;
let engine: string;
let results: string;
beforeEach(async () => {
  const own = await mkdtemp(join(all, 'test-'));
  [portal, engine, results] = [join(own, 'portal'), join(own, 'engine'), join(own, 'results')];
  for (const folder of [portal, engine, results]) await mkdir(folder);
  await writeFile(join(portal, 'flash.bin'), 'a secret');
  await writeFile(join(results, 'upload'), 'a read');
});

const stage = () =>
  stageTask(
    {
      kind: 'decode',
      workflow: 'ktag',
      filePath: join(results, 'upload'),
      pairKey: new Uint8Array(32),
      skipChecksum: false,
      outFolder: results,
    },
    { folder: engine, account: null },
  );
const answer = {
  information: {},
  components: [{ name: 'flash', size: 1, sha256: '' }],
} as unknown as EngineAnswer;

/** Ways for an engine to have its output lead to a file of the portal. */
const tricks: Readonly<Record<string, (output: string) => Promise<unknown>>> = {
  'replaces its folder of results by a link': async (output) => {
    const folder = dirname(output);
    // it cannot replace its own folder: that is a mount point, or lies in a folder of the portal
    if (folder === engine) return;
    await rename(folder, `${folder}.away`);
    await symlink(portal, folder);
  },
  'returns a link': (output) => symlink(join(portal, 'flash.bin'), output),
  'returns a second name of a file': (output) => link(join(portal, 'flash.bin'), output),
  'returns a folder': (output) => mkdir(output),
  'returns a pipe': async (output) => execFileSync('mkfifo', [output]),
};

// promise d8.engine.results
test.each(Object.keys(tricks))('nothing of the portal is taken when an engine %s', async (name) => {
  const { task, collect } = await stage();
  const outFolder = task.kind === 'decode' ? task.outFolder : '';
  await tricks[name]?.(join(outFolder, 'flash.bin'));
  await expect(collect(answer)).rejects.toThrow();
  expect(await readFile(join(portal, 'flash.bin'), 'utf8')).toBe('a secret');
  expect(await readdir(results)).toEqual(['upload']);
});

test('a file that the engine has written is taken', async () => {
  const { task, collect } = await stage();
  const outFolder = task.kind === 'decode' ? task.outFolder : '';
  await writeFile(join(outFolder, 'flash.bin'), 'an image');
  await collect(answer);
  expect(await readFile(join(results, 'flash.bin'), 'utf8')).toBe('an image');
});
