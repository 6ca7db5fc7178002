/** `recodery client`: the secrets it prints once, what it lists, and what it refuses. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueToken } from '../../src/clients/access-tokens.ts';
import { demoDirectory } from '../../src/demo/demo-directory.ts';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { callCommand } from '../fixtures/command.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await createTestPlatform();
  await applyDirectory(platform, demoDirectory);
});
afterAll(() => platform.stop());

const client = (...words: readonly string[]) => callCommand(platform, ['client', ...words]);

const add = ['add', '--customer-code', 'CC-1001', '--name', 'Back office'];

it('adds a client, lists it without its secrets, and revokes it', async () => {
  const networks = ['--allow-ip', '10.0.0.0/8', '2001:db8::1', '--allow-ip', '192.0.2.7'];
  const added = await client(...add, ...networks, '--expires', '2099-01-01', '--json');
  expect(added.code).toBe(0);
  const { secretKey, webhookSecret, ...shown } = JSON.parse(added.out) as {
    readonly clientApplicationGUID: string;
    readonly secretKey: string;
    readonly webhookSecret: string;
  };
  expect(shown).toMatchObject({
    name: 'Back office',
    allowedNetworks: ['10.0.0.0/8', '2001:db8::1/128', '192.0.2.7/32'],
    expiresOn: '2099-01-01T00:00:00.000Z',
  });
  const token = await issueToken(platform.db, { ...shown, secretKey }, '10.1.2.3');
  expect(token.accessToken).toMatch(/^[\w-]{43}$/);

  const list = await client('list', '--json');
  expect(JSON.parse(list.out)).toEqual([
    { ...shown, customerCode: 'CC-1001', lastUsedOn: expect.any(String) },
  ]);
  expect(list.out).not.toContain(webhookSecret);
  const { clientApplicationGUID } = shown;
  expect((await client('list', '--customer-code', 'CC-3003')).out).toBe('');

  expect((await client('revoke', clientApplicationGUID.toUpperCase())).code).toBe(0);
  expect((await client('list')).out).toContain(
    `${clientApplicationGUID}\tCC-1001\tBack office\trevoked`,
  );
  await expect(
    issueToken(platform.db, { clientApplicationGUID, secretKey }, '10.1.2.3'),
  ).rejects.toThrow('INVALID_CREDENTIALS');
});

it.each([
  [['add', '--customer-code', 'CC-9', '--name', 'x'], 1, 'No organisation'],
  [['add', '--customer-code', 'CC-1001'], 2, '--name'],
  [[...add, '--allow-ip', 'portal.test'], 2, 'portal.test is not an address'],
  [[...add, '--expires', '2020-01-01'], 2, 'already be expired'],
  [['revoke', '01900000-0000-7000-8000-00000000dead'], 1, 'No client application'],
  [['revoke', 'x'], 1, 'No client application'],
])('refuses %j', async (words, code, reason) => {
  const refused = await client(...words);
  expect([refused.code, refused.out]).toEqual([code, '']);
  expect(refused.complaint).toContain(reason);
});
