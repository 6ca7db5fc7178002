/** `recodery engine` and `engine:` in the directory file. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionKinds, settingsOf } from '@recodery/contract/features/engines';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { type Answer, callCommand } from '../fixtures/command.ts';
import { type FakeVendor, startFakeVendor } from '../fixtures/services/fake-vendor.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

let platform: TestPlatform;
let vendor: FakeVendor;
let folder: string;

beforeAll(async () => {
  platform = await createTestPlatform();
  vendor = await startFakeVendor();
  folder = await mkdtemp(join(tmpdir(), 'recodery-engine-'));
  await writeFile(join(folder, 'secret.txt'), `${vendor.credentials.secretKey}\n`);
  await writeFile(join(folder, 'wrong.txt'), 'wrong\n');
});
afterAll(async () => {
  await vendor.stop();
  await platform.stop();
  await rm(folder, { recursive: true });
});

const recodery = (...words: readonly string[]) => callCommand(platform, words, { cwd: folder });

function add(url: string, secret = 'secret.txt', ...more: readonly string[]): Promise<Answer> {
  const { clientGuid } = vendor.credentials;
  const client = ['--client', clientGuid, '--secret-file', secret];
  return recodery(
    'engine',
    'add',
    'acme',
    '--kind',
    'encoding-api',
    '--url',
    url,
    ...client,
    ...more,
  );
}

const directory = (engine: string): string => `
organisations:
  - customerCode: CC-1
    name: One
    groupCodes:
      - code: G-1
        masters:
          - { family: kess3, serial: M-1${engine} }
`;

async function apply(engine: string): Promise<Answer> {
  await writeFile(join(folder, 'one.yaml'), directory(engine));
  return recodery('directory', 'apply', 'one.yaml');
}

/** A job whose read an engine is opening. */
async function insertJobOf(name: string): Promise<string> {
  const guid = newGuid();
  const { rows } = await sql<{ guid: string }>`
    insert into slot (guid, organisation_guid, family, workflow, group_code, read_file_name, connection_guid)
    select ${guid}, organisation.guid, 'kess3', 'kess3', 'G-1', 'read', engine_connection.guid
    from organisation, engine_connection where engine_connection.name = ${name} returning guid`.execute(
    platform.db,
  );
  expect(rows).toHaveLength(1);
  await sql`
    insert into operation (guid, organisation_guid, family, workflow, type, slot_guid, request, connection_guid)
    select ${newGuid()}, organisation_guid, family, workflow, 'KESS3Decode', guid, '{}', connection_guid
    from slot where guid = ${guid}`.execute(platform.db);
  return guid;
}

async function deleteJob(guid: string): Promise<void> {
  await sql`update slot set deleted_on = now() where guid = ${guid}`.execute(platform.db);
}

describe('engine', () => {
  // promise e3.connections.address
  test.each([
    ['http://vendor.example', /https/],
    ['https://vendor.example/?a=b', /only scheme, host, port and path/],
    ['ftp://vendor.example', /https/],
  ])('add refuses %s', async (url, words) => {
    const { code, complaint } = await add(url);
    expect(code).toBe(2);
    expect(complaint).toMatch(words);
  });

  test('add refuses the names of the doubles of the demo, and states why', async () => {
    const secret = ['--secret-file', 'secret.txt'];
    const words = ['engine', 'add', 'demo double of bFlash', '--kind', 'bflash', ...secret];
    const { code, complaint } = await recodery(...words);
    expect(code).toBe(2);
    expect(complaint).toContain("Must not begin like the names of the demo's doubles");
  });

  test.each(connectionKinds)('add and list have the fields of the kind %s', async (kind) => {
    const settings = settingsOf(kind);
    const words = ['engine', 'add', kind, '--kind', kind, '--secret-file', 'secret.txt'];
    const client = ['--client', newGuid()];
    const url = settings.url ?? vendor.url;
    const own = settings.url === null ? ['--url', url] : [];
    const wrong = await recodery(...words, ...own, ...(settings.client === null ? client : []));
    expect(wrong.code).toBe(2);
    expect(wrong.complaint).toContain(
      settings.client === null
        ? `--client is not used by engines of the kind ${kind}.`
        : "required option '--client <id>' not specified",
    );
    if (settings.url === null)
      expect((await recodery(...words, ...client)).complaint).toContain(
        "required option '--url <url>' not specified",
      );
    const used = settings.client === null ? [] : client;
    expect((await recodery(...words, ...own, ...used)).code).toBe(0);
    const [listed = ''] = (await recodery('engine', 'list')).out.split('\n');
    expect(listed.split('\t').slice(0, 4)).toEqual([kind, kind, url, used[1] ?? '']);
    expect((await recodery('engine', 'remove', kind)).code).toBe(0);
  });

  // promise e3.connections.added
  test('is added once, tested, used by a master, and removed when no master uses it', async () => {
    const unknown = await apply(', engine: acme');
    expect(unknown.code).toBe(1);
    expect(unknown.complaint).toContain('master M-1: there is no engine acme');

    expect((await add(`${vendor.url}/`, 'wrong.txt')).code).toBe(0);
    const refused = await recodery('engine', 'test', 'acme');
    expect(refused.code).toBe(1);
    expect(refused.complaint).toContain('refuses the credentials (INVALID_CREDENTIALS)');
    expect((await add(vendor.url)).complaint).toContain('The connection acme already exists');
    expect((await add(vendor.url, 'secret.txt', '--replace')).code).toBe(0);
    expect(await recodery('engine', 'test', 'acme')).toMatchObject({ code: 0 });

    expect((await apply(', engine: acme')).code).toBe(0);
    expect(await apply('')).toMatchObject({ code: 0, out: '' });
    expect((await recodery('directory', 'export', 'all.yaml')).code).toBe(0);
    expect(await readFile(join(folder, 'all.yaml'), 'utf8')).toMatch(
      /serial: M-1\n\s+engine: acme\n/,
    );
    const listed = await recodery('engine', 'list', '--json');
    expect(JSON.parse(listed.out)).toEqual([
      {
        name: 'acme',
        kind: 'encoding-api',
        url: vendor.url,
        clientApplicationGUID: vendor.credentials.clientGuid,
        masters: ['kess3 M-1'],
      },
    ]);
    expect(listed.out).not.toContain(vendor.credentials.secretKey);
    const doctor = await recodery('doctor');
    expect(doctor.out).toMatch(/ok +engine acme +.*accepts the credentials/);

    const words = ['--kind', 'bflash', '--secret-file', 'secret.txt', '--replace'];
    const changed = await recodery('engine', 'add', 'acme', ...words);
    expect(changed.code).toBe(1);
    expect(changed.complaint).toContain('kess3 M-1 uses acme, so its kind cannot change');

    const used = await recodery('engine', 'remove', 'acme');
    expect(used.code).toBe(1);
    expect(used.complaint).toContain('kess3 M-1');
    expect((await apply(', engine: built-in')).code).toBe(0);

    const slot = await insertJobOf('acme');
    const ofJob = await recodery('engine', 'add', 'acme', ...words);
    expect(ofJob.code).toBe(1);
    expect(ofJob.complaint).toContain('One job uses acme, so its kind cannot change');
    await deleteJob(slot);
    const ofOperation = await recodery('engine', 'add', 'acme', ...words);
    expect(ofOperation.complaint).toContain('Unfinished operations use acme');
    expect((await add(vendor.url, 'secret.txt', '--replace')).code).toBe(0);

    expect((await recodery('engine', 'remove', 'acme')).code).toBe(0);
    expect(await recodery('engine', 'list')).toMatchObject({ code: 0, out: '' });
    expect((await recodery('engine', 'test', 'acme')).complaint).toContain(
      'There is no connection acme',
    );
  });
});
