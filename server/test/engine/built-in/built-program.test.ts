/** The built program of the engines: it is made again when one of its sources changes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engineEntry, engineProgram } from '../../../src/engine/built-in/program-files.ts';

const launcher = join(import.meta.dirname, '../../../../tools/launch/build.mjs');

test('a changed source of the program makes the next start build it', () => {
  // each part of the built file follows a line with the path of its source
  const built = [engineEntry, engineProgram].map((path) => readFileSync(path, 'utf8')).join('\n');
  const parts = Array.from(built.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm), ([, path = '']) => path);
  const own = parts.filter((path) => !path.startsWith('node_modules/'));
  expect(own).toContain('codec/src/families/registry.ts');
  const [, list = ''] =
    /engine: \{.*?sources: \[(.*?)\]/s.exec(readFileSync(launcher, 'utf8')) ?? [];
  const sources = Array.from(list.matchAll(/'(.+?)'/g), ([, path = '']) => path);
  const isWatched = (path: string) => sources.some((source) => path.startsWith(`${source}/`));
  expect(own.filter((path) => !isWatched(path))).toEqual([]);
});
