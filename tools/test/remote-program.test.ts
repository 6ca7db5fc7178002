/** The command-line program that the pages offer: it is made again when one of its sources changes. */
import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { makeRemoteProgram } from '../../web/remote-program.ts';

test('a changed source of the program makes the next start build the pages, which offer it', async () => {
  const project = join(import.meta.dirname, '../..');
  const program = await makeRemoteProgram();
  const own = program.sources
    .filter((path) => isAbsolute(path) && !path.includes('node_modules'))
    .map((path) => relative(project, path).replaceAll('\\', '/'));
  expect(own).toContain('server/src/cli/remote/remote-program.ts');
  const launcher = readFileSync(join(project, 'tools/launch/build.mjs'), 'utf8');
  const [, list = ''] = /pages: \{.*?sources: \[(.*?)\]/s.exec(launcher) ?? [];
  const sources = Array.from(list.matchAll(/'(.+)'/g), ([, path = '']) => path);
  const isWatched = (path: string) =>
    sources.some((source) => path === source || path.startsWith(`${source}/`));
  expect(own.filter((path) => !isWatched(path))).toEqual([]);
});

test('the program ends with the licenses of the packages in it', async () => {
  const { code } = await makeRemoteProgram();
  for (const name of ['commander', 'ipaddr.js', 'zod'])
    expect(code.slice(code.lastIndexOf('/*!'))).toMatch(new RegExp(`^${name}$`, 'm'));
});
