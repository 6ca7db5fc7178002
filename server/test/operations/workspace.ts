/** Organisations, accounts and slots for tests that need only rows. */
import type { Kysely } from 'kysely';
import type { NewOperation } from '../../src/operations/operations.ts';
import { type Doer, mintOrganisationId } from '../../src/organisations/caller.ts';
import { newGuid } from '../../src/config/guids.ts';
import type { Database } from '../../src/postgres/tables/schema.ts';

/** An organisation with one account and one slot. */
export interface Workspace extends Doer {
  readonly slotGuid: string;
  /** A KESSv2 decode of the slot, ready to insert. */
  operation(parts?: Partial<NewOperation>): NewOperation;
}

export async function createWorkspace(db: Kysely<Database>): Promise<Workspace> {
  const [organisation, accountGuid, slotGuid] = [newGuid(), newGuid(), newGuid()];
  await db
    .insertInto('organisation')
    .values({ guid: organisation, customer_code: `CC-${organisation}`, name: 'A workshop' })
    .execute();
  await db
    .insertInto('account')
    .values({ guid: accountGuid, email: `${accountGuid}@test`, display_name: 'Somebody' })
    .execute();
  await db
    .insertInto('slot')
    .values({
      guid: slotGuid,
      organisation_guid: organisation,
      account_guid: accountGuid,
      family: 'kessv2',
      workflow: 'kessv2',
      group_code: 'G-10',
      read_file_name: 'read.k2r',
    })
    .execute();
  const organisationId = mintOrganisationId(organisation);
  return {
    organisationId,
    accountGuid,
    clientGuid: null,
    slotGuid,
    operation: (parts = {}) => ({
      guid: newGuid(),
      organisationId,
      accountGuid,
      clientGuid: null,
      family: 'kessv2',
      workflow: 'kessv2',
      type: 'KESSv2Decode',
      slotGuid,
      userFlow: 'D',
      contextData: null,
      request: { kind: 'decode' },
      stage: 'DECODING',
      reservedBytes: 0,
      connectionGuid: null,
      ...parts,
    }),
  };
}

/** Adds another account to the same organisation. */
export async function addColleague(db: Kysely<Database>, workspace: Workspace): Promise<Doer> {
  const accountGuid = newGuid();
  await db
    .insertInto('account')
    .values({ guid: accountGuid, email: `${accountGuid}@test`, display_name: 'A colleague' })
    .execute();
  return { organisationId: workspace.organisationId, accountGuid, clientGuid: null };
}
