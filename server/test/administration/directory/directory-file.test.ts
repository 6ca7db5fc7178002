/** The directory file over HTTP: its download, its preview with old and new values, and its application. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

const path = '/api/admin/directory';

interface Preview {
  readonly plan: string;
  readonly changes: readonly { readonly key: string; readonly action: string }[];
  readonly mistakes: readonly { readonly line: number | null; readonly text: string }[];
}

let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal({}, false);
  olga = await portal.signIn('olga@demo.test');
});
afterAll(() => portal.stop());

async function send(address: string, text: string | Uint8Array) {
  const form = new FormData();
  form.append(
    'directory',
    new Blob([typeof text === 'string' ? text : new Uint8Array(text)]),
    'directory.yaml',
  );
  const {
    status,
    text: body,
    json,
  } = await olga.call('POST', `${path}/${address}`, { body: form });
  return { status, body, preview: json as Preview };
}

async function preview(text: string | Uint8Array): Promise<Preview> {
  const { status, preview: found } = await send('preview', text);
  expect(status).toBe(200);
  return found;
}

const apply = (text: string, plan: string, move = false) =>
  send(`apply?plan=${plan}&move=${move}`, text);

const newUser = (name: string, more = '') =>
  `users:\n  - email: new@demo.test\n    name: ${name}\n    customerCodes: [CC-1001]\n${more}`;

// promise d5.file.export
test('an export after changes in the pages applies to itself without a change', async () => {
  const created = await olga.post('/api/admin/users', {
    email: 'made-in-page@demo.test',
    name: 'Made in "the page": yes',
    customerCodes: ['CC-1001', 'CC-2002'],
    manager: ['CC-2002'],
    accountSuspended: true,
  });
  expect(created.status).toBe(200);
  const slave = { family: 'kess3', serial: '000042', masterSerial: 'KS3-M-0001', revoked: true };
  expect((await olga.post('/api/admin/slaves', slave)).status).toBe(200);
  const { text, headers } = await olga.get(path);
  expect(headers.get('content-disposition')).toMatch(/directory_\d{4}-\d\d-\d\d\.yaml/);
  expect(text).toContain('made-in-page@demo.test');
  const shown = await preview(text);
  expect(shown).toMatchObject({ changes: [], mistakes: [] });
  expect(await apply(text, shown.plan)).toMatchObject({ status: 200, preview: { changes: [] } });
  for (const word of ['password', 'secret']) expect(text.toLowerCase()).not.toContain(word);
});

// promise d5.file.preview
test('shows what is created, changed and removed with old and new values, and applies exactly that', async () => {
  const first = newUser('New');
  const added = await preview(first);
  expect(added.changes).toEqual([
    {
      kind: 'user',
      key: 'new@demo.test',
      action: 'add',
      moves: [],
      fields: expect.arrayContaining([
        { name: 'name', before: null, after: 'New' },
        { name: 'customerCodes', before: null, after: 'CC-1001' },
      ]),
    },
  ]);
  expect((await olga.get('/api/admin/users?search=new@demo')).text).not.toContain('new@demo.test');
  expect((await apply(first, added.plan)).status).toBe(200);
  const changed = await preview(newUser('Newer', '    operator: true\n'));
  expect(changed.changes).toMatchObject([
    {
      action: 'change',
      fields: [
        { name: 'name', before: 'New', after: 'Newer' },
        { name: 'operator', before: 'false', after: 'true' },
      ],
    },
  ]);
  const gone = 'users:\n  - email: new@demo.test\n    remove: true\n';
  const removed = await preview(gone);
  expect(removed.changes).toMatchObject([{ action: 'remove', key: 'new@demo.test' }]);
  expect((await apply(gone, removed.plan)).status).toBe(200);
  const { rows } = await sql<{ object: { changes: readonly object[] } }>`
    select entry::jsonb -> 'object' as object
    from (select entry from audit_waiting union all select entry from audit_entry) as one
    where entry::jsonb ->> 'action' = 'directory.applyDirectoryFile' and entry::jsonb ->> 'outcome' = 'done'
      and entry::jsonb #>> '{object,count}' = '1'`.execute(portal.platform.db);
  expect(rows.map(({ object }) => object.changes)).toEqual([added.changes, removed.changes]);
});

// promise d5.file.overtaken
test('refuses a file if a colleague has changed one of its records since the preview', async () => {
  const text = 'organisations:\n  - customerCode: CC-2002\n    name: Renamed by the file\n';
  const shown = await preview(text);
  const rename = (name: string) =>
    sql`update organisation set name = ${name} where customer_code = 'CC-2002'`.execute(
      portal.platform.db,
    );
  await rename('Renamed by a colleague');
  expect(await apply(text, shown.plan)).toMatchObject({ status: 412, body: 'RECORD_CHANGED' });
  const again = await preview(text);
  expect(again.changes).toMatchObject([
    { fields: [{ before: 'Renamed by a colleague', after: 'Renamed by the file' }] },
  ]);
  expect((await apply(text, again.plan)).status).toBe(200);
});

// promise d5.file.mistakes
test('names the line of each reason why a file cannot be applied, and changes nothing', async () => {
  const lines = async (text: string | Uint8Array) => {
    const { changes, mistakes } = await preview(text);
    expect(changes).toEqual([]);
    return mistakes.map((mistake) => [mistake.line, mistake.text.slice(0, 40)]);
  };
  expect(await lines('users:\n  - email: anna@demo.test\n    nme: Anna\n')).toEqual([
    [3, expect.stringContaining('nme')],
  ]);
  expect(
    await lines(
      'users:\n  - email: a@demo.test\n  - email: b@demo.test\n    customerCodes: [CC-9]\n',
    ),
  ).toEqual([[3, expect.stringContaining('user b@demo.test: customer code CC-9')]]);
  expect(await lines('a: [\n')).toEqual([[expect.any(Number), expect.stringContaining('YAML')]]);
  expect(await lines(Buffer.from([0xff, 0xfe, 0x00]))).toEqual([
    [1, expect.stringContaining('UTF-8')],
  ]);
  expect(await lines('organisations:\n  - customerCode: CC-1001\n    logo: logo.svg\n')).toEqual([
    [2, expect.stringContaining('logo')],
  ]);
  const last = 'users:\n  - email: olga@demo.test\n    remove: true\n';
  expect(await lines(last)).toEqual([
    [null, expect.stringContaining('the last operator must stay')],
  ]);
  expect((await apply(last, 'x')).status).toBe(412);
  expect((await olga.get('/api/admin/users?search=olga')).text).toContain('olga@demo.test');
});

// promise d5.file.moves
test('lets a device change its owner only if the operator confirms it', async () => {
  const { text } = await olga.get(path);
  const [, serial = ''] = /serial: (KS3-\d+)\n\s+owner: CC-/.exec(text) ?? [];
  const moved = text.replace(new RegExp(`(serial: ${serial}\\n\\s+owner: )CC-\\S+`), '$1CC-1001');
  const shown = await preview(moved);
  expect(shown.changes).toMatchObject([
    { kind: 'slave', moves: [expect.stringContaining('moves from the owner')] },
  ]);
  expect((await apply(moved, shown.plan)).status).toBe(400);
  expect((await apply(moved, shown.plan, true)).status).toBe(200);
});

// promise d5.file.size
test('refuses a file that is too large', async () => {
  expect(await send('preview', '#'.repeat(16 * 2 ** 20 + 1))).toMatchObject({
    status: 400,
    body: 'FILE_TOO_LARGE',
  });
});
