/** The version with its commit, as Git and images store it; and the same number in every package and the changelog. */
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readVersion } from '../../src/config/version.ts';

const project = resolve(import.meta.dirname, '../../..');
const commit = '62d8cfdf0123456789abcdef0123456789abcdef';
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recodery-version-'));
  await write('package.json', '{"version":"1.2.3"}');
});
afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), text);
}

// promise d3.start.version
it.each([
  ['a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${commit}\n` }],
  ['a commit', { '.git/HEAD': `${commit}\n` }],
  [
    'a packed branch',
    {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/packed-refs': `# pack-refs\n${'0'.repeat(40)} refs/tags/main\n${commit} refs/heads/main\n`,
    },
  ],
  [
    'a further work tree',
    {
      '.git': 'gitdir: shared/worktrees/two\n',
      'shared/worktrees/two/HEAD': 'ref: refs/heads/two\n',
      'shared/worktrees/two/commondir': '../..\n',
      'shared/refs/heads/two': `${commit}\n`,
    },
  ],
  ['an image', { 'commit.txt': `${commit}\n` }],
])('shows the commit of %s', async (_, files) => {
  for (const [path, text] of Object.entries(files)) await write(path, text);
  expect(readVersion(folder)).toBe('1.2.3+62d8cfdf');
});

it.each([
  ['there is none', {}],
  ['Git has none yet', { '.git/HEAD': 'ref: refs/heads/main\n' }],
  ['its file is damaged', { 'commit.txt': 'unknown\n' }],
])('leaves the commit out if %s', async (_, files) => {
  for (const [path, text] of Object.entries(files)) await write(path, text);
  expect(readVersion(folder)).toBe('1.2.3');
});

it('is the same in all packages, and the newest in the changelog', () => {
  const read = (path: string) => readFileSync(join(project, path), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  for (const name of ['contract', 'codec', 'server', 'web'])
    expect(JSON.parse(read(`${name}/package.json`))).toMatchObject({ version });
  expect(JSON.parse(read('package-lock.json'))).toMatchObject({ version });
  expect(/^## \[(\d.*?)\] - \d{4}-\d{2}-\d{2}$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version);
});
