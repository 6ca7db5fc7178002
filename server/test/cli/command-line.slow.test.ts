/** The command line: output streams, exit codes, slave keys, and the simulated slave. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDemoWorkspace } from '../../src/demo/demo-workspace.ts';
import { findAccountByEmail } from '../../src/organisations/accounts.ts';
import { bearerOf } from '../fixtures/sign-in/bearer.ts';
import { createInvitationPath, findInvited } from '../../src/sign-in/provider/invitations.ts';
import { createTickets } from '../../src/slots/sending/tickets.ts';
import { callCommand, environmentOf, program, runCommand } from '../fixtures/command.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

let platform: TestPlatform;
let folder: string;
const image = randomBytes(70_000);

beforeAll(async () => {
  platform = await createTestPlatform();
  const { db, secrets, config, log } = platform;
  await createDemoWorkspace({ db, secrets, dataDir: config.dataDir, log });
  folder = await mkdtemp(join(tmpdir(), 'recodery-cli-'));
  await writeFile(join(folder, 'image.bin'), image);
});
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true });
});

type Settings = Readonly<Record<string, string>>;

const recodery = (words: readonly string[], settings: Settings = {}) =>
  callCommand(platform, words, { cwd: folder, settings });

/** The same as a process. */
const start = (words: readonly string[], settings: Settings = {}, input = '') =>
  runCommand(platform, words, { cwd: folder, settings, input });

/** The key file of a demo slave, exported once. */
async function keyOf(family: string, serial: string): Promise<string> {
  const file = `${serial}.json`;
  if (!existsSync(join(folder, file))) {
    const answer = await recodery([
      'device',
      'key',
      '--family',
      family,
      '--serial',
      serial,
      '--out',
      file,
    ]);
    expect(answer).toMatchObject({ code: 0, out: '' });
  }
  return file;
}

/** A packed backup of the image, sealed by the simulated slave. */
async function sealBackup(): Promise<string> {
  const key = await keyOf('kess3', 'KS3-000042');
  const answer = await recodery([
    ...['device', 'read', '--key', key, '--protocol', '9000', '--component', 'obd=image.bin'],
    ...['--id', 'vin=ZAR93900001234567,hw=0281', '--utility', '--out', 'backup.ks3', '--force'],
  ]);
  const { size } = await stat(join(folder, 'backup.ks3'));
  expect(answer).toEqual({ code: 0, out: `Wrote ${size} bytes to backup.ks3.\n`, complaint: '' });
  return 'backup.ks3';
}

describe('the command line', () => {
  it('lists the states that maintenance can have', async () => {
    const { out } = await recodery(['maintenance', '--help']);
    expect(out).toContain('(choices: "on", "off")');
  });

  // promise d3.commands.help
  it.each([
    [[], start],
    [['serve'], recodery],
    [['device', 'read'], recodery],
  ])('prints help for %j to stdout', async (words, run) => {
    const answer = await run([...words, '--help']);
    expect(answer).toMatchObject({ code: 0, complaint: '' });
    expect(answer.out).toMatch(/^Usage: recodery/);
  });

  // promise d3.commands.stdout
  it.each([
    [['nonsense'], start],
    [['device', 'key', '--family', 'kessv2'], recodery],
    [['device', 'key', '--family', 'vag', '--serial', 'x', '--out', 'y'], recodery],
    [['device', 'read', '--key', 'k', '--protocol', 'x', '--out', 'y'], recodery],
    [
      ['device', 'read', '--key', 'k', '--protocol', '1', '--component', 'chip=a', '--out', 'y'],
      recodery,
    ],
    [['device', 'inspect', 'image.bin', '--pair-key', 'abc'], recodery],
    [['device', 'inspect', 'image.bin', '--pair-key', '-', '--key', 'k'], recodery],
  ])('prints to stderr that %j is invalid, with exit code 2', async (words, run) => {
    const answer = await run(words);
    expect(answer).toMatchObject({ code: 2, out: '' });
    expect(answer.complaint).not.toBe('');
  });

  // promise d3.settings.wrong
  it('stops at an invalid setting with one line and exit code 2', async () => {
    const answer = await start(['migrate'], { RECODERY_PORT: 'abc' });
    expect(answer).toMatchObject({ code: 2, out: '' });
    expect(answer.complaint).toMatch(/^recodery: RECODERY_PORT [^\n]+\n$/);
  });

  it('finishes its work if the reader of its output has gone', async () => {
    const child = spawn(process.execPath, [program, 'client', 'list', '--json'], {
      cwd: folder,
      env: environmentOf(platform),
    });
    child.stdout.destroy();
    let complaint = '';
    child.stderr.on('data', (part: Buffer) => (complaint += part.toString()));
    const code = await new Promise((done) => child.once('close', done));
    expect([code, complaint]).toEqual([0, '']);
  });

  it('stops at a wrong secret with one line and exit code 1', async () => {
    await writeFile(join(folder, 'wrong'), 'not the secret of this');
    const answer = await start(['migrate'], { RECODERY_SECRET_FILE: join(folder, 'wrong') });
    expect(answer).toMatchObject({ code: 1, out: '' });
    expect(answer.complaint).toMatch(/^recodery: The installation secret [^\n]+\n$/);
  });
});

describe('exporting a key', () => {
  // promise d3.simulator.key
  it('writes a file that only its owner can read, and logs the export', async () => {
    const before = await countExports();
    const file = await keyOf('kessv2', 'KV2-000007');
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(join(folder, file), 'utf8'))).toMatchObject({
      family: 'kessv2',
      slaveSerial: 'KV2-000007',
      masterSerial: 'KV2-M-0001',
      pairKey: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await countExports()).toBe(before + 1);
  });

  it('refuses an unknown slave, and logs nothing', async () => {
    const before = await countExports();
    const answer = await recodery([
      ...['device', 'key', '--family', 'kess3', '--serial', 'KV2-000007', '--out', 'none.json'],
    ]);
    expect(answer).toMatchObject({ code: 1, out: '' });
    expect(existsSync(join(folder, 'none.json'))).toBe(false);
    expect(await countExports()).toBe(before);
  });

  async function countExports(): Promise<number> {
    return (await platform.db.selectFrom('slave_key_export').select('guid').execute()).length;
  }
});

describe('the simulated slave', () => {
  // promise d3.simulator.write
  it('writes the bytes that were sealed for it, even twice', async () => {
    const backup = await sealBackup();
    const key = await keyOf('kess3', 'KS3-000042');
    for (const folderName of ['first', 'second/deep']) {
      const words = ['device', 'write', '--key', key, '--in', backup, '--out-dir', folderName];
      const answer = await recodery([...words, '--json']);
      expect(answer.code).toBe(0);
      expect(JSON.parse(answer.out)).toMatchObject({
        outcome: 'OK',
        components: [{ name: 'obd', size: image.length }],
      });
      expect(await readFile(join(folder, folderName, 'obd.bin'))).toEqual(image);
    }
  });

  // promise d3.simulator.write-refuses
  it('refuses a file with one flipped bit, with its code, and writes nothing', async () => {
    const bytes = await readFile(join(folder, await sealBackup()));
    const at = bytes.length - 100;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(join(folder, 'flipped.ks3'), bytes);
    const key = await keyOf('kess3', 'KS3-000042');
    const answer = await recodery([
      ...['device', 'write', '--key', key, '--in', 'flipped.ks3', '--out-dir', 'flipped'],
    ]);
    expect(answer).toEqual({
      code: 1,
      out: '',
      complaint: expect.stringMatching(/^recodery: [A-Z_]+\n[A-Z][^\n]+\.\n$/),
    });
    expect(await readdir(folder)).not.toContain('flipped');
  });

  // promise d3.simulator.read-doubt
  it.each([
    [
      'an unknown protocol',
      'kessv2',
      'KV2-000007',
      ['--protocol', '4711'],
      /protocol 4711 does not exist\. KESSv2 supports 1001, /,
    ],
    [
      'a mode that the protocol does not have',
      'kess3',
      'KS3-000042',
      ['--protocol', '1001', '--mode', 'bootbench'],
      /KESS3 does not support protocol 1001 \S+ in Boot\/Bench mode\. It is for KESSv2 \(OBD\), KESS3 \(OBD\)\.$/m,
    ],
    [
      'no image',
      'kessv2',
      'KV2-000007',
      ['--protocol', '9000'],
      /no image was given\. Add one with --component: obd\.$/m,
    ],
    [
      'only an identification, which K-TAG does not support',
      'ktag',
      'KTG-000007',
      ['--protocol', '2001', '--identification-only'],
      /no image was given\. Add one with --component: flash, /,
    ],
  ])(
    'warns that the portal will refuse a read with %s, and seals it anyway',
    async (_what, family, serial, words, doubt) => {
      const key = await keyOf(family, serial);
      const answer = await recodery([
        'device',
        'read',
        '--key',
        key,
        ...words,
        '--out',
        'strange.tfc',
        '--force',
      ]);
      expect(answer).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Wrote \d+ bytes to strange\.tfc\.\n$/),
      });
      expect(answer.complaint).toMatch(/^Warning: the portal will refuse this file: /);
      expect(answer.complaint).toMatch(doubt);
    },
  );

  // promise d3.simulator.write-refuses
  it('refuses the file of another slave', async () => {
    const backup = await sealBackup();
    const key = await keyOf('ktag', 'KTG-000007');
    const answer = await recodery([
      ...['device', 'write', '--key', key, '--in', backup, '--out-dir', 'other'],
    ]);
    expect(answer).toMatchObject({ code: 1, out: '' });
    expect(await readdir(folder)).not.toContain('other');
  });

  // promise c.format.inspect, d3.simulator.inspect
  it('shows the header without a key, and everything with the key', async () => {
    const backup = await sealBackup();
    const plain = await recodery(['device', 'inspect', backup, '--json']);
    expect(plain.code).toBe(0);
    expect(JSON.parse(plain.out)).toMatchObject({ outcome: 'OK', components: expect.any(Array) });
    const key = await keyOf('kess3', 'KS3-000042');
    const { pairKey } = JSON.parse(await readFile(join(folder, key), 'utf8')) as {
      pairKey: string;
    };
    const opened = await start(
      ['device', 'inspect', '--pair-key', '-', '--json', backup],
      {},
      pairKey,
    );
    expect(JSON.parse(opened.out)).toMatchObject({ outcome: 'OK' });
    const byFile = await recodery(['device', 'inspect', '--key', key, '--json', backup]);
    expect(byFile).toEqual(opened);
    const told = await recodery(['device', 'inspect', '--key', key, backup]);
    expect(told.out).toMatch(/^Verified with the key: /m);
    const untold = await recodery(['device', 'inspect', backup]);
    expect(untold.out).toMatch(/^Not verified: /m);
    expect(untold.out).not.toMatch(/^Verified/m);
    const wrong = await recodery([
      'device',
      'inspect',
      '--pair-key',
      '0'.repeat(64),
      '--json',
      backup,
    ]);
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.out)).toEqual({ outcome: 'AUTHENTICATION_FAILED' });
  });
});

describe('replacing the keys', () => {
  it('invalidates sessions, tickets and invitations, and keeps the keys of devices', async () => {
    const { db, secrets } = platform;
    const tickets = createTickets(platform);
    const guid = '01900000-0000-7000-8000-000000000001';
    const url = await tickets.mintFileURL(bearerOf(guid), guid);
    const ticket = url.split('ticket=')[1] ?? '';
    const account = await findAccountByEmail(db, 'anna@demo.test');
    if (account === null) throw new Error('anna is missing');
    const invitation = (await createInvitationPath(platform, account)).split('/').at(-1) ?? '';
    const session = await secrets.getCurrentKey('session');
    const all = () =>
      db.selectFrom('wrapped_key').select(['purpose', 'key_id', 'wrapped']).execute();
    const before = await all();
    expect(await tickets.verify(ticket, 'file', guid, null)).toEqual(bearerOf(guid));
    expect(await findInvited(platform, invitation)).not.toBeNull();

    expect(await recodery(['secret', 'replace-keys'])).toMatchObject({
      code: 0,
      out: 'Replaced the keys for 7 purposes.\n',
    });

    // a process uses a key that another one has replaced for at most a second
    await expect.poll(() => tickets.verify(ticket, 'file', guid, null)).toBeNull();
    await expect.poll(() => findInvited(platform, invitation)).toBeNull();
    await expect
      .poll(async () => (await secrets.getCurrentKey('session')).keyId)
      .toBe(session.keyId + 1);
    // nothing else was added, and nothing was lost
    const after = await all();
    expect(after).toEqual(expect.arrayContaining(before));
    const added = after.filter(({ purpose, key_id }) =>
      before.every((one) => one.purpose !== purpose || one.key_id !== key_id),
    );
    expect(new Set(added.map(({ purpose }) => purpose))).toEqual(
      new Set(['session', 'cookie', 'provider', 'invitation', 'ticket', 'share', 'receipt']),
    );
  });
});

describe('rotating the secret', () => {
  // promise d3.settings.secret-wraps
  it('changes no key, only the secret that wraps them', async () => {
    const file = join(platform.config.dataDir, 'secret');
    const before = await readFile(file, 'utf8');
    const { key } = await platform.secrets.getCurrentKey('session');
    const answer = await recodery(['secret', 'rotate']);
    expect(answer).toMatchObject({ code: 0, complaint: '' });
    expect(answer.out).toMatch(/^Rewrapped \d+ keys\.\n$/);
    expect(await readFile(file, 'utf8')).not.toBe(before);
    expect((await platform.secrets.getCurrentKey('session')).key).toEqual(key);
    expect((await recodery(['migrate'])).code).toBe(0);
  });

  it('requires the new secret if the environment sets the current one', async () => {
    const file = join(platform.config.dataDir, 'secret');
    const present = (await readFile(file, 'utf8')).trim();
    const given = { RECODERY_SECRET: present, RECODERY_SECRET_FILE: '' };
    expect(await recodery(['secret', 'rotate'], given)).toMatchObject({ code: 2, out: '' });
    const next = join(folder, 'next');
    await writeFile(next, 'the next secret of this test\n');
    expect((await recodery(['secret', 'rotate', '--to', next], given)).code).toBe(0);
    expect((await recodery(['migrate'], given)).code).toBe(1);
    expect((await recodery(['migrate'], { RECODERY_SECRET_FILE: next })).code).toBe(0);
    // finally, the platform reads its keys again
    await copyFile(next, file);
  });
});
