/** `recodery directory` and `recodery user`: their output on stdout, and their exit codes. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { exportDirectory } from '../../src/organisations/directory/directory.ts';
import { findAccountByEmail } from '../../src/organisations/accounts.ts';
import { findInvited } from '../../src/sign-in/provider/invitations.ts';
import { createSession, findOpenSessions } from '../../src/sign-in/sessions.ts';
import { callCommand } from '../fixtures/command.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

let platform: TestPlatform;
let folder: string;

beforeAll(async () => {
  platform = await createTestPlatform();
  folder = await mkdtemp(join(tmpdir(), 'recodery-directory-'));
  await writeFile(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(folder, 'not-a-logo.svg'), '<html></html>');
});
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true });
});

const recodery = (words: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
  callCommand(platform, words, { cwd: folder, settings });

const directory = (logo: string): string => `
organisations:
  - { customerCode: CC-1, name: One, logo: ${logo} }
users:
  - { email: anna@shop.test, customerCodes: [CC-1] }
`;

describe('directory', () => {
  // promise d3.commands.directory
  test('a dry run shows the changes, then they are applied, then there is nothing to change', async () => {
    await writeFile(join(folder, 'one.yaml'), directory('logo.svg'));
    const lines = '+ organisation CC-1\n+ user anna@shop.test\n';
    const trial = await recodery(['directory', 'apply', 'one.yaml', '--dry-run']);
    expect(trial).toMatchObject({ code: 0, out: lines });
    expect((await exportDirectory(platform.db)).organisations).toEqual([]);
    const first = await recodery(['directory', 'apply', 'one.yaml']);
    expect(first).toMatchObject({ code: 0, out: lines });
    const second = await recodery(['directory', 'apply', 'one.yaml']);
    expect(second).toMatchObject({ code: 0, out: '' });
  });

  // promise d3.commands.directory-move
  test('gives a device to another owner only with --move; a dry run shows the old and the new owner', async () => {
    const slave = (owner: string): string => `{ serial: S-1, owner: ${owner} }`;
    const file = (owner: string, other: string) =>
      writeFile(
        join(folder, 'devices.yaml'),
        `
organisations:
  - customerCode: ${other}
    name: Other
    groupCodes: [{ code: G-1 }]
  - customerCode: ${owner}
    name: Owner
    groupCodes: [{ code: G-1, masters: [{ family: kess3, serial: M-1, slaves: [${slave(owner)}] }] }]
`,
      );
    const apply = (...options: string[]) =>
      recodery(['directory', 'apply', 'devices.yaml', ...options]);
    await file('CC-7', 'CC-8');
    expect(await apply()).toMatchObject({ code: 0 });
    const before = await exportDirectory(platform.db);

    await file('CC-8', 'CC-7');
    const moves = [
      '~ master device kess3 M-1: moves from CC-7 to CC-8 (customerCode)',
      '~ slave device kess3 S-1: moves from the owner CC-7 to CC-8 (owner)',
    ];
    const trial = await apply('--dry-run');
    expect(trial).toMatchObject({ code: 0 });
    expect(trial.out.split('\n')).toEqual(expect.arrayContaining(moves));
    expect(trial.complaint).toContain('add --move');
    const refused = await apply();
    expect(refused).toMatchObject({ code: 1, out: '' });
    for (const line of [...moves, 'To confirm, add --move.'])
      expect(refused.complaint).toContain(line);
    expect(await exportDirectory(platform.db)).toEqual(before);
    expect(await apply('--move')).toMatchObject({ code: 0, out: trial.out });
    expect(await apply()).toMatchObject({ code: 0, out: '' });
  });

  // promise d3.commands.directory-export
  test('exports a file that changes nothing when it is applied', async () => {
    const written = await recodery(['directory', 'export', 'all.yaml']);
    expect(written).toMatchObject({ code: 0, out: '' });
    expect(await readFile(join(folder, 'all.yaml'), 'utf8')).toContain('customerCode: CC-1');
    expect(await recodery(['directory', 'apply', 'all.yaml'])).toMatchObject({ code: 0, out: '' });
  });

  test.each([
    ['an unknown field', 'people: []', 'line 1: people is not a field of the directory'],
    ['a missing logo', directory('none.svg'), 'CC-1: could not read the logo none.svg'],
    ['a logo that is not an image', directory('not-a-logo.svg'), 'is neither PNG nor SVG'],
    [
      'an unknown code',
      'users: [{ email: a@b.test, customerCodes: [CC-9] }]',
      'CC-9 does not exist',
    ],
  ])('refuses %s with an explanation', async (_, text, words) => {
    await writeFile(join(folder, 'wrong.yaml'), text);
    const answer = await recodery(['directory', 'apply', 'wrong.yaml']);
    expect(answer).toMatchObject({ code: 1, out: '' });
    expect(answer.complaint).toContain(words);
    expect(answer.complaint).not.toContain('    at ');
  });

  test('refuses a missing file and an unknown option', async () => {
    expect((await recodery(['directory', 'apply', 'none.yaml'])).code).toBe(1);
    expect((await recodery(['directory', 'burn', 'all.yaml'])).code).toBe(2);
  });
});

test('user sign-out ends every session of that user, and of no one else', async () => {
  const { db } = platform;
  await writeFile(
    join(folder, 'two.yaml'),
    `${directory('logo.svg')}  - { email: mia@shop.test, customerCodes: [CC-1] }\n`,
  );
  await recodery(['directory', 'apply', 'two.yaml']);
  const begin = async (email: string): Promise<string> => {
    const account = await findAccountByEmail(db, email);
    const accountGuid = account?.guid ?? '';
    return (await createSession(db, { accountGuid, idToken: null })) ?? '';
  };
  const [first, second] = [await begin('anna@shop.test'), await begin('anna@shop.test')];
  const other = await begin('mia@shop.test');
  const isOpen = async () => {
    const open = await findOpenSessions(db, [first, second, other]);
    return [first, second, other].map((guid) => open.has(guid));
  };
  expect(await isOpen()).toEqual([true, true, true]);

  const answer = await recodery(['user', 'sign-out', 'ANNA@shop.test']);
  expect(answer).toMatchObject({ code: 0, out: '', complaint: '' });
  expect(await isOpen()).toEqual([false, false, true]);
  expect(await recodery(['user', 'sign-out', 'eve@shop.test'])).toMatchObject({ code: 1, out: '' });
});

describe('user invite', () => {
  // promise d3.commands.invite
  test('prints a link for a user in the directory, and for no one else', async () => {
    await writeFile(join(folder, 'one.yaml'), directory('logo.svg'));
    await recodery(['directory', 'apply', 'one.yaml']);
    const more = { RECODERY_PUBLIC_URL: 'https://portal.example' };
    const invited = await recodery(['user', 'invite', 'ANNA@shop.test'], more);
    expect(invited.code).toBe(0);
    expect(invited.out).toMatch(/^https:\/\/portal\.example\/idp\/password\/[\w-]+\n$/);
    const token = invited.out.trim().split('/').at(-1) ?? '';
    expect(await findInvited(platform, token)).toMatchObject({
      account: { email: 'anna@shop.test' },
    });
    const unknown = await recodery(['user', 'invite', 'eve@shop.test'], more);
    expect(unknown).toMatchObject({ code: 1, out: '' });
  });

  test('refuses if an external provider manages the passwords', async () => {
    const answer = await recodery(['user', 'invite', 'anna@shop.test'], {
      RECODERY_OIDC_ISSUER: 'https://sign-in.example',
      RECODERY_OIDC_CLIENT_ID: 'portal',
    });
    expect(answer).toMatchObject({ code: 1, out: '' });
    expect(answer.complaint).toContain('https://sign-in.example');
  });
});

// promise 6.factors.reset
test('user reset-factors removes the factors of that user, lists them, and refuses an unknown user', async () => {
  await writeFile(join(folder, 'one.yaml'), directory('logo.svg'));
  await recodery(['directory', 'apply', 'one.yaml']);
  const { db } = platform;
  const anna = db.selectFrom('account').where('email', '=', 'anna@shop.test').select('guid');
  const { guid } = await anna.executeTakeFirstOrThrow();
  await db
    .insertInto('passkey')
    .values({
      ...{ guid: newGuid(), account_guid: guid, name: 'Laptop', credential_id: 'an id' },
      ...{ public_key: Buffer.of(1), counter: 0, transports: [] },
    })
    .execute();
  const reset = () => recodery(['user', 'reset-factors', 'ANNA@shop.test']);
  expect(await reset()).toMatchObject({ code: 0, out: 'Laptop\n' });
  expect(await reset()).toMatchObject({ code: 0, out: 'The user had no second factor.\n' });
  const unknown = await recodery(['user', 'reset-factors', 'eve@shop.test']);
  expect(unknown).toMatchObject({ code: 1, out: '' });
});
