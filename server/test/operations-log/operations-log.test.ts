/** The operations log over HTTP: its content, for whom, for how long, and that it is strictly valid CSV. */
import { createHash } from 'node:crypto';
import type { Family } from '@recodery/contract/families/registry';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import {
  decode,
  encode,
  keepImage,
  sealImage,
  started,
  uploadRead,
} from '../journeys/families/kessv2-workflow.ts';
import { readCsv } from './read-csv.ts';

const vin = 'ZAR93900001234567';

let portal: RunningPortal;
let anna: Client;
let mia: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  [anna, mia] = [await portal.signIn('anna@demo.test'), await portal.signIn('mia@demo.test')];
});
afterAll(() => portal.stop());

/** A line of the log by its column names. */
type Line = Readonly<Record<string, string>>;

async function logOf(client: Client, family: Family = 'kessv2'): Promise<Line[]> {
  const answer = await client.get(`/api/operations-log/${family}`);
  expect([answer.status, answer.text.slice(0, 40)]).toEqual([200, answer.text.slice(0, 40)]);
  const [columns = [], ...records] = readCsv(new TextDecoder().decode(answer.bytes));
  return records.map((record) =>
    Object.fromEntries(columns.map((column, index) => [column, record[index] ?? ''])),
  );
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function read(image = new Uint8Array(2048)): Promise<Uint8Array> {
  return sealImage(await portal.getSlave('kessv2', 'KV2-000007'), 9000, image);
}

describe('the file', () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const nameOn = (family: Family, day: string) =>
    `attachment; filename=operations-log_${family}_${day}.csv`;
  // promise 7.around.log-kess3, 7.around.log-kessv2, 7.around.log-ktag, d8.log.csv
  test('is RFC 4180 CSV in UTF-8 with a byte order mark, named by family and day', async () => {
    for (const family of ['kess3', 'kessv2', 'ktag'] as const) {
      const before = today();
      const answer = await anna.get(`/api/operations-log/${family}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      // the day can change during the request
      expect([before, today()].map((day) => nameOn(family, day))).toContain(
        answer.headers.get('content-disposition'),
      );
      expect([...answer.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      const [columns] = readCsv(answer.text.replace('\ufeff', ''));
      expect(columns?.[0]).toBe('Started (UTC)');
      const head = await anna.call('HEAD', `/api/operations-log/${family}`);
      expect([head.status, head.text]).toEqual([200, '']);
    }
  });

  test('requires access to the portal', async () => {
    const nora = await portal.signIn('nora@demo.test');
    const answer = await nora.get('/api/operations-log/kessv2');
    expect([answer.status, answer.text]).toEqual([403, 'USER_NO_RIGHTS']);
  });
});

describe('a line', () => {
  // promise d8.log.row
  test('contains user, operation, time, slave, files and result', async () => {
    const image = new Uint8Array(2048).fill(3);
    const sealed = await read(image);
    const { kessv2SlotGUID: slot, decodedFileName } = await decode(anna, sealed, 'Rossi.k2r');
    const changed = new Uint8Array(2048).fill(4);
    const { fileGUID } = await keepImage(anna, 'modified', slot, changed);
    const result = await encode(anna, {
      kessv2FileSlotGUID: slot,
      modifiedFileGUID: fileGUID,
    });
    const [encoding, decoding] = await logOf(anna);
    const same = {
      User: 'Anna',
      Email: 'anna@demo.test',
      'Customer code': 'CC-1001',
      'Group code': 'G-10',
      Slave: 'KV2-000007',
      'Protocol ID': '9000',
      Protocol: 'REF-OPEN',
      Mode: 'obd',
      'Read file': 'Rossi.k2r',
      Outcome: 'succeeded',
      Error: '',
    };
    expect(decoding).toMatchObject({
      ...same,
      User: expect.stringMatching(/^Anna/),
      Operation: 'KESSv2Decode',
      'Files in': 'Rossi.k2r',
      'SHA-256 in': sha256(sealed),
      'Files out': decodedFileName,
      'SHA-256 out': sha256(image),
    });
    expect(encoding).toMatchObject({
      ...same,
      User: expect.stringMatching(/^Anna/),
      Operation: 'KESSv2Encode',
      'Files in': 'file.bin',
      'SHA-256 in': sha256(changed),
      'Files out': result.name,
      'SHA-256 out': result.sha256,
    });
    const times = [decoding, encoding].flatMap((line) => [
      line?.['Started (UTC)'] ?? '',
      line?.['Completed (UTC)'] ?? '',
    ]);
    expect(times).toEqual(times.toSorted());
    for (const time of times) expect(new Date(time).toISOString()).toBe(time);
  });

  test('has the error name if the operation failed', async () => {
    const sealed = await read();
    const answer = await uploadRead(anna, sealed.slice(0, -10), 'cut.k2r');
    const { error } = await anna.follow(started(answer));
    const [line] = await logOf(anna);
    expect(line).toMatchObject({
      'Read file': 'cut.k2r',
      Outcome: 'failed',
      Error: error?.errorName,
      'SHA-256 in': sha256(sealed.slice(0, -10)),
      'Files out': '',
    });
    expect(line?.['Error code']).not.toBe('');
  });

  // promise d9.link.no-vin
  test('contains no VIN, even if its file is named after it', async () => {
    await decode(anna, await read(), `${vin.toLowerCase()} and again ${vin}.k2r`);
    const answer = await anna.get('/api/operations-log/kessv2');
    expect(answer.text.toUpperCase()).not.toContain(vin);
    expect((await logOf(anna))[0]?.['Read file']).toBe('… and again ….k2r');
  });

  // promise d8.log.formulas
  test('is not a formula in any spreadsheet', async () => {
    await decode(anna, await read(), `=HYPERLINK("http:––x", 'a');=1+1, two`);
    const { db } = portal.platform;
    const hostile = '@SUM(1)\r\n=2+2,"x"';
    const { display_name } = await db
      .selectFrom('account')
      .select('display_name')
      .where('email', '=', 'anna@demo.test')
      .executeTakeFirstOrThrow();
    const rename = (name: string) =>
      db
        .updateTable('account')
        .set({ display_name: name })
        .where('email', '=', 'anna@demo.test')
        .execute();
    await rename(hostile);
    const lines = await logOf(anna).finally(() => rename(display_name));
    expect(lines[0]?.User).toBe(`'@SUM(1) =2+2,"x"`);
    expect(lines[0]?.['Read file']).toMatch(/^'=HYPERLINK\(.*;'=1\+1, two$/);
    const cells = lines.flatMap((line) => Object.values(line));
    expect(cells.filter((cell) => /^\s*[=+\-@]/.test(cell))).toEqual([]);
    expect(cells.filter((cell) => /;\s*[=+\-@]/.test(cell))).toEqual([]);
  });
});

describe('the lines', () => {
  // promise d8.log.own
  test("are those of the caller's organisation and of this family only", async () => {
    await decode(anna, await read(), 'of anna.k2r');
    const others = await portal.getSlave('kessv2', 'KV2-003003');
    await decode(mia, sealImage(others, 9000, new Uint8Array(1024)), 'of mia.k2r');
    const names = (lines: readonly Line[]) => lines.map((line) => line['Read file']);
    expect(names(await logOf(mia))).toEqual(['of mia.k2r']);
    expect(names(await logOf(anna))).toContain('of anna.k2r');
    expect(names(await logOf(anna))).not.toContain('of mia.k2r');
    expect(await logOf(anna, 'kess3')).toEqual([]);
    // luca's workshop owns the slave, but operations on its reads belong to the organisation that ran them
    const luca = await portal.signIn('luca@demo.test');
    expect(await logOf(luca)).toEqual([]);
  });

  // promise 2.log.thirty-days, 9.figures.log-days, d8.log.keeps
  test('are those of the last 30 days, even if slot and files are deleted', async () => {
    const { db } = portal.platform;
    const { kessv2SlotGUID: slot } = await decode(mia, await readOfMia(), 'old.k2r');
    const move = (age: string) =>
      db
        .updateTable('operation')
        .set({ created_on: sql<Date>`now() - ${age}::interval` })
        .where('slot_guid', '=', slot)
        .execute();
    const find = async () => (await logOf(mia)).find((line) => line['Read file'] === 'old.k2r');
    await move('29 days 23:59');
    const before = await find();
    expect(before).toBeDefined();
    await sql`update slot set deleted_on = now() where guid = ${slot}`.execute(db);
    await sql`update stored_file set deleted_on = now() where slot_guid = ${slot}`.execute(db);
    expect(await find()).toEqual({ ...before, 'Started (UTC)': expect.any(String) });
    await move('30 days');
    expect(await find()).toBeUndefined();
  });

  test('appear once each, newest first, however many there are and however many started at the same time', async () => {
    const { db } = portal.platform;
    const slot = newGuid();
    const source = await db
      .selectFrom('slot')
      .select('organisation_guid')
      .where('read_file_name', '=', 'of mia.k2r')
      .executeTakeFirstOrThrow();
    const { organisation_guid } = source;
    await db
      .insertInto('slot')
      .values({
        guid: slot,
        organisation_guid,
        family: 'ktag',
        workflow: 'ktag',
        group_code: 'G-1',
        read_file_name: 'many.ktg',
      })
      .execute();
    // seven at each microsecond: pages end in the middle of them
    await sql`
      insert into operation (guid, organisation_guid, family, workflow, type, slot_guid, request, created_on)
      select gen_random_uuid(), ${organisation_guid}, 'ktag', 'ktag', 'KTAGDecode', ${slot},
        ${JSON.stringify({ kind: 'decode', readFileGuid: newGuid() })}::jsonb,
        now() - make_interval(secs => 0.000001 * (number / 7))
      from generate_series(1, 1303) number`.execute(db);
    const lines = await logOf(mia, 'ktag');
    expect(lines).toHaveLength(1303);
    expect(new Set(lines.map((line) => line['Operation GUID'])).size).toBe(1303);
    const times = lines.map((line) => line['Started (UTC)'] ?? '');
    expect(times).toEqual(times.toSorted().toReversed());
    expect(lines[0]).toMatchObject({ Outcome: 'waiting', 'Files in': '', Slave: '' });
  });
});

async function readOfMia(): Promise<Uint8Array> {
  return sealImage(await portal.getSlave('kessv2', 'KV2-003003'), 9000, new Uint8Array(1024));
}
