/** The keys of the installation over HTTP: their age, renewal, replacement, and the rotation of the secret. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPresentSecret } from '../../../src/secrets/secrets.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

const path = '/api/admin/keys';

let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  olga = await portal.signIn('olga@demo.test');
  await confirmSessions();
  // as after the first download and the first email with a link
  for (const purpose of ['ticket', 'share']) await portal.platform.secrets.listKeys(purpose);
});
afterAll(() => portal.stop());

/** All users have just entered their password. */
const confirmSessions = () =>
  sql`update session set confirmed_on = now()`.execute(portal.platform.db);

interface Keys {
  readonly guid: string;
  readonly purpose: string;
  readonly valid: number;
  readonly retired: number;
  readonly renewOn: string | null;
}

async function read(purpose: string): Promise<Keys> {
  const { json } = await olga.get(`${path}?search=${purpose}`);
  const found = (json as { items: readonly Keys[] }).items.find((one) => one.purpose === purpose);
  if (found === undefined) throw new Error(`${purpose} has no keys`);
  return found;
}

// promise d3.care.keys
test('lists the keys by purpose with their age, and none of their values', async () => {
  const { text } = await olga.get(path);
  const { rows } = await sql<{ wrapped: Buffer }>`select wrapped from wrapped_key`.execute(
    portal.platform.db,
  );
  for (const { wrapped } of rows)
    for (const encoding of ['base64', 'hex'] as const)
      expect(text).not.toContain(wrapped.toString(encoding));
  expect(await read('session')).toMatchObject({
    valid: 1,
    retired: 0,
    renewOn: expect.any(String),
  });
  expect(await read('master')).toMatchObject({ renewOn: null });
});

// promise d3.care.keys-renew
test('renewed keys leave sessions valid; keys of devices cannot be renewed', async () => {
  const { guid } = await read('ticket');
  const { status, text } = await olga.call('POST', `${path}/${guid}/renew`);
  expect([status, JSON.parse(text).item.valid]).toEqual([200, 2]);
  const all = await olga.call('POST', `${path}/renewAll`);
  expect(JSON.parse(all.text).finding.state).toBe('ok');
  expect(await read('session')).toMatchObject({ valid: 2, retired: 0 });
  expect((await olga.get(path)).status).toBe(200);
  const { guid: master } = await read('master');
  expect((await olga.call('POST', `${path}/${master}/renew`)).status).toBe(404);
});

// promise d3.care.keys-replace
test('replaced keys retire all others, and sessions without a recent sign-in must confirm', async () => {
  const { guid } = await read('share');
  const { text } = await olga.call('POST', `${path}/${guid}/replace`);
  expect(JSON.parse(text)).toMatchObject({
    item: { valid: 1 },
    finding: { state: 'warning', text: expect.stringContaining('Restart every portal') },
  });
  await sql`update session set confirmed_on = null`.execute(portal.platform.db);
  const late = await olga.call('POST', `${path}/${guid}/replace`);
  expect(late.text).toBe('CONFIRM_ACCOUNT');
  expect((await olga.call('POST', `${path}/rotate`)).text).toBe('CONFIRM_ACCOUNT');
});

test('of two rotations at once, the secret of the file opens every key afterwards', async () => {
  await confirmSessions();
  const rotations = await Promise.all([1, 2, 3].map(() => olga.call('POST', `${path}/rotate`)));
  const findings = rotations.map(({ text }) => JSON.parse(text).finding.text);
  expect(findings).toContainEqual(expect.stringMatching(/^Rotated the secret/));
  const { db, secretSource } = portal.platform;
  const [inFile = '', ...others] = await secretSource.read();
  expect(others).toEqual([]);
  expect(await findPresentSecret(db, [inFile])).toBe(inFile);
});

test('the file of the secret that the environment names is only rotated by the command', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-secret-'));
  const file = join(folder, 'secret');
  await writeFile(file, 'a secret of sixteen\n');
  const other = await startTestPortal({ RECODERY_SECRET_FILE: file }, false);
  const client = await other.signIn('olga@demo.test');
  const { text } = await client.call('POST', `${path}/rotate`);
  expect(JSON.parse(text).finding).toEqual({
    state: 'wrong',
    text: expect.stringContaining('RECODERY_SECRET_FILE'),
  });
  expect(await readFile(file, 'utf8')).toBe('a secret of sixteen\n');
  await other.stop();
  await rm(folder, { recursive: true });
});

// promise d3.care.keys-rotate
test('a rotated secret wraps every key again while the portal runs', async () => {
  const client = await portal.signIn('olga@demo.test');
  await confirmSessions();
  const before = await portal.platform.secretSource.read();
  const { text } = await client.call('POST', `${path}/rotate`);
  expect(JSON.parse(text).finding).toMatchObject({
    state: 'ok',
    text: expect.stringMatching(/^Rotated the secret, and wrapped \d+ keys again\./),
  });
  expect(await portal.platform.secretSource.read()).not.toEqual(before);
  expect((await client.get(path)).status).toBe(200);
  expect((await portal.signIn('anna@demo.test')).sessionId).not.toBe('');
});
