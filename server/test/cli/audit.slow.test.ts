/** `recodery audit`: the operator's commands are recorded, listed, exported and verified. */
import { userInfo } from 'node:os';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashEntry } from '../../src/audit/audit.ts';
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

const recodery = (...words: readonly string[]) => callCommand(platform, words);

/** The lines of an output, split into columns. */
const rowsOf = (out: string): readonly string[][] =>
  out
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'));

it('lists the operator’s actions and refusals, but no calls that only read', async () => {
  expect((await recodery('audit', 'verify')).complaint).toContain('The audit trail is empty.');
  expect((await recodery('maintenance', 'on')).code).toBe(0);
  expect((await recodery('user', 'invite', 'stranger@example.org')).code).toBe(1);
  await recodery('client', 'list');
  const secret = 'https://user:a-password@example.org/';
  await recodery('webhook', 'add', '--customer-code', 'CC-1001', '--url', secret);
  const unknown = crypto.randomUUID();
  expect((await recodery('webhook', 'replay', unknown)).code).toBe(1);

  const { out } = await recodery('audit', 'list');
  const who = `operator ${userInfo().username}`;
  const rows = rowsOf(out).map(([position, , ...rest]) => [position, ...rest]);
  expect(rows.slice(0, 2)).toEqual([
    ['1', who, 'maintenance', 'done', '', '{"arguments":["on"]}'],
    ['2', who, 'user invite', 'refused', '', '{"arguments":["stranger@example.org"]}'],
  ]);
  expect(rows.slice(2).map((row) => row.slice(1, 4))).toEqual([
    [who, 'webhook add', 'refused'],
    [who, 'webhook replay', 'refused'],
  ]);
  expect(rows.slice(2).map((row) => JSON.parse(row[5] ?? ''))).toEqual([
    { customerCode: 'CC-1001', url: 'https://example.org' },
    { arguments: [unknown] },
  ]);
  const ofOne = await recodery('audit', 'list', '--customer-code', 'CC-1001');
  expect(rowsOf(ofOne.out).map((row) => row[3])).toEqual(['webhook add']);
  expect(out).not.toContain('a-password');
  expect(out).not.toContain('client list');
  expect(rowsOf((await recodery('audit', 'list', '--action', 'user')).out)).toHaveLength(1);
  expect((await recodery('audit', 'list', '--to', '2020-01-01')).out).toBe('');
  expect(await recodery('audit', 'list', '--customer-code', 'CC-0')).toMatchObject({ code: 1 });
});

it('lists which key of a slave was renewed, and the number of the new one', async () => {
  const serial = 'KV2-000007';
  const slave = ['--family', 'kessv2', '--serial', serial];
  const renewed = await recodery('device', 'renew-key', ...slave);
  expect(renewed).toMatchObject({ code: 0, out: '' });
  expect(renewed.complaint).toContain('has key 2 in place of 1');
  expect((await recodery('device', 'renew-key', '--family', 'ktag', '--serial', serial)).code).toBe(
    1,
  );
  const rows = rowsOf((await recodery('audit', 'list', '--action', 'device renew-key')).out);
  const named = { family: 'kessv2', serial };
  expect(rows.map((row) => [row[3], JSON.parse(row[6] ?? '')])).toEqual([
    ['device renew-key', { ...named, changes: { key: { from: 1, to: 2 } } }],
    ['device renew-key', { ...named, family: 'ktag' }],
  ]);
});

it('exports entries with hashes that anyone can check, and shows a change', async () => {
  await recodery('maintenance', 'off');
  const { out } = await recodery('audit', 'export');
  const entries = rowsOf(out).map(([line]) => JSON.parse(line ?? ''));
  const texts = await platform.db
    .selectFrom('audit_entry')
    .select('entry')
    .orderBy('position')
    .execute();
  let hash: Uint8Array = Buffer.alloc(32);
  const hashes = texts.map(({ entry }, at) => {
    hash = hashEntry(hash, at + 1, entry);
    return Buffer.from(hash).toString('hex');
  });
  expect(entries.map((entry) => entry.hash)).toEqual(hashes);

  const intact = await recodery('audit', 'verify');
  expect(intact).toMatchObject({ code: 0, out: `${hashes.length}:${hashes.at(-1)}\n` });
  expect((await recodery('audit', 'verify', '--head', intact.out.trim())).code).toBe(0);
  expect((await recodery('audit', 'verify', '--head', 'x')).code).toBe(2);
  await sql`alter table audit_entry disable trigger all`.execute(platform.db);
  await sql`update audit_entry set entry = replace(entry, 'stranger', 'a friend')`.execute(
    platform.db,
  );
  const changed = await recodery('audit', 'verify');
  expect(changed).toMatchObject({ code: 1, out: '' });
  expect(changed.complaint).toContain('changed at position 2');
});
