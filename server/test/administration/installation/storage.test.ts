/** The storage of all organisations over HTTP, and the scan of the stored files. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuid } from '../../../src/config/guids.ts';
import { applyDirectory, exportDirectory } from '../../../src/organisations/directory/directory.ts';
import {
  readDirectoryFile,
  writeDirectoryFile,
} from '../../../src/organisations/directory/directory-file.ts';
import { readEntryState } from '../../../src/organisations/directory/entry-state.ts';
import { findOrganisationByCode } from '../../../src/organisations/organisations.ts';
import { readStorageUse } from '../../../src/organisations/storage-quota.ts';
import { lockUsage, readUsage } from '../../../src/organisations/usage.ts';
import { fitsQuota } from '../../../src/slots/files/replaced-files.ts';
import { openStorage } from '../../../src/storage/open-storage.ts';
import { verifyFiles } from '../../../src/upkeep/verify-files.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';

const path = '/api/admin/storage';

let portal: RunningPortal;
let olga: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_ORGANISATION_GIB: '10' }, false);
  olga = await portal.signIn('olga@demo.test');
});
afterAll(() => portal.stop());

async function perform(task: string): Promise<{ state: string; text: string }> {
  const { text } = await olga.call('POST', `${path}/${task}`);
  return JSON.parse(text).finding;
}

// promise d3.care.storage
test('lists what each organisation stores of its quota, most first, with its damaged files', async () => {
  const { db } = portal.platform;
  const store = (code: string, bytes: number) =>
    sql`update organisation set stored_bytes = ${bytes} where customer_code = ${code}`.execute(db);
  await store('CC-1001', 900);
  await store('CC-2002', 5 * 2 ** 30);
  const { json } = await olga.get(path);
  const { items } = json as { items: readonly { customerCode: string }[] };
  expect(items.slice(0, 2)).toMatchObject([
    {
      customerCode: 'CC-2002',
      usedBytes: 5 * 2 ** 30,
      quotaBytes: 10 * 2 ** 30,
      usedPercent: 50,
      damaged: 0,
    },
    { customerCode: 'CC-1001', usedBytes: 900, usedPercent: 0, retentionDays: 365 },
  ]);
});

test('an organisation has its own quota: edited, recorded, exported, shown, and in force', async () => {
  const { db } = portal.platform;
  const organisations = '/api/admin/organisations';
  const { json } = await olga.get(`${organisations}?search=CC-1001`);
  const { items } = json as { items: readonly { guid: string; revision: string }[] };
  const [{ guid, revision } = { guid: '', revision: '' }] = items;
  const save = (quotaGib: number | null, based = revision) =>
    olga.call('PUT', `${organisations}/${guid}`, {
      headers: {
        accept: 'application/problem+json',
        'content-type': 'application/json',
        'if-match': `"${based}"`,
      },
      body: JSON.stringify({ quotaGib }),
    });
  for (const wrong of [0, 1.5, 1_000_001])
    expect(await save(wrong)).toMatchObject({
      status: 400,
      text: expect.stringContaining('{"quotaGib":"INVALID"}'),
    });
  expect(await save(2)).toMatchObject({
    status: 200,
    text: expect.stringContaining('"quotaGib":2'),
  });
  const gibibyte = 2 ** 30;
  const { rows } = await sql<{ changes: object }>`
    select entry::jsonb #> '{object,changes}' as changes
    from (select entry from audit_waiting union all select entry from audit_entry) as one
    where entry::jsonb ->> 'action' = 'adminOrganisations.update'
      and entry::jsonb #> '{object,changes}' ? 'quotaGib'`.execute(db);
  expect(rows).toEqual([{ changes: { quotaGib: [null, 2] } }]);

  const exported = await exportDirectory(db);
  const text = writeDirectoryFile(exported);
  expect(text).toContain('quotaGib: 2');
  const read = readDirectoryFile(text);
  if ('mistakes' in read) throw new Error(read.mistakes.join());
  expect(await applyDirectory(portal.platform, read.directory)).toEqual({ changes: [] });
  expect(readDirectoryFile(text.replace('quotaGib: 2', 'quotaGib: 0.5'))).toMatchObject({
    mistakes: [expect.stringMatching(/quotaGib must be a whole number from 1 to 1000000$/)],
  });

  await sql`update organisation set stored_bytes = ${gibibyte} where guid = ${guid}`.execute(db);
  const listed = (await olga.get(path)).json as { items: readonly { customerCode: string }[] };
  expect(listed.items.find(({ customerCode }) => customerCode === 'CC-1001')).toMatchObject({
    quotaBytes: 2 * gibibyte,
    usedPercent: 50,
  });
  const anna = await portal.signIn('anna@demo.test');
  expect((await anna.get('/api/storage-settings')).json).toMatchObject({
    organisationBytes: 2 * gibibyte,
  });
  const organisationId = await findOrganisationByCode(db, 'CC-1001');
  if (organisationId === null) throw new Error('there is no CC-1001');
  const uses = [
    await readStorageUse(db, organisationId),
    await readUsage(db, organisationId),
    (await readEntryState(db, organisationId, 'kessv2')).usage,
    await db.transaction().execute((trx) => lockUsage(trx, organisationId)),
  ];
  for (const use of uses)
    expect(use).toMatchObject({ usedBytes: gibibyte, ownQuota: 2 * gibibyte });
  for (const [more, fits] of [
    [gibibyte, true],
    [gibibyte + 1, false],
  ] as const)
    expect(await fitsQuota(db, organisationId, more, 10 * gibibyte)).toBe(fits);
  const none = { organisations: [{ customerCode: 'CC-1001', quotaGib: null }] };
  expect(await applyDirectory(portal.platform, none)).toMatchObject({
    changes: [{ fields: ['quotaGib'] }],
  });
  expect(await fitsQuota(db, organisationId, gibibyte + 1, 10 * gibibyte)).toBe(true);
});

// promise d3.care.storage-scan
test('starts a scan of all files, and shows when it has ended and what is damaged', async () => {
  const { db, config, log } = portal.platform;
  const pace = { bytesPerSecond: 2 ** 40, days: 7 };
  const { storage } = await openStorage(config);
  const verify = () => verifyFiles({ db, storage, log }, pace);
  await verify();
  expect(await perform('result')).toMatchObject({
    state: 'ok',
    text: expect.stringMatching(/^The last scan ended on .*No file is known to be damaged\.$/),
  });
  expect(await perform('scan')).toMatchObject({
    text: expect.stringMatching(/^A worker starts the scan/),
  });

  const key = `originals/${newGuid()}`;
  await sql`
    insert into original (guid, protocol_id, hardware, software, name, size, sha256, storage_key)
    values (${newGuid()}, 1, 'HW', 'SW', 'lost.bin', 4, ${'0'.repeat(64)}, ${key})`.execute(db);
  await sql`insert into damaged_file (storage_key, damage) values (${key}, 'missing')`.execute(db);
  expect(await verify()).toBe(1);
  const found = await perform('result');
  expect(found.state).toBe('wrong');
  expect(found.text).toContain(`Damaged files: 1: ${key} (missing)`);
});
