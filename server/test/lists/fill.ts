/**
 * Fills the tables of every list with rows of one organisation, and hides the few that each list shows among them: the
 * responses are the same size, however many rows there are.
 */
import { addClient } from '@recodery/server/clients/clients';
import { demoDirectory } from '@recodery/server/demo/demo-directory';
import { applyDirectory } from '@recodery/server/organisations/directory/directory';
import { findOrganisationByCode } from '@recodery/server/organisations/organisations';
import type { Platform } from '@recodery/server/platform';
import { addEndpoint } from '@recodery/server/webhooks/endpoints';
import { type RawBuilder, sql } from 'kysely';

/** Rows of a kind that only some lists show, regardless of the number of rows: one in `count / shown`. */
export const shown = 50;

/** What was filled in. */
export interface Filled {
  readonly count: number;
  readonly organisation: string;
  readonly otherOrganisation: string;
  readonly accountGuid: string;
  readonly client: { readonly clientGuid: string; readonly secretKey: string };
  /** The endpoint with few of the attempts. */
  readonly endpointGuid: string;
  /** The slot and the operation in the middle of the list, where a second page begins. */
  readonly middle: { readonly slot: string; readonly operation: string };
}

async function findAccount({ db }: Platform, email: string): Promise<string> {
  const accounts = db.selectFrom('account').select('guid').where('email', '=', email);
  return (await accounts.executeTakeFirstOrThrow()).guid;
}

function numbered(kind: number): RawBuilder<unknown> {
  return sql.raw(`('00000000-000${kind}-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`);
}

/**
 * Fills a database with this many slots of CC-1001, each with a file, an operation and a notification, and with as many
 * access tokens.
 */
export async function fillLists(platform: Platform, count: number): Promise<Filled> {
  const { db } = platform;
  await applyDirectory(platform, demoDirectory);
  const organisationId = await findOrganisationByCode(db, 'CC-1001');
  const other = await findOrganisationByCode(db, 'CC-3003');
  if (organisationId === null || other === null) throw new Error('there is no demo');
  const addProgram = (name: string) =>
    addClient(platform, { organisationId, name, allowedNetworks: [], expiresOn: null });
  const client = await addProgram('Lists');
  const add = () => addEndpoint(platform, organisationId, 'https://hooks.example.org/');
  const [busy, quiet] = [await add(), await add()];
  const rows: Rows = {
    count,
    organisation: organisationId,
    other,
    anna: await findAccount(platform, 'anna@demo.test'),
    colleague: await findAccount(platform, 'mia@demo.test'),
    client: client.clientApplicationGUID,
    // a client gets no token beyond its limits
    tokens: (await addProgram('Tokens')).clientApplicationGUID,
    busy: busy.guid,
    quiet: quiet.guid,
  };
  await db.connection().execute(async (connection) => {
    // generated rows are consistent: their foreign keys need no check, and triggers would take a minute
    await sql`set session_replication_role = replica`.execute(connection);
    for (const statement of statementsOf(rows)) await statement.execute(connection);
    await sql`reset session_replication_role`.execute(connection);
  });
  await sql`vacuum analyze`.execute(db);
  return {
    count,
    organisation: organisationId,
    otherOrganisation: other,
    accountGuid: rows.anna,
    client: { clientGuid: rows.client, secretKey: client.secretKey },
    endpointGuid: rows.quiet,
    middle: await findMiddle(platform, count),
  };
}

async function findMiddle({ db }: Platform, count: number): Promise<Filled['middle']> {
  const { rows } = await sql<Filled['middle']>`
    select ${numbered(1)} as slot, ${numbered(3)} as operation
    from (select ${Math.floor(count / 2)}::integer as n) of_row`.execute(db);
  const [middle] = rows;
  if (middle === undefined) throw new Error('nothing was filled in');
  return middle;
}

interface Rows {
  readonly count: number;
  readonly organisation: string;
  readonly other: string;
  readonly anna: string;
  readonly colleague: string;
  readonly client: string;
  /** The client of nearly all tokens. */
  readonly tokens: string;
  readonly busy: string;
  readonly quiet: string;
}

function statementsOf(rows: Rows): readonly RawBuilder<unknown>[] {
  const { count, organisation, other, anna, colleague, client, tokens, busy, quiet } = rows;
  // from now to 29 days ago
  const series = sql`generate_series(1, ${count}::integer) n,
    lateral (select now() - make_interval(secs => 120 + 29 * 86400.0 * n / ${count}::integer) as time,
      n % ${Math.floor(count / shown)}::integer as turn) of_row`;
  return [
    sql`
      insert into slot (guid, organisation_guid, family, workflow, user_code, opened_by_client_guid, group_code,
        read_file_name, slave_serial_number, protocol_id, mode, created_on, deleted_on)
      select ${numbered(1)}, ${organisation}, case turn when 0 then 'ktag' else 'kess3' end,
        case turn when 0 then 'ktag' else 'kess3' end, case turn when 1 then 'RARE' else 'CC-1' end,
        case when turn = 2 then ${client}::uuid end, 'G-10', 'read ' || n || '.k3r', 'KS3-000042', 1001, 'obd', time,
        case when turn between 3 and 5 then now() end
      from ${series}`,
    sql`
      insert into stored_file (guid, organisation_guid, slot_guid, role, component, name, size, sha256, storage_key, expires_on,
        deleted_on, swept_on)
      select ${numbered(2)}, ${organisation}, ${numbered(1)}, 'modified', 'obd', 'stage 1.bin', 4096,
        encode(sha256(n::text::bytea), 'hex'), 'none/' || n, now(), now(), now()
      from ${series}`,
    sql`
      insert into operation (guid, organisation_guid, account_guid, family, workflow, type, slot_guid, request, status,
        created_on, completed_on)
      select ${numbered(3)}, ${organisation}, case turn when 1 then ${anna}::uuid else ${colleague}::uuid end,
        case turn when 0 then 'ktag' else 'kess3' end, case turn when 0 then 'ktag' else 'kess3' end,
        case turn when 0 then 'KTAGEncode' else 'KESS3Encode' end, ${numbered(1)},
        jsonb_build_object('kind', 'encode', 'originalFileGuid', null, 'modified', jsonb_build_array(
          jsonb_build_object('component', 'obd', 'fileGuid', ${numbered(2)}))),
        'failed', time, time
      from ${series}`,
    // nearly all were shared by anna with her own organisation, and are not listed as received
    sql`
      insert into notification (guid, sender_organisation_guid, sender_account_guid, sender_name,
        receiver_organisation_guid, receiver_name, operation_type, family, workflow, slot_guid, completed_on,
        is_successful, file_name, slave_serial_number, target, target_file_guid, target_file_name, is_private)
      select ${numbered(4)}, case turn when 2 then ${other}::uuid else ${organisation}::uuid end,
        case when turn = 1 then ${colleague}::uuid when turn <> 2 then ${anna}::uuid end, 'A workshop',
        ${organisation}, 'Another workshop', 'KESS3Encode', 'kess3', 'kess3', ${numbered(1)}, time, true,
        'file ' || n || '.moc', 'KS3-000042', 'file', ${numbered(2)}, 'file ' || n || '.moc', false
      from ${series}`,
    sql`
      insert into mail (guid, organisation_guid, email, culture, status, share_key_id, token_hash, expires_on)
      select ${numbered(4)}, ${organisation}, 'garage@rossi.test', 'it-IT', 'sent', 1, sha256(n::text::bytea), now()
      from ${series} where n % 10 = 0`,
    sql`
      insert into webhook_message (guid, webhook_id, organisation_guid, endpoint_guid, operation_guid, type, status)
      select ${numbered(5)}, ${numbered(5)}, ${organisation},
        case turn when 0 then ${quiet}::uuid else ${busy}::uuid end, ${numbered(3)}, 'operation.completed', 'delivered'
      from ${series}`,
    sql`
      insert into webhook_attempt (guid, message_guid, receiver_guid, status, duration_ms, attempted_on)
      select ${numbered(6)}, ${numbered(5)}, case turn when 0 then ${quiet}::uuid else ${busy}::uuid end, 204, 5, time
      from ${series}`,
    sql`
      insert into access_token (token_hash, client_guid, expires_on)
      select sha256(n::text::bytea), ${tokens}, now() + interval '1 day'
      from ${series}`,
    sql`
      insert into audit_entry (position, entry, recorded_on, hash)
      select n, json_build_object('actor', json_build_object('kind', 'user', 'name',
          case turn when 0 then 'rare@demo.test' else 'anna@demo.test' end),
        'organisation', case turn when 1 then ${other} else ${organisation} end, 'action', 'sign-in', 'outcome', 'done',
        'on', now()), now() - make_interval(secs => 86400.0 * (${count} - n)), sha256(n::text::bytea)
      from ${series}`,
  ];
}
