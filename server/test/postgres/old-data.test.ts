/** Data that earlier versions stored, after all migrations: nothing is lost, and it is read like new data. */
import { readdirSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../fixtures/silent-log.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { readDefaultRetention } from '../../src/postgres/installation.ts';
import { migrate, migrationsDir } from '../../src/postgres/migrate.ts';
import { describeOldSlots } from '../../src/slots/job-marks.ts';
import { createEmptyDatabase } from '../fixtures/database/test-database.ts';

const organisation = '01900000-0000-7000-8000-000000000001';
let client: pg.Client;
let drop: () => Promise<void>;
let url: string;

/** A read as versions before 0009 stored it. */
const read = (information: object, parts: object = {}) =>
  JSON.stringify({ kind: 'decode', name: 'x', utility: false, information, ...parts });

async function insertSlot(number: number, family: string, isUtility: boolean, facts: string) {
  const guid = `01900000-0000-7000-8000-00000000010${number}`;
  await client.query(
    `insert into slot (guid, organisation_guid, family, is_utility, group_code, read_file_name, facts)
    values ($1, $2, $3, $4, 'G-10', 'read', $5)`,
    [guid, organisation, family, isUtility, facts],
  );
  await client.query(
    `insert into operation (guid, organisation_guid, family, type, slot_guid, request, result)
    values ($1, $2, $3, 'Decode', $1, $4, $5)`,
    [guid, organisation, family, JSON.stringify({ kind: 'decode', utility: isUtility }), facts],
  );
}

/** Files of three slaves as versions before 0028 stored them: with the numbers 11 and 12, with 7, and without a number. */
async function insertEncodedFiles(): Promise<void> {
  await client.query(`
    with code as (
      insert into group_code (guid, organisation_guid, code) values (gen_random_uuid(), '${organisation}', 'G-10')
      returning guid),
    master as (
      insert into master_device (guid, organisation_guid, group_code_guid, family, serial_number)
      select gen_random_uuid(), '${organisation}', guid, 'kessv2', 'M1' from code
      returning guid)
    insert into slave_device (guid, master_device_guid, family, serial_number)
    select gen_random_uuid(), guid, 'kessv2', 'S' || n from master, generate_series(1, 3) as n`);
  await client.query(`
    with file as (
      select * from (values ('S1', 12), ('S1', 11), ('S2', 7), ('S3', null)) as file (serial, number)),
    job as (
      insert into slot (guid, organisation_guid, family, workflow, group_code, read_file_name, slave_device_guid)
      select gen_random_uuid(), '${organisation}', 'kessv2', 'kessv2', 'G-10', 'encoded.tfc', guid from slave_device
      returning guid, slave_device_guid)
    insert into stored_file (guid, organisation_guid, slot_guid, role, name, size, sha256, storage_key, number, expires_on)
    select gen_random_uuid(), '${organisation}', job.guid, 'encoded', 'x', 1, 'x', gen_random_uuid(), number, now()
    from file
      join slave_device on slave_device.serial_number = file.serial
      join job on job.slave_device_guid = slave_device.guid`);
}

beforeAll(async () => {
  ({ url, drop } = await createEmptyDatabase());
  const before = readdirSync(migrationsDir).filter((name) => name < '0009');
  await migrate(url, migrationsDir, new Set(before));
  client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into organisation (guid, customer_code, name, may_kessv2, may_kess3) values ($1, 'CC-1', 'A', true, true)`,
    [organisation],
  );
  await client.query(
    `insert into organisation_preferences (organisation_guid, encoded_ktag_file_name_format) values ($1, '%r x')`,
    [organisation],
  );
  await insertSlot(
    1,
    'kessv2',
    false,
    read({ protocolID: '1', serialNumber: 'S', imp: 'I', vin: 'V1' }),
  );
  await insertSlot(
    2,
    'ktag',
    false,
    read({ PRT: '2 X', SN: 'S', 'SW upd': 'U', Impianto: 'I', VIN: null }),
  );
  await insertSlot(
    3,
    'kess3',
    true,
    read({
      Mode: 'OBD',
      Cks: 'KO',
      Recognized: 'OK',
      'HW Ver.': 'H',
      VIN: 'V3',
      'Group Code': 'G-10',
    }),
  );
  const encoded = readdirSync(migrationsDir).filter((name) => name < '0028');
  await migrate(url, migrationsDir, new Set(encoded));
  await insertEncodedFiles();
  await migrate(url);
});
afterAll(async () => {
  await client.end();
  await drop();
});

/** Days that a database with these migrations keeps jobs by default, after all migrations. */
const readDefault = async (database: string): Promise<number> => {
  const opened = openDatabase(database, silentLog, { size: 1, keepsPlans: true });
  return readDefaultRetention(opened.db).finally(() => opened.end());
};

test('an installation keeps its retention of 30 days, and a new one keeps jobs for a year', async () => {
  expect(await readDefault(url)).toBe(30);
  const fresh = await createEmptyDatabase();
  await migrate(fresh.url);
  expect(await readDefault(fresh.url)).toBe(365);
  await fresh.drop();
});

test('a slave has the number of the newest file that was encoded for it', async () => {
  const { rows } = await client.query(
    'select serial_number as serial, last_encoded_number as number from slave_device order by 1',
  );
  expect(rows).toEqual([
    { serial: 'S1', number: 12 },
    { serial: 'S2', number: 7 },
    { serial: 'S3', number: 0 },
  ]);
});

test('the families and name formats of an organisation are kept', async () => {
  const { rows } = await client.query(
    'select families, name_formats from organisation join organisation_preferences on organisation_guid = guid',
  );
  expect(rows).toEqual([{ families: ['kessv2', 'kess3'], name_formats: { ktag: '%r x' } }]);
});

test('reads and their operations have a workflow, the VIN, and canonical facts', async () => {
  const { rows } = await client.query(
    `select slot.workflow, slot.vin, facts, operation.workflow as "of operation", request, result
    from slot join operation using (guid) order by guid`,
  );
  const nothing = {
    family: null,
    serialNumber: null,
    hardware: null,
    hardwareVersion: null,
    software: null,
    softwareVersion: null,
    softwareUpgrade: null,
    softwareDate: null,
    spare: null,
    system: null,
    engine: null,
    vin: null,
  };
  const facts = (information: object, parts: object = {}) => ({
    kind: 'decode',
    name: 'x',
    information: { ...nothing, ...information },
    isChecksumRight: null,
    isRecognised: null,
    customerCode: null,
    groupCode: null,
    ...parts,
  });
  const row = (workflow: string, vin: string | null, expected: object) => ({
    workflow,
    'of operation': workflow,
    vin,
    facts: expected,
    result: expected,
    request: { kind: 'decode' },
  });
  expect(rows).toEqual([
    row('kessv2', 'V1', facts({ serialNumber: 'S', system: 'I', vin: 'V1' })),
    row('ktag', null, facts({ serialNumber: 'S', softwareUpgrade: 'U', system: 'I' })),
    row(
      'kess3-utility',
      'V3',
      facts(
        { hardwareVersion: 'H', vin: 'V3' },
        { isChecksumRight: false, isRecognised: true, groupCode: 'G-10' },
      ),
    ),
  ]);
});

// promise j1.jobs.migrated
test('slots become jobs, which the sweep makes searchable, the newest first', async () => {
  const find = () =>
    client.query(`select vin from slot where search @@ search_query($1, 'read')`, [organisation]);
  expect((await find()).rows).toEqual([]);
  await client.query(`update slot set created_on = now() - interval '1 day' where vin is null`);
  await client.query(`update slot set created_on = now() - interval '1 hour' where vin = 'V1'`);
  const { db, end } = openDatabase(url, silentLog);
  expect(await describeOldSlots(db, 2)).toBe(2);
  expect((await find()).rows.map((row: { vin: string }) => row.vin).toSorted()).toEqual([
    'V1',
    'V3',
  ]);
  expect(await describeOldSlots(db, 2)).toBe(1);
  expect(await describeOldSlots(db, 2)).toBe(0);
  await end();
  const { rows } = await client.query(
    `select vin from slot where search @@ search_query($1, 'v3') and deleted_on is null
      and organisation_guid = $1`,
    [organisation],
  );
  expect(rows).toEqual([{ vin: 'V3' }]);
  const all = await client.query(`select guid from slot where search @@ search_query($1, 'read')`, [
    organisation,
  ]);
  expect(all.rows).toHaveLength(3);
});

test('the rows of an account are found by an index when it is removed', async () => {
  const { rows } = await client.query(`
    select conrelid::regclass::text || '.' || attname as column
    from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'f' and confrelid = 'account'::regclass and confdeltype = 'n'
      and not exists (select from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`);
  expect(rows).toEqual([]);
});
