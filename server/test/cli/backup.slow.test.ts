/**
 * `recodery backup` and `restore` as processes: a running portal is backed up, and another one continues from the
 * backup.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Session } from '@recodery/contract/features/session';
import { callProgram } from '../fixtures/command.ts';
import { freePort } from '../fixtures/free-port.ts';
import { type Contents, copyPrepared } from '../fixtures/prepared-folder.ts';
import { createOwnDatabase } from '../fixtures/database/own-database.ts';
import { readKeyFile } from '../../src/cli/support/device-options.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../fixtures/client.ts';
import { accept, decode, encode, sealImage } from '../journeys/families/kessv2-workflow.ts';
import { Browser } from '../sign-in/browser.ts';
import { goToForm, validate } from '../sign-in/open-portal.ts';

const program = resolve(import.meta.dirname, '../../../recodery.mjs');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let folder: string;
const running: ChildProcess[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recodery-backup-'));
  // As root, the database would otherwise move to a different folder, and remain there.
  await chmod(folder, 0o755);
});
afterAll(async () => {
  await Promise.all(running.map(end));
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

type Settings = Readonly<Record<string, string>>;

function environmentOf(data: string, settings: Settings) {
  return {
    PATH: '/usr/bin:/bin',
    RECODERY_DATA_DIR: join(folder, data),
    // it would otherwise be created while the backup runs
    RECODERY_RESTORE_KITS: 'off',
    RECODERY_ENGINES: '1',
    // nothing responds there
    RECODERY_PORT: '1',
    ...settings,
  };
}

function recodery(data: string, words: readonly string[], settings: Settings = {}) {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: environmentOf(data, settings),
  });
  const said = { out: '', complaint: '' };
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (said.complaint += part.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }));
  return { child, said, ended };
}

/** The same in this process, where the process itself is not the subject. */
function call(data: string, words: readonly string[], settings: Settings = {}) {
  return callProgram(words, environmentOf(data, settings), folder);
}

/** A data folder that has been used before. */
async function prepare(data: string, contents: Contents): Promise<void> {
  await mkdir(join(folder, data));
  await copyPrepared(contents, join(folder, data));
}

/** A portal on a data folder, with a user signed in through its own pages. */
async function serve(data: string, settings: Settings = {}) {
  const port = await freePort();
  const { child, said } = recodery(data, ['serve'], { ...settings, RECODERY_PORT: String(port) });
  running.push(child);
  const isReady = () => said.out.includes(' is ready') || child.exitCode !== null;
  await expect.poll(isReady).toBe(true);
  if (child.exitCode !== null) throw new Error(said.complaint);
  const url = `http://localhost:${port}`;
  const browser = new Browser(url);
  const form = await goToForm(browser);
  const sent = await browser.submit(form, { email: 'anna@demo.test', password: 'demo' });
  const { address } = await browser.follow(sent, '/loggedin');
  const token = new URL(address).searchParams.get('__dbSSO_token__');
  const session = JSON.parse((await validate(browser, token)).text) as Session;
  return { child, client: new Client(url, session.sessionID) };
}

const readKey = (data: string) => readKeyFile(join(folder, data, 'demo/keys/KV2-000007.json'));

// promise d3.care.backup
it('backs up a running portal; another one continues from it in an empty data folder', async () => {
  await prepare('first', 'demo');
  const first = await serve('first');
  const slave = await readKey('first');
  const image = new Uint8Array(700_000).map((_, index) => index * 7);
  const decoded = await decode(first.client, sealImage(slave, 9000, image), 'before.k2r');
  const slot = { kessv2FileSlotGUID: decoded.kessv2SlotGUID };
  const encoded = await encode(first.client, slot, 'reencode-decoded-file');
  const before = await first.client.get('/api/async-operation-notifications/?count=20');

  await mkdir(join(folder, 'backups'));
  const taken = await recodery('first', ['backup', 'backups']).ended;
  expect(taken.complaint).toContain('The backup contains the secret');
  const [name = '', ...others] = await readdir(join(folder, 'backups'));
  const path = join(folder, 'backups', name);
  expect([taken.code, taken.out, others]).toEqual([0, `${path}\n`, []]);
  expect(name).toMatch(/^recodery-\d{4}-\d\d-\d\dT\d{6}Z\.tar$/);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  // later changes are not in the backup, and the portal is not affected
  await decode(first.client, sealImage(slave, 9000, image), 'after.k2r');

  const healthy = await call('first', ['doctor']);
  expect([healthy.code, healthy.complaint]).toEqual([0, '']);
  expect(healthy.out).toMatch(/^ok +storage {8}Files in storage: \d+/m);

  const inUse = await call('first', ['restore', path, '--replace']);
  expect(inUse).toMatchObject({ code: 1, out: '' });
  expect(inUse.complaint).toMatch(
    /^recodery: Recodery is already running in the data folder [^\n]+\n$/m,
  );
  expect((await first.client.get(decoded.decodedFileURL ?? '')).status).toBe(200);
  await end(first.child);

  const restored = await recodery('second', ['restore', path]).ended;
  expect(restored.complaint).not.toContain('Warning');
  expect([restored.code, restored.out]).toEqual([
    0,
    expect.stringMatching(/^.*second to the state as of .* 4 files \(.* MiB\)\.\n$/),
  ]);
  expect(existsSync(join(folder, 'second/.restore'))).toBe(false);

  const second = await serve('second');
  const after = await second.client.get('/api/async-operation-notifications/?count=20');
  const named = (text: string) => (text.match(/before|after/g) ?? []).join();
  expect(named(before.text)).toContain('before');
  expect(named(after.text)).toBe(named(before.text));
  const again = await second.client.post('/api/kessv2/reencode-decoded-file', slot);
  const operation = again.json as { guid: string };
  const ended = await second.client.follow(operation);
  const files = await second.client.get(decoded.decodedFileURL ?? '');
  // the ticket key is part of the backup, so addresses given out earlier remain valid
  expect([files.status, sha256(files.bytes)]).toEqual([200, sha256(image)]);
  const accepted = await accept(second.client, await readKey('second'), encoded);
  expect(sha256(accepted)).toBe(sha256(image));
  expect(ended.isSuccessful).toBe(true);
  await end(second.child);

  await writeFile(join(folder, 'second/secret'), 'not what it was before\n');
  const ill = await call('second', ['doctor']);
  expect(ill.code).toBe(1);
  expect(ill.out).toMatch(/^ERROR +secret /m);
  // the key of the receipts cannot be opened either
  expect(ill.complaint).toBe('recodery: 2 checks failed.\n');
});

// in each run, `backup/move.slow.test.ts` moves an installation in both directions, without its processes
it('moves a running portal to a PostgreSQL server, and from there into another data folder', {
  tags: 'release',
}, async () => {
  const database = await createOwnDatabase();
  const own = { RECODERY_SECRET: 'the secret of the server' };
  const server = {
    ...own,
    RECODERY_DATABASE_URL: database.url,
    RECODERY_STORAGE_URL: pathToFileURL(join(folder, 'server-files')).href,
    RECODERY_DEMO: 'on',
  };
  const image = new Uint8Array(700_000).map((_, index) => index * 7);
  const move = async (from: Settings, to: Settings, names: readonly [string, string]) => {
    const portal = await serve(names[0], from);
    const slave = await readKey('origin');
    const done = await decode(portal.client, sealImage(slave, 9000, image), `${names[0]}.k2r`);
    // one is decoded while the backup is made
    const path = join(folder, `${names[0]}.tar`);
    const [taken] = await Promise.all([
      recodery(names[0], ['backup', path], from).ended,
      decode(portal.client, sealImage(slave, 9000, image), 'meanwhile.k2r'),
    ]);
    expect([taken.code, taken.complaint]).toEqual([0, expect.not.stringContaining('Warning')]);
    await end(portal.child);
    const restored = await recodery(names[1], ['restore', path], to).ended;
    expect([restored.code, restored.complaint]).toEqual([
      0,
      expect.not.stringContaining('Warning'),
    ]);
    const healthy = await recodery(names[1], ['doctor'], to).ended;
    expect([healthy.code, healthy.out]).toEqual([0, expect.stringContaining('None are missing')]);
    return done;
  };
  await prepare('origin', 'demo');
  const first = await move({}, server, ['origin', 'server']);
  const second = await move(server, own, ['server', 'again']);
  const { client } = await serve('again', own);
  for (const { kessv2SlotGUID, decodedFileURL } of [first, second]) {
    const file = await client.get(decodedFileURL ?? '');
    expect([file.status, sha256(file.bytes)]).toEqual([200, sha256(image)]);
    const encoded = await encode(
      client,
      { kessv2FileSlotGUID: kessv2SlotGUID },
      'reencode-decoded-file',
    );
    expect(sha256(await accept(client, await readKey('origin'), encoded))).toBe(sha256(image));
  }
  await database.drop();
});

it('a killed restore leaves the previous data unchanged, and the next one succeeds', async () => {
  const data = 'killed';
  await prepare(data, 'tables');
  const path = join(folder, 'killed.tar');
  expect((await call(data, ['backup', path])).code).toBe(0);
  const [secret, precious] = [join(folder, data, 'secret'), join(folder, data, 'files/precious')];
  await writeFile(precious, 'what was there');
  const before = await readFile(secret, 'utf8');

  const killed = recodery(data, ['restore', path, '--replace']);
  killed.child.stderr.on('data', () => {
    if (killed.said.complaint.includes('Restoring the database')) killed.child.kill('SIGKILL');
  });
  await killed.ended;
  expect(await readdir(join(folder, data))).toContain('.restore');
  expect([await readFile(secret, 'utf8'), await readFile(precious, 'utf8')]).toEqual([
    before,
    'what was there',
  ]);
  const well = await call(data, ['doctor']);
  expect(well.out).toMatch(/^ok +secret /m);

  expect((await call(data, ['restore', path, '--replace'])).code).toBe(0);
  expect([existsSync(precious), existsSync(join(folder, data, '.restore'))]).toEqual([
    false,
    false,
  ]);
});

it('reports errors in one line, and describes itself in its help', async () => {
  // a command that refuses its words or its input needs no process of its own
  const wrong = [await call('none', ['backup']), await call('none', ['restore', 'x', '--force'])];
  expect(wrong.map(({ code, out }) => [code, out])).toEqual([
    [2, ''],
    [2, ''],
  ]);
  const [missing, aFolder, help] = [
    await call('none', ['restore', 'nothing.tar']),
    await call('none', ['restore', '.']),
    await call('none', ['restore', '--help']),
  ];
  expect([missing.code, aFolder.code, help.code]).toEqual([1, 1, 0]);
  expect(missing.complaint).toMatch(/^recodery: Could not read .*nothing\.tar: [^\n]*\n$/);
  expect(aFolder.complaint).toMatch(/^recodery: .* is a folder\. [^\n]*\n$/);
  expect(help.out).toContain('--replace');
  const server = {
    RECODERY_DATABASE_URL: 'postgresql://db.test/x',
    RECODERY_SECRET: 'a secret of ours',
  };
  const replacing = await call('none', ['restore', 'x.tar', '--replace'], server);
  expect(replacing).toMatchObject({ code: 1, out: '' });
  expect(replacing.complaint).toMatch(/^recodery: --replace is only for the embedded [^\n]*\n$/);
  expect(existsSync(join(folder, 'none'))).toBe(false);
});
