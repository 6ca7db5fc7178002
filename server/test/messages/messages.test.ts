/** The operator's messages: which ones are active in which language, and how open pages receive them. */
import type { Message } from '@recodery/contract/features/messages';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addMessage,
  listAllMessages,
  type NewMessage,
  removeMessage,
} from '../../src/messages/messages.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());
beforeEach(async () => {
  await portal.platform.db.deleteFrom('operator_message').execute();
});

function add(language: NewMessage['language'], text: string, times: Partial<NewMessage> = {}) {
  return addMessage(portal.platform.db, {
    language,
    text,
    shownFrom: null,
    shownTo: null,
    ...times,
  });
}

/** A time of the database's clock, which decides what is active. */
async function inSeconds(seconds: number): Promise<Date> {
  const { rows } = await sql<{ time: Date }>`
    select now() + make_interval(secs => ${seconds}) as time`.execute(portal.platform.db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no time');
  return row.time;
}

async function textsFor(letters: string | null, client = anna): Promise<string[]> {
  const query = letters === null ? '' : `?i_twoLetterCode=${letters}`;
  const answer = await client.get(`/api/comunication-messages/message${query}`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return (answer.json as Message[]).map(({ text }) => text);
}

describe('the list', () => {
  test('is empty if there are no messages', async () => {
    expect(await textsFor('it')).toEqual([]);
  });

  // promise 7.around.messages
  test('contains the messages of the language, oldest first, or else the English ones', async () => {
    await add('en', 'Hello');
    await add('it', 'Ciao');
    await add('it', 'Manutenzione lunedì');
    expect(await textsFor('it')).toEqual(['Ciao', 'Manutenzione lunedì']);
    expect(await textsFor('IT')).toEqual(['Ciao', 'Manutenzione lunedì']);
    expect(await textsFor('it-IT')).toEqual(['Ciao', 'Manutenzione lunedì']);
    for (const other of ['de', 'en', 'xx', '', '%27', null]) {
      expect([other, await textsFor(other)]).toEqual([other, ['Hello']]);
    }
  });

  // promise 9.maintenance.notice
  test('contains only messages that are active by the clock of the database', async () => {
    const [hourAgo, secondAgo, soon] = await Promise.all([-3600, -1, 3600].map(inSeconds));
    if (!hourAgo || !secondAgo || !soon) throw new Error('no times');
    await add('en', 'over', { shownFrom: hourAgo, shownTo: secondAgo });
    await add('en', 'since then', { shownFrom: hourAgo });
    await add('en', 'for an hour', { shownTo: soon });
    await add('en', 'to come', { shownFrom: soon });
    // an inactive message in the language does not hide the English ones
    await add('it', 'da venire', { shownFrom: soon });
    expect(await textsFor('it')).toEqual(['since then', 'for an hour']);
    const all = await listAllMessages(portal.platform.db);
    expect(all.map(({ text, state }) => [text, state])).toEqual([
      ['over', 'past'],
      ['since then', 'shown'],
      ['for an hour', 'shown'],
      ['to come', 'coming'],
      ['da venire', 'coming'],
    ]);
  });

  test('keeps the order in which messages for the same time were added', async () => {
    const hourAgo = await inSeconds(-3600);
    const added = Array.from({ length: 12 }, (_, at) => `message ${at}`);
    for (const text of added) await add('en', text, { shownFrom: hourAgo });
    expect(await textsFor('en')).toEqual(added);
    const all = await listAllMessages(portal.platform.db);
    expect(all.map(({ text }) => text)).toEqual(added);
  });

  test('needs a session, but no access to the portal', async () => {
    await add('en', 'To all');
    expect(await textsFor('en', await portal.signIn('nora@demo.test'))).toEqual(['To all']);
  });

  test('returns a message verbatim', async () => {
    const text = '<b>Bold</b> & "quoted" \u202E תודה 🔧';
    await add('en', text);
    expect(await textsFor('en')).toEqual([text]);
  });
});

describe('an open page', () => {
  test('receives all current messages in its account’s language when a message is added or removed', async () => {
    await portal.platform.db
      .updateTable('account')
      .set({ culture: 'it-IT' })
      .where('email', '=', 'anna@demo.test')
      .execute();
    let received: string[] | null = null;
    const page = await portal.signIn('anna@demo.test');
    await page.listen(({ name, record }) => {
      if (name === 'message') received = (record as Message[]).map(({ text }) => text);
    });
    // the removal of an earlier test's messages may be announced in between: only the last list counts
    const expectReceived = async (texts: readonly string[]): Promise<void> => {
      await expect.poll(() => received).toEqual(texts);
    };
    await add('en', 'Hello');
    await expectReceived(['Hello']);
    const guid = await add('it', 'Ciao');
    await expectReceived(['Ciao']);
    await removeMessage(portal.platform.db, guid);
    await expectReceived(['Hello']);
  });
});

describe('removing a message', () => {
  test('reports if it does not exist, or is not a GUID', async () => {
    const { db } = portal.platform;
    const guid = await add('en', 'Hello');
    expect(await removeMessage(db, guid.toUpperCase())).toBe(true);
    expect(await removeMessage(db, guid)).toBe(false);
    expect(await removeMessage(db, "'; drop table operator_message")).toBe(false);
  });
});
