/** The search of a large audit trail over HTTP: it reads a part of the trail at a time. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchedAtOnce } from '../../../src/audit/read-audit.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

/** Enough for two parts, and some more. */
const size = searchedAtOnce * 2 + 100;

let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  olga = await portal.signIn('olga@demo.test');
  // far beyond the entries that this test itself causes
  await sql`
    insert into audit_entry (position, entry, recorded_on, hash)
    select n, json_build_object('on', now(), 'actor', json_build_object('kind', 'worker'),
      'action', 'part.' || n, 'outcome', 'done', 'object', json_build_object('note', case
        when n = 1010 then 'Oldest Äpfel' when n = ${1000 + size} then 'newest' else 'other' end))::text,
      now(), '\\x00'
    from generate_series(1001, ${1000 + size}) n`.execute(portal.platform.db);
});
afterAll(() => portal.stop());

interface Listed {
  readonly items: readonly { readonly action: string }[];
  readonly next: string | null;
}

/** The pages of a search, until it has ended. */
const search = (words: string, sort = '-on') => readPages({ search: words, sort });

/** The pages of a list, until it has ended. */
async function readPages(narrowing: Readonly<Record<string, string>>): Promise<readonly Listed[]> {
  const pages: Listed[] = [];
  for (let after = ''; ; ) {
    const query = new URLSearchParams({ ...narrowing, ...(after === '' ? {} : { after }) });
    const page = (await olga.get(`/api/admin/audit?${query}`)).json as Listed;
    pages.push(page);
    if (page.next === null) return pages;
    after = page.next;
  }
}

const actionsOf = (pages: readonly Listed[]) =>
  pages.map(({ items }) => items.map(({ action }) => action));

test('a search returns a page for each part of the trail, also without entries', async () => {
  expect(actionsOf(await search('oldest'))).toEqual([[], [], ['part.1010']]);
  expect(actionsOf(await search('OLDEST', 'on'))).toEqual([['part.1010'], [], []]);
  expect(actionsOf(await search('äpfel'))).toEqual([[], [], ['part.1010']]);
  expect(actionsOf(await search('no-such-word'))).toEqual([[], [], []]);
});

test('a page that is full continues at its last entry', async () => {
  const pages = await search('newest');
  expect(actionsOf(pages)[0]).toEqual([`part.${1000 + size}`]);
  const query = 'search=part.&count=2';
  const first = (await olga.get(`/api/admin/audit?${query}`)).json as Listed;
  const second = (await olga.get(`/api/admin/audit?${query}&after=${first.next}`)).json as Listed;
  expect(actionsOf([first, second])).toEqual([
    [`part.${1000 + size}`, `part.${999 + size}`],
    [`part.${998 + size}`, `part.${997 + size}`],
  ]);
});

test('a filter without words also reads a part of the trail at a time', async () => {
  const action = 'part.20000';
  expect(actionsOf(await readPages({ action }))).toEqual([[], [action], []]);
  expect(actionsOf(await readPages({ action, sort: 'on' }))).toEqual([[action], [], []]);
  for (const filter of [
    { who: 'no-one@demo.test' },
    { customerCode: 'CC-2002' },
    { to: '2001-01-01T00:00:00.000Z' },
    { from: '2999-01-01T00:00:00.000Z' },
  ])
    expect(actionsOf(await readPages(filter))).toEqual([[], [], []]);
});
