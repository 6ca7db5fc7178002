/** The audit trail over HTTP: its list, its export, and its check. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordAudit } from '../../../src/audit/audit.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

const path = '/api/admin/audit';

interface Entry {
  readonly guid: string;
  readonly on: string;
  readonly who: string | null;
  readonly action: string;
  readonly customerCode: string | null;
  readonly details: string;
}

let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  olga = await portal.signIn('olga@demo.test');
  const { db } = portal.platform;
  const { guid } = await db
    .selectFrom('organisation')
    .where('customer_code', '=', 'CC-2002')
    .select('guid')
    .executeTakeFirstOrThrow();
  for (const at of [1, 2, 3])
    await recordAudit(db, {
      actor: { kind: 'user', name: at === 3 ? 'Bruno@shop.test' : 'anna@shop.test' },
      action: `shelf.item${at}`,
      ...(at === 2 ? { organisation: guid } : {}),
      object: { changes: { name: ['=old', `new ${at}`] } },
      from: '203.0.113.7',
      outcome: 'done',
    });
});
afterAll(() => portal.stop());

const list = async (query: string) => {
  const { json } = await olga.get(`${path}?${query}`);
  return json as { items: readonly Entry[]; next: string | null; total: number | null };
};
const actions = ({ items }: { readonly items: readonly Entry[] }) =>
  items.map(({ action }) => action);

describe('the list of the audit trail', () => {
  // promise d3.care.audit
  test('is read page by page, newest first, and shows an entry with its old and new values', async () => {
    const first = await list('action=shelf.&count=2');
    expect(actions(first)).toEqual(['shelf.item3', 'shelf.item2']);
    expect(first.total).toBeNull();
    const second = await list(`action=shelf.&count=2&after=${first.next}`);
    expect(actions(second)).toEqual(['shelf.item1']);
    expect(second.next).toBeNull();
    expect(actions(await list('action=shelf.&sort=on&count=2'))).toEqual([
      'shelf.item1',
      'shelf.item2',
    ]);

    const [entry] = second.items;
    const one = (await olga.get(`${path}/${entry?.guid}`)).json as Entry;
    expect(one).toMatchObject({ who: 'anna@shop.test', whoKind: 'user', address: '203.0.113.7' });
    expect(JSON.parse(one.details)).toEqual({ changes: { name: ['=old', 'new 1'] } });
    expect((await olga.get(`${path}/00000000-0000-0000-0000-00000000beef`)).status).toBe(404);
  });

  test('is narrowed by who, what, organisation, time and words', async () => {
    expect(actions(await list('action=shelf.&who=bruno@SHOP.test'))).toEqual(['shelf.item3']);
    const ofNord = await list('action=shelf.&customerCode=CC-2002');
    expect(actions(ofNord)).toEqual(['shelf.item2']);
    expect(ofNord.items[0]?.customerCode).toBe('CC-2002');
    expect(actions(await list('customerCode=CC-0000'))).toEqual([]);
    expect(actions(await list(encodeURI('search=ITEM2 shop.test')))).toEqual(['shelf.item2']);
    const [later, earlier] = [1, -1].map((days) =>
      new Date(Date.now() + days * 86_400_000).toISOString(),
    );
    expect(actions(await list(`action=shelf.&from=${earlier}&to=${later}`))).toHaveLength(3);
    expect(actions(await list(`action=shelf.&from=${later}`))).toEqual([]);
    expect((await olga.get(`${path}?from=yesterday`)).status).toBe(400);
  });

  test('contains what the operator did a moment ago', async () => {
    await olga.call('POST', `${path}/verify`);
    const { items } = await list('action=adminAudit.perform');
    expect(items[0]).toMatchObject({ who: 'olga@demo.test' });
    expect(JSON.parse(items[0]?.details ?? '')).toMatchObject({ task: 'verify', found: 'ok' });
  });
});

describe('the export of the audit trail', () => {
  // promise d3.care.audit-export
  test('has the entries that match as CSV that no spreadsheet executes, and as lines of JSON', async () => {
    const csv = await olga.call('GET', `${path}/export.csv?action=shelf.`);
    expect(csv.status).toBe(200);
    const [head, ...rows] = csv.text.trimEnd().split('\r\n');
    expect(head).toMatch(/^\ufeff?Position,Time \(UTC\)/);
    expect(rows.map((row) => row.split(',')[4])).toEqual([
      'shelf.item1',
      'shelf.item2',
      'shelf.item3',
    ]);
    expect(csv.text).not.toMatch(/[,"]=/);
    expect(rows.map((row) => row.split(',')[6])).toEqual(['', 'CC-2002', '']);

    const lines = await olga.call('GET', `${path}/export.jsonl?action=shelf.&who=bruno@shop.test`);
    const entries = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries).toMatchObject([{ entry: { action: 'shelf.item3' } }]);
    expect((await list('action=adminAudit.exportCsv')).items).toHaveLength(1);
  });

  test('is recorded with its search and its filters, each time', async () => {
    await olga.call('GET', `${path}/export.jsonl?action=shelf.&search=item1`);
    await olga.call('GET', `${path}/export.jsonl?action=shelf.&search=item2`);
    const { items } = await list('action=adminAudit.exportLines&count=2');
    const [newest, older] = items.map(({ details }) => JSON.parse(details));
    expect(newest).toMatchObject({ search: 'item2', filters: { action: 'shelf.' } });
    expect(older).toMatchObject({ search: 'item1', filters: { action: 'shelf.' } });
  });

  test('that cannot be recorded is not sent', async () => {
    const { db } = portal.platform;
    await sql`alter table audit_waiting add constraint refused check (false) not valid`.execute(db);
    try {
      for (const ending of ['csv', 'jsonl'])
        expect((await olga.call('GET', `${path}/export.${ending}?action=shelf.`)).status).toBe(500);
    } finally {
      await sql`alter table audit_waiting drop constraint refused`.execute(db);
    }
  });

  test('contains all entries that were recorded before it', async () => {
    await sql`
      insert into audit_waiting (guid, entry)
      select gen_random_uuid(), jsonb_build_object('on', '2026-01-01T00:00:00.000Z', 'outcome', 'done',
        'actor', jsonb_build_object('kind', 'worker'), 'action', 'bulk.item')::text
      from generate_series(1, 1100)`.execute(portal.platform.db);
    const { text } = await olga.call('GET', `${path}/export.csv?action=bulk.`);
    expect(text.trimEnd().split('\r\n')).toHaveLength(1101);
  });

  test('without entries has the header', async () => {
    const { status, text } = await olga.call('GET', `${path}/export.csv?customerCode=CC-0000`);
    expect([status, text.trimEnd().split('\r\n').length]).toEqual([200, 1]);
  });

  test('is an error, not a file without entries, if the database cannot be read', async () => {
    const { db } = portal.platform;
    await sql`alter table audit_entry rename to audit_entry_away`.execute(db);
    try {
      for (const ending of ['csv', 'jsonl'])
        expect((await olga.call('GET', `${path}/export.${ending}`)).status).toBe(500);
    } finally {
      await sql`alter table audit_entry_away rename to audit_entry`.execute(db);
    }
  });
});

describe('the check of the audit trail', () => {
  const verify = async () => {
    const { text } = await olga.call('POST', `${path}/verify`);
    return JSON.parse(text).finding as { state: string; text: string };
  };

  // promise d3.care.audit-verify
  test('reports that the entries are complete, and where one was changed', async () => {
    const intact = await verify();
    expect(intact).toMatchObject({ state: 'ok' });
    expect(intact.text).toMatch(/^Entries 1 to \d+ are complete and unchanged\. Keep this line: /);

    await sql`alter table audit_entry disable trigger audit_entry_stays`.execute(
      portal.platform.db,
    );
    await sql`update audit_entry set entry = replace(entry, 'item2', 'item9') where entry like '%item2%'`.execute(
      portal.platform.db,
    );
    const changed = await verify();
    expect(changed).toMatchObject({ state: 'wrong' });
    expect(changed.text).toMatch(/^The audit trail was changed at position \d+\./);
  });
});
