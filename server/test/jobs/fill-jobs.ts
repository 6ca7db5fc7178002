/** Fills a database with jobs as decodes create them, for query plans and benchmarks. */
import { sql } from 'kysely';
import type { Db } from '../../src/postgres/tables/schema.ts';

/** Adds `count` jobs of the organisation, each with `filesPerJob` files; the numbers in them are below 10^7. */
export async function fillJobs(
  db: Db,
  organisation: string,
  count: number,
  { filesPerJob = 1 } = {},
): Promise<void> {
  const batch = 5000;
  // the trigger would describe each job a second time
  await sql`alter table stored_file disable trigger stored_file_described`.execute(db);
  for (let from = 0; from < count; from += batch) {
    const to = Math.min(count, from + batch) - 1;
    await sql`
      with job as (
        insert into slot (guid, organisation_guid, family, workflow, group_code, read_file_name, slave_serial_number,
          protocol_id, vin, created_on, facts)
        select gen_random_uuid(), ${organisation}, family, family, 'G-10', 'read' || n || '.bin', 'SL-' || n % 500,
          9000, 'WVWZZZ' || lpad((n * 7919 % 10000000)::text, 7, '0') || 'AB',
          timestamptz '2026-01-01' + n * interval '1 minute',
          jsonb_build_object('kind', 'decode', 'protocolName', 'EDC17', 'information', jsonb_build_object(
            'hardware', 'HW' || n % 1000, 'software', 'SW' || n * 31 % 10000000))
        from generate_series(${from}::bigint, ${to}::bigint) as n,
          lateral (select (array['kessv2', 'ktag', 'kess3'])[n % 3 + 1] as family) as of_family
        returning guid, read_file_name, created_on)
      insert into stored_file (guid, organisation_guid, slot_guid, role, name, size, sha256, storage_key, created_on, expires_on)
      select gen_random_uuid(), ${organisation}, guid, case f when 1 then 'read' else 'decoded' end, read_file_name, 1000,
        encode(sha256((read_file_name || ' ' || f)::bytea), 'hex'), guid::text || f, created_on, now() + interval '1 year'
      from job, generate_series(1, ${filesPerJob}::integer) as f`.execute(db);
  }
  await sql`alter table stored_file enable trigger stored_file_described`.execute(db);
  await sql`vacuum analyze slot`.execute(db);
  await sql`vacuum analyze stored_file`.execute(db);
}
