/** No command overwrites a file without being asked: every option and argument that names a file is listed here. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { memories } from '@recodery/contract/families/memories';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkTar, openArchive } from '../../src/backup/tar.ts';
import { runProgram } from '../../src/cli/program.ts';
import { createDemoWorkspace } from '../../src/demo/demo-workspace.ts';
import { callCommand, environmentOf, program, runCommand } from '../fixtures/command.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

let platform: TestPlatform;
let folder: string;
beforeAll(async () => {
  platform = await createTestPlatform();
  const { db, secrets, config, log } = platform;
  await createDemoWorkspace({ db, secrets, dataDir: config.dataDir, log });
  folder = await mkdtemp(join(tmpdir(), 'recodery-overwrite-'));
  await writeFile(join(folder, 'image.bin'), Buffer.alloc(65_536, 'image'));
  await recodery(deviceKey('key.json'));
  await recodery([...deviceRead('read.tfc'), '--utility']);
});
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true });
});

const recodery = (words: readonly string[]) => callCommand(platform, words, { cwd: folder });

const deviceKey = (out: string) => [
  ...['device', 'key', '--family', 'kess3', '--serial', 'KS3-000042', '--out', out],
];
const deviceRead = (out: string) => [
  ...['device', 'read', '--key', 'key.json', '--protocol', '9000', '--component', 'obd=image.bin'],
  ...['--out', out],
];

/** What a command does with a file that it is given. */
type Use =
  /** It only reads it, or a list of existing files. */
  | { readonly reads: true }
  /** Other tests prove what it does with existing files. */
  | { readonly otherwise: string }
  /** The words that write `NAME`, and whether `--force` replaces a file of that name. */
  | { readonly name: string; readonly hasForce: boolean; words(): readonly string[] };

const reads: Use = { reads: true };
/** Files get the first free number. */
const numbered: Use = { otherwise: 'portal-client/commands, portal-client/watch' };

const uses: Readonly<Record<string, Use>> = {
  'directory apply <file>': reads,
  'directory export <file>': {
    ...{ name: 'all.yaml', hasForce: true, words: () => ['directory', 'export', 'all.yaml'] },
  },
  'engine add --secret-file <file>': reads,
  'engine trial --read <file>': reads,
  'originals add <file>': reads,
  'device key --out <file>': {
    ...{ name: 'new.json', hasForce: false, words: () => deviceKey('new.json') },
  },
  'device read --key <file>': reads,
  'device read --component <name=file>': reads,
  'device read --out <file>': {
    ...{ name: 'new.tfc', hasForce: true, words: () => deviceRead('new.tfc') },
  },
  'device write --key <file>': reads,
  'device write --in <file>': reads,
  'device write --out-dir <dir>': {
    name: 'obd.bin',
    hasForce: true,
    words: () => [
      ...['device', 'write', '--key', 'key.json', '--in', 'read.tfc', '--out-dir', '.'],
    ],
  },
  'device write --state <file>': { otherwise: 'cli/slave-state' },
  'device inspect <file>': reads,
  'device inspect --key <file>': reads,
  'remote decode --secret-file <file>': reads,
  'remote decode --out-dir <folder>': numbered,
  'remote encode --secret-file <file>': reads,
  'remote encode --out-dir <folder>': numbered,
  'remote encode --modified <file...>': reads,
  'remote encode --original <file>': reads,
  'remote encode --flash <file>': reads,
  'remote encode --micro <file>': reads,
  'remote encode --eeprom <file>': reads,
  'remote encode --tuningfile <file>': reads,
  'remote encode --mapfile <file>': reads,
  ...Object.fromEntries(memories.map((name) => [`remote encode --${name} <file>`, reads])),
  'remote watch <folder>': numbered,
  'remote watch --secret-file <file>': reads,
  'secret rotate --to <file>': reads,
  'receipt verify <file>': reads,
  'receipt verify --receipt <file>': reads,
  'receipt verify --keys <file>': reads,
  'backup [file-or-folder]': {
    ...{ name: 'new.tar', hasForce: false, words: () => ['backup', 'new.tar'] },
  },
  'restore <file>': { otherwise: 'backup/backup, backup/move' },
};

type Writer = Extract<Use, { readonly name: string }>;
const writers = Object.entries(uses).filter((use): use is [string, Writer] => 'name' in use[1]);

/** Every argument and option of the program that names a file or folder, from its help. */
async function listPlaces(words: readonly string[] = []): Promise<readonly string[]> {
  let help = '';
  const printing = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    help += String(text);
    return true;
  });
  await runProgram([...words, '--help']);
  printing.mockRestore();
  const [, commands = ''] = help.split(/^Commands:$/m);
  const own = Array.from(commands.matchAll(/^ {2}([\w-]+)/gm), ([, name = '']) => name);
  const below = [];
  for (const name of own) below.push(...(await listPlaces([...words, name])));
  const isPlace = /file|folder|dir|path/i;
  const [usage = ''] = /^Usage: .*$/m.exec(help) ?? [];
  const places = [
    ...(own.length > 0 ? [] : usage.matchAll(/(?<= )[<[][^\s\]>]+[\]>]/g)),
    ...help.matchAll(/(?<=^ .*)--[\w-]+ <[^>]+>/gm),
  ].map(([place]) => place);
  const named = places.filter((place) => isPlace.test(place) && place !== '[options]');
  return [...named.map((place) => [...words, place].join(' ')), ...below];
}

test('every place of a file is listed', async () => {
  const places = await listPlaces();
  expect(places.length).toBeGreaterThan(Object.keys(uses).length / 2);
  expect(places.filter((place) => !Object.hasOwn(uses, place))).toEqual([]);
  expect(Object.keys(uses).filter((place) => !places.includes(place))).toEqual([]);
});

// promise d3.commands.no-overwriting
describe.each(writers)('%s', (_, { name, hasForce, words }) => {
  const at = () => join(folder, name);

  test('refuses a file that exists, and names it', async () => {
    await writeFile(at(), 'written by hand');
    const answer = await recodery(words());
    expect(answer).toMatchObject({ code: 1, out: '' });
    expect(answer.complaint).toMatch(
      new RegExp(`^recodery: \\S*${name} already exists\\. [^\\n]+\\n$`),
    );
    expect(answer.complaint.includes('--force')).toBe(hasForce);
    expect(await readFile(at(), 'utf8')).toBe('written by hand');
    const forced = await recodery([...words(), '--force']);
    expect(forced.code).toBe(hasForce ? 0 : 2);
    expect((await readFile(at(), 'utf8')) === 'written by hand').toBe(!hasForce);
    await rm(at());
  });

  test('follows no link, and replaces none', async () => {
    await symlink('elsewhere', at());
    for (const force of hasForce ? [[], ['--force']] : [[]])
      expect(await recodery([...words(), ...force])).toMatchObject({ code: 1, out: '' });
    expect((await lstat(at())).isSymbolicLink()).toBe(true);
    await rm(at());
    expect(await readdir(folder)).not.toContain('elsewhere');
  });

  test('leaves nothing but the file', async () => {
    const before = await readdir(folder);
    expect((await recodery(words())).code).toBe(0);
    expect((await readdir(folder)).toSorted()).toEqual([...before, name].toSorted());
    await rm(at());
  });
});

test('an image that is already written is not an obstacle', async () => {
  const words = uses['device write --out-dir <dir>'];
  if (words === undefined || !('words' in words)) throw new Error('not listed');
  expect((await recodery(words.words())).code).toBe(0);
  expect((await recodery(words.words())).code).toBe(0);
  await rm(join(folder, 'obd.bin'));
});

test('a key export is recorded only if the file could be new', async () => {
  const count = async () =>
    (await platform.db.selectFrom('slave_key_export').select('guid').execute()).length;
  const before = await count();
  expect((await recodery(deviceKey('key.json'))).code).toBe(1);
  expect(await count()).toBe(before);
});

describe('backup', () => {
  test('refuses a folder that does not exist, and says how to create it', async () => {
    for (const target of ['backups', 'backups/', 'not/there.tar/']) {
      const answer = await recodery(['backup', target]);
      expect(answer).toMatchObject({ code: 1, out: '' });
      expect(answer.complaint).toContain(`Create it first (mkdir ${target})`);
    }
    expect(await readdir(folder)).not.toContain('backups');
    await mkdir(join(folder, 'backups'));
    expect(await recodery(['backup', 'backups'])).toMatchObject({ code: 0 });
    expect(await readdir(join(folder, 'backups'))).toHaveLength(1);
  });

  // promise d3.care.backup-stdout
  test('writes to stdout, and nothing else', async () => {
    const child = spawn(process.execPath, [program, 'backup', '-'], {
      ...{ cwd: folder, env: environmentOf(platform), stdio: ['ignore', 'pipe', 'pipe'] },
    });
    let complaint = '';
    child.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
    const path = join(folder, 'piped.tar');
    const [[code]] = await Promise.all([
      once(child, 'exit'),
      pipeline(child.stdout, createWriteStream(path)),
    ]);
    expect([code, complaint]).toEqual([0, expect.stringContaining('backed up.')]);
    const file = await openArchive(path);
    await checkTar(file, path).finally(() => file.close());
    expect(await readdir(folder)).not.toContain('-');
  });

  test('ends with one line when the reader of stdout is gone', async () => {
    const child = spawn(process.execPath, [program, 'backup', '-'], {
      ...{ cwd: folder, env: environmentOf(platform), stdio: ['ignore', 'pipe', 'pipe'] },
    });
    let complaint = '';
    child.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
    child.stdout.destroy();
    expect((await once(child, 'close'))[0]).toBe(1);
    expect(complaint).toMatch(/^recodery: Could not write the backup: [^\n]+\n$/);
  });

  test('is not restored from stdin', async () => {
    const answer = await runCommand(platform, ['restore', '-'], { cwd: folder });
    expect(answer).toMatchObject({ code: 1, out: '' });
    expect(answer.complaint).toMatch(/Save it to a file first/);
  });
});
