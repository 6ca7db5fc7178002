/** The list of jobs: found by words, in pages, with filters. */
import { type JobFilters, type JobSummary } from '@recodery/contract/features/jobs/jobs';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { startJobs } from './job-workshop.ts';

const { portal, anna, stranger, decodeWith, ask, find } = await startJobs();

describe('the list of jobs', () => {
  // promise j1.jobs.search
  test('finds a job by parts of all that is known about it, and nothing else', async () => {
    const information = {
      vin: 'WVWZZZ1KZAW000123',
      hardware: '0281012345',
      software: '03L906018AB',
    };
    const { kessv2SlotGUID } = await decodeWith(information, 'Golf_Meier.bin');
    await decodeWith({ vin: 'ZAR93900001234567', hardware: 'HW-1' }, 'giulia.bin');
    await anna.put(`/api/jobs/${kessv2SlotGUID}/note`, { note: 'Stage 1, ohne DPF' });
    for (const word of [
      'WVWZZZ1KZAW000123',
      'zaw000123',
      '0281012345',
      '281012345',
      '906018ab',
      'meier',
      'golf_meier.bin',
      'eier.BIN golf',
      'golf_meier.b',
      'golf_meier.bi',
      'r.bin meier',
      'KV2-000007 meier 1',
      'dpf stage',
      'KV2-000007 meier',
      'ref-open golf',
      '0281012345 000123',
    ])
      expect([word, await find(`search=${encodeURIComponent(word)}`)]).toEqual([
        word,
        ['Golf_Meier.bin'],
      ]);
    for (const word of ['meierx', 'mei.bin', '!!!', "'", '\\', 'a:*', 'golf giulia'])
      expect([word, await find(`search=${encodeURIComponent(word)}`)]).toEqual([word, []]);
    expect((await anna.get('/api/jobs?search=%00')).status).toBe(400);
  });

  // promise j1.jobs.accents
  test('ignores accents, case and variants of letters, in the search and in what is found', async () => {
    const names = ['Müller Łódź.bin', 'strasse søren.bin', 'Ёлка Ægir.bin'] as const;
    for (const name of names) await decodeWith({ vin: 'VIN0000000000009' }, name);
    // as macOS stores names: letter and accent separately
    await decodeWith({ vin: 'VIN0000000000009' }, 'Élan.bin'.normalize('NFD'));
    for (const [word, name] of [
      ['muller', names[0]],
      ['MÜLLER', names[0]],
      ['müll', names[0]],
      ['u\u0308ller', names[0]],
      ['lodz', names[0]],
      ['łódź.bin', names[0]],
      ['lodz.bin', names[0]],
      ['straße', names[1]],
      ['STRASSE', names[1]],
      ['soren', names[1]],
      ['SØREN', names[1]],
      ['ｓｏｒｅｎ', names[1]],
      ['елка', names[2]],
      ['ЁЛКА', names[2]],
      ['aegir', names[2]],
      ['æGIR', names[2]],
    ] as const)
      expect([word, await find(`search=${encodeURIComponent(word)}`)]).toEqual([word, [name]]);
    expect(await find(`search=${encodeURIComponent('élan')}`)).toHaveLength(1);
    expect(await find('search=elan')).toHaveLength(1);
  });

  test('writes a job again only for a file whose name has new words, by which the job is then found', async () => {
    const { kessv2SlotGUID: slot } = await decodeWith({ vin: 'VIN0000000000003' }, 'passat.bin');
    const { db } = portal.platform;
    const versionOf = async (): Promise<string> => {
      const { rows } = await sql<{ version: string }>`
        select ctid::text as version from slot where guid = ${slot}`.execute(db);
      return rows[0]?.version ?? '';
    };
    const addFile = (name: string) =>
      sql`
      insert into stored_file (guid, organisation_guid, slot_guid, role, name, size, sha256, storage_key, expires_on)
      select gen_random_uuid(), organisation_guid, guid, 'modified', ${name}, 1, repeat('0', 64), gen_random_uuid()::text, now()
      from slot where guid = ${slot}`.execute(db);
    const version = await versionOf();
    await addFile('Passat.BIN');
    expect(await versionOf()).toBe(version);
    expect(await find('search=passat')).toEqual(['passat.bin']);
    await addFile('Stufe zwei.bin');
    expect(await versionOf()).not.toBe(version);
    for (const words of ['stufe', 'ufe passat', 'zwei VIN0000000000003'])
      expect([words, await find(`search=${encodeURIComponent(words)}`)]).toEqual([
        words,
        ['passat.bin'],
      ]);
    // of an earlier version, or of other rules
    await sql`alter table slot disable trigger slot_described`.execute(db);
    await sql`update slot set search = 'stufe' where guid = ${slot}`.execute(db);
    await sql`alter table slot enable trigger slot_described`.execute(db);
    expect(await find('search=passat')).toEqual([]);
    await addFile('drei.bin');
    expect(await find('search=drei%20passat')).toEqual(['passat.bin']);
  });

  // promise j1.jobs.list
  test('is newest first, in pages, with filters, and of one organisation', async () => {
    const names = ['one.bin', 'two.bin', 'three.bin'];
    for (const name of names) await decodeWith({ vin: 'VF1AAAAA123456789' }, name);
    const [newest] = await ask<JobSummary[]>(anna, '/api/jobs?count=1');
    expect(newest).toMatchObject({
      fileName: 'three.bin',
      vin: 'VF1AAAAA123456789',
      slaveSerialNumber: 'KV2-000007',
      protocolName: 'REF-OPEN',
      isKept: false,
      note: null,
      encodedFiles: 0,
    });
    expect(await find(`count=2&before=${newest?.slotGUID}`)).toEqual(['two.bin', 'one.bin']);
    const { devices, people } = await ask<JobFilters>(anna, '/api/job-filters');
    expect(devices).toEqual(['KV2-000007']);
    expect(people.map(({ displayName }) => displayName)).toEqual([expect.stringMatching(/^Anna /)]);
    const all = await find('');
    expect(await find(`person=${people[0]?.guid}&device=KV2-000007&family=kessv2`)).toEqual(all);
    expect(await ask(anna, '/api/jobs-count')).toEqual({ jobs: all.length, hasMore: false });
    expect(await ask(anna, '/api/jobs-count?search=two.bin')).toEqual({ jobs: 1, hasMore: false });
    expect(await ask(stranger, '/api/jobs-count')).toEqual({ jobs: 0, hasMore: false });
    expect(await find('family=ktag')).toEqual([]);
    expect(await find('device=KV2')).toEqual([]);
    expect(await find('to=2026-01-01T00:00:00.000Z')).toEqual([]);
    expect(await find('from=2026-01-01T00:00:00.000Z')).toEqual(all);
    for (const time of ['0000-01-01T00:00:00Z', `2026-01-01T00:00:00.${'1'.repeat(35)}Z`])
      expect([time, (await anna.get(`/api/jobs?from=${time}`)).status]).toEqual([time, 400]);
    expect(await find('', stranger)).toEqual([]);
    expect((await stranger.get(`/api/jobs/${newest?.slotGUID}`)).status).toBe(404);
    expect(await ask<JobFilters>(stranger, '/api/job-filters')).toEqual({
      devices: [],
      people: [],
    });
  });
});
