/** The bundled packages: what is in them, and programs that start with them, without them, and with a wrong bundle. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const source = resolve(import.meta.dirname, '../..');
let project: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'recodery-packages-'));
  await cp(join(source, 'tools/launch'), join(project, 'tools/launch'), { recursive: true });
  await write('package.json', '{"type":"module"}');
  await write('node_modules/one/package.json', '{"type":"module","main":"index.js"}');
  await write('node_modules/one/index.js', 'export const kind = "installed";');
  await write('node_modules/one/other.js', 'export const kind = "other";');
  await write('server/dist/packages/one.mjs', 'export const kind = "bundled";');
  await write('server/dist/packages/index.json', '{"one":"one.mjs"}');
});
afterEach(() => rm(project, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(project, path, '..'), { recursive: true });
  await writeFile(join(project, path), text);
}

/** Runs a program that imports a module of the package. */
async function runWith(name: string) {
  await write('main.ts', `import { kind } from '${name}'; console.log(kind);`);
  const hook = pathToFileURL(join(project, 'tools/launch/use-packages.mjs')).href;
  const words = [`--import=${hook}`, join(project, 'main.ts')];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  return { out: stdout.trim(), complaint: stderr };
}

/** Evaluates an expression with a module of the launcher: `launcher`. */
function evaluate(folder: string, name: string, expression: string) {
  const module = pathToFileURL(join(folder, 'tools/launch', name)).href;
  const script = `import * as launcher from '${module}'; console.log(JSON.stringify(${expression}));`;
  const words = ['--input-type=module', '--eval', script];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  return { value: JSON.parse(stdout) as unknown, complaint: stderr };
}

/** As in a container image, where the bundle needs no marker. */
const trustBundle = () => write('.launcher/image', '');

test('has each module of a package that the program imports', () => {
  const index = readFileSync(join(source, 'server/dist/packages/index.json'), 'utf8');
  const { value } = evaluate(source, 'bundle-packages.mjs', 'launcher.listImports()');
  expect(Object.keys(JSON.parse(index) as object)).toEqual(value);
});

test('is used by a program', async () => {
  await trustBundle();
  expect(await runWith('one')).toEqual({ out: 'bundled', complaint: '' });
});

test('is not used if it was not finished, and nothing is written', async () => {
  expect(await runWith('one')).toEqual({ out: 'installed', complaint: '' });
  expect(existsSync(join(project, '.launcher'))).toBe(false);
});

test.each(['', '{', 'null', '{"stats":"old","contents":"old"}'])(
  'is not used if its marker is %j',
  async (marker) => {
    await write('.launcher/packages.json', marker);
    expect(await runWith('one')).toEqual({ out: 'installed', complaint: '' });
  },
);

test('is removed by a program that imports more of a package, and starts without it', async () => {
  await trustBundle();
  const { out, complaint } = await runWith('one/other.js');
  expect(out).toBe('');
  expect(complaint).toContain(
    'one/other.js is missing in the bundled packages. This bundle was removed: start again.',
  );
  expect(existsSync(join(project, 'server/dist/packages/index.json'))).toBe(false);
  expect(await runWith('one/other.js')).toEqual({ out: 'other', complaint: '' });
});

test('that cannot be made does not stop the start', async () => {
  await write('tools/launch/bundle-packages.mjs', 'throw new Error("the bundler is broken");');
  const made = "await launcher.ensureBuilt(process.execPath, ['packages'])";
  const { value, complaint } = evaluate(project, 'build.mjs', made);
  expect(value).toBe(true);
  expect(complaint).toContain('could not build the packages of the program.');
  expect(complaint).toContain('Recodery starts more slowly without them.');
});
