/**
 * `recodery message` and `recodery maintenance` next to a running portal: output, exit codes, and
 * announcements.
 */
import type { Message } from '@recodery/contract/features/messages';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AnnouncementKind } from '../../src/postgres/announce.ts';
import { readMaintenance } from '../../src/service-status/maintenance.ts';
import type { Client } from '../fixtures/client.ts';
import { callCommand } from '../fixtures/command.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());
beforeEach(async () => {
  anna = await portal.signIn('anna@demo.test');
  await portal.platform.db.deleteFrom('operator_message').execute();
});

const recodery = (...words: readonly string[]) => callCommand(portal.platform, words);

/**
 * The next event with that name on an open page, and the announcement that makes the portal send it. Without an
 * announcement, the page would have to wait for the portal's next poll.
 */
async function whenAnnounced<T>(
  name: AnnouncementKind,
): Promise<{ received: Promise<T>; announced: Promise<void> }> {
  const received = Promise.withResolvers<T>();
  const announced = Promise.withResolvers<void>();
  const stop = await anna.listen((event) => {
    if (event.name === name) received.resolve(event.record as T);
  });
  const unsubscribe = portal.platform.announce.subscribe(({ kind }) => {
    if (kind === name) announced.resolve();
  });
  return {
    received: received.promise.finally(stop),
    announced: announced.promise.finally(unsubscribe),
  };
}

const shown = async (letters: string) =>
  (await anna.get(`/api/comunication-messages/message?i_twoLetterCode=${letters}`)).json;

describe('message', () => {
  // promise 9.maintenance.notice, d3.commands.message
  test('adds a message, announces it to open pages immediately, lists and removes it', async () => {
    const { received, announced } = await whenAnnounced<Message[]>('message');
    const added = await recodery('message', 'add', '--language', 'it', '--text', ' Ciao\na tutti ');
    expect([added.code, added.complaint]).toEqual([0, '']);
    expect(added.out).toMatch(/^[0-9a-f-]{36}\n$/);
    const guid = added.out.trim();
    await announced;
    // this page is in another language
    expect(await received).toEqual([]);
    expect(await shown('it')).toEqual([{ guid, text: 'Ciao a tutti' }]);
    const coming = ['--from', '2999-03-22T17:30+01:00', '--to', '2999-03-22T19:00+01:00'];
    await recodery('message', 'add', '--language', 'en', '--text', 'Soon', ...coming);
    expect(await shown('en')).toEqual([]);
    const lines = (await recodery('message', 'list')).out.trimEnd().split('\n');
    expect(lines.map((line) => line.split('\t').slice(1))).toEqual([
      ['it', 'shown', expect.any(String), 'until removed', 'Ciao a tutti'],
      ['en', 'coming', '2999-03-22T16:30:00.000Z', '2999-03-22T18:00:00.000Z', 'Soon'],
    ]);
    const [first] = JSON.parse((await recodery('message', 'list', '--json')).out);
    expect(first).toMatchObject({ guid, language: 'it', state: 'shown', shownTo: null });
    expect((await recodery('message', 'remove', guid)).code).toBe(0);
    expect(await shown('it')).toEqual([]);
    const again = await recodery('message', 'remove', guid);
    expect([again.code, again.out]).toEqual([1, '']);
    expect(again.complaint).toContain(guid);
  });

  test.each([
    ['an unknown language', '--language', 'tlh', '--text', 'Qapla'],
    ['a text that is too long', '--language', 'it', '--text', 'x'.repeat(501)],
    ['no language', '--text', 'Hello'],
    ['terminal control characters', '--language', 'it', '--text', 'a\u001b[2Jb'],
    ['direction marks', '--language', 'it', '--text', 'a\u202eb'],
    ['an invalid date', '--language', 'it', '--text', 'a', '--from', '2026-02-30'],
    [
      'an end before the start',
      ...['--language', 'it', '--text', 'a'],
      ...['--from', '2999-01-02', '--to', '2999-01-01'],
    ],
  ])('with %s is an error', async (_case, ...words) => {
    const { code, out, complaint } = await recodery('message', 'add', ...words);
    expect([code, out]).toEqual([2, '']);
    expect(complaint).not.toBe('');
    expect(await shown('it')).toEqual([]);
  });
});

describe('maintenance', () => {
  // promise 9.maintenance.suspended, d3.commands.maintenance
  test('is announced to every open page, refuses new operations until it is off, which is announced too', async () => {
    const status = async () => (await anna.get('/api/maestro-checkup/status')).json;
    expect(await status()).toEqual({ statusCode: 200 });
    for (const [state, statusCode] of [
      ['on', 503],
      ['off', 200],
    ] as const) {
      const { received, announced } = await whenAnnounced('service-status');
      const done = await recodery('maintenance', state);
      expect([done.code, done.out]).toEqual([0, `Maintenance is ${state}.\n`]);
      await announced;
      expect([await received, await status()]).toEqual([{ statusCode }, { statusCode }]);
      const bytes = new Uint8Array(64);
      const upload = await anna.upload('POST', '/api/kessv2/upload-read-file', {
        field: 'readFile',
        bytes,
      });
      expect(upload.status).toBe(statusCode === 200 ? 202 : 503);
      expect((await recodery('maintenance', state)).out).toBe(
        `Maintenance was already ${state}.\n`,
      );
    }
    expect((await recodery('maintenance', 'maybe')).code).toBe(2);
  });

  test('is really off after `off`, also if a plan has turned it on; a plan for later stays', async () => {
    const { db } = portal.platform;
    const status = async () => (await anna.get('/api/maestro-checkup/status')).json;
    const plan = (from: string) =>
      sql`update maintenance set planned_from = now() + ${from}::interval`.execute(db);
    for (const switched of [false, true]) {
      await plan('-1 hour');
      if (switched) await recodery('maintenance', 'on');
      expect(await status()).toEqual({ statusCode: 503 });
      const { code, out } = await recodery('maintenance', 'off');
      expect([code, out]).toEqual([
        0,
        'Maintenance is off. The plan that had started it was removed.\n',
      ]);
      expect(await status()).toEqual({ statusCode: 200 });
    }
    await plan('1 hour');
    expect((await recodery('maintenance', 'off')).out).toBe('Maintenance was already off.\n');
    const { from } = await readMaintenance(db);
    expect(from).not.toBeNull();
    await sql`update maintenance set planned_from = null`.execute(db);
  });
});
