/** Two organisations with their data, and callers with and without access to it. */
import { accessTokenHeader, sessionHeader } from '@recodery/contract/headers';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { revokeClient } from '../../src/clients/clients.ts';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { verifySessionId } from '../../src/sign-in/session-id.ts';
import type { Client } from '../fixtures/client.ts';
import { byContainerFamily, demoSlaves, masterAt, slaveAt } from '../fixtures/demo-devices.ts';
import { startFakeService } from '../fixtures/makes/fake-service.ts';
import { addMake } from '../fixtures/makes/make-portal.ts';
import { masterSerial, type ServiceFamily } from '../../src/demo/doubles/make.ts';
import { allMakes } from '../../src/demo/doubles/makes.ts';
import {
  type AddedClient,
  type RunningPortal,
  startTestPortal,
} from '../fixtures/running-portal.ts';
import { createOwnedItems, type OwnedItems } from './owned-items.ts';
import { watchServer } from './watch-server.ts';

/** The headers that prove who a caller is. */
export type Credentials = Readonly<Record<string, string>>;

export interface TwoOrganisations {
  readonly portal: RunningPortal;
  readonly app: FastifyInstance;
  readonly served: ReadonlySet<string>;
  /** The organisation whose data is requested, and its user who has created it. */
  readonly owner: OwnedItems;
  readonly anna: Client;
  /** Another organisation, and its user. */
  readonly stranger: OwnedItems;
  readonly mia: Client;
  /** A user of the organisation that owns the slave, and receives files. */
  readonly luca: Client;
  /** A manager, as anna is. */
  readonly colleague: Client;
  /** A user of the owner's organisation who is no manager. */
  readonly plainUser: Client;
  /** The operator. */
  readonly olga: Client;
  /** A user of the owner's organisation without access to the portal. */
  readonly withoutAccess: Client;
  /** Anna under the stranger's customer code. */
  readonly otherCode: Client;
  /** Another client application of the owner's organisation. */
  readonly otherProgram: AddedClient;
  /** A client application of the owner's organisation that may call from a network which is not ours. */
  readonly outside: AddedClient;
  /** Sessions and tokens that are no longer valid, by what happened to them. */
  readonly deadSessions: Readonly<Record<string, Credentials>>;
  readonly deadTokens: Readonly<Record<string, Credentials>>;
  /** A session whose user must confirm their identity. */
  readonly toSignInAgain: Credentials;
}

const colleague = 'carla@demo.test';
const withoutAccess = 'paul@demo.test';
const former = 'fred@demo.test';

/** Users besides those of the demo, all of them of Officina Demo. */
const people = {
  users: [
    {
      email: 'anna@demo.test',
      name: 'Anna Conti',
      customerCodes: ['CC-1001', 'CC-3003'],
      manager: true,
    },
    { email: colleague, name: 'Carla', customerCodes: ['CC-1001'], manager: true },
    { email: withoutAccess, name: 'Paul', portalAccess: false, customerCodes: ['CC-1001'] },
    { email: former, name: 'Fred', customerCodes: ['CC-1001', 'CC-2002'] },
  ],
};

/** The headers of a session. */
export function asUser({ sessionId }: Client): Credentials {
  return { [sessionHeader]: sessionId };
}

/** The headers of a client application. */
export function asProgram({ client }: AddedClient): Credentials {
  return { [accessTokenHeader]: client.sessionId };
}

/** Signs in, then changes the row of the session. */
async function spoilSession(portal: RunningPortal, change: string): Promise<Credentials> {
  const { db, secrets } = portal.platform;
  const client = await portal.signIn('anna@demo.test');
  const { key } = await secrets.getCurrentKey('session');
  const guid = verifySessionId(client.sessionId, key)?.guid ?? '';
  await sql`update session set ${sql.raw(change)} where guid = ${guid}`.execute(db);
  return asUser(client);
}

async function createDeadSessions(
  portal: RunningPortal,
): Promise<TwoOrganisations['deadSessions']> {
  const member = await portal.signIn(former);
  await sql`delete from membership using account, organisation where account.email = ${former}
    and account_guid = account.guid and organisation_guid = organisation.guid
    and customer_code = 'CC-1001'`.execute(portal.platform.db);
  const changes = {
    ended: 'ended_on = now()',
    idle: "last_active_on = now() - interval '8 hours 1 second'",
    'a day old': "created_on = now() - interval '24 hours 1 second'",
    'renewed long ago': "generation = 2, generation_presented_on = now() - interval '61 seconds'",
    'renewed twice': 'generation = 3',
  };
  const spoiled = await Promise.all(
    Object.entries(changes).map(
      async ([name, change]): Promise<[string, Credentials]> => [
        name,
        await spoilSession(portal, change),
      ],
    ),
  );
  return {
    ...Object.fromEntries(spoiled),
    'of a former member': asUser(member),
    forged: { [sessionHeader]: `${member.sessionId.slice(0, -2)}AA` },
  };
}

/** Adds a client application, then changes its row. */
async function spoilProgram(
  portal: RunningPortal,
  table: 'client_application' | 'access_token',
  change: string,
): Promise<AddedClient> {
  const added = await portal.addClient();
  const column = table === 'access_token' ? 'client_guid' : 'guid';
  await sql`update ${sql.table(table)} set ${sql.raw(change)}
    where ${sql.ref(column)} = ${added.guid}`.execute(portal.platform.db);
  return added;
}

async function createDeadTokens(portal: RunningPortal): Promise<TwoOrganisations['deadTokens']> {
  const revoked = await portal.addClient();
  await revokeClient(portal.platform, null, revoked.guid);
  const past = "expires_on = now() - interval '1 second'";
  return {
    'of a revoked client': asProgram(revoked),
    'of an expired client': asProgram(await spoilProgram(portal, 'client_application', past)),
    expired: asProgram(await spoilProgram(portal, 'access_token', past)),
    forged: { [accessTokenHeader]: `${revoked.client.sessionId.slice(0, -2)}AA` },
  };
}

const numbers = (number: string) => ({
  ...byContainerFamily((family) => masterAt(family, number)),
  ...(Object.fromEntries(
    allMakes.map((make) => [make.family, masterSerial(make, number)]),
  ) as Record<ServiceFamily, string>),
});

async function createBothOwners(portal: RunningPortal, anna: Client, mia: Client) {
  const owner = createOwnedItems(portal, {
    client: anna,
    customerCode: 'CC-1001',
    organisationName: 'Officina Demo',
    groupCode: 'G-10',
    masters: numbers('0001'),
    slaves: demoSlaves,
    vin: 'ZAR93900001234567',
    fileStem: 'giulia-of-anna',
  });
  const stranger = createOwnedItems(portal, {
    client: mia,
    customerCode: 'CC-3003',
    organisationName: 'Mia Performance',
    groupCode: 'G-30',
    masters: numbers('3003'),
    slaves: byContainerFamily((family) => slaveAt(family, '3003')),
    vin: 'WVWZZZ1KZAW123456',
    fileStem: 'golf-of-mia',
  });
  return { owner: await owner, stranger: await stranger };
}

/** Starts the portal and creates all callers; then stops the worker, so that only requests change anything. */
export async function setUpTwoOrganisations(
  environment: Readonly<Record<string, string>> = {},
): Promise<TwoOrganisations> {
  const limits = { RECODERY_PARALLEL_OPERATIONS: '500', RECODERY_OPEN_SLOTS: '500' };
  const {
    app,
    served,
    started: portal,
  } = await watchServer(() => startTestPortal({ ...limits, ...environment }));
  // the first call of anyone creates it
  await portal.platform.secrets.getCurrentKey('authenticator-app');
  await applyDirectory(portal.platform, people);
  // a confirmation is valid for ten minutes, and on a busy machine the matrix takes longer
  const authenticatedOn = new Date(Date.now() + 24 * 60 * 60 * 1000);
  const signIn = (name: string) => portal.signIn(name, { authenticatedOn, isWithFactor: true });
  const [anna, mia] = [await signIn('anna@demo.test'), await signIn('mia@demo.test')];
  const services = await Promise.all(allMakes.map(startFakeService));
  for (const service of services)
    await addMake(portal.platform, service, [
      {
        customerCode: 'CC-1001',
        groupCode: 'G-10',
        serial: masterSerial(service.make, '0001'),
        slave: 'giulia-of-anna-slave',
      },
      {
        customerCode: 'CC-3003',
        groupCode: 'G-30',
        serial: masterSerial(service.make, '3003'),
        slave: 'golf-of-mia-slave',
      },
    ]);
  const owners = await createBothOwners(portal, anna, mia);
  await portal.stopWorker();
  await Promise.all(services.map((service) => service.stop()));
  // otherwise the first use creates it
  await portal.platform.secrets.getCurrentKey('cookie');
  const otherCode = await signIn('anna@demo.test');
  const path = `/api/auth/session/${otherCode.sessionId}/switch-customer-code/CC-3003`;
  const { status } = await otherCode.post(path);
  if (status !== 200) throw new Error(`the customer code was not switched: ${status}`);
  const elsewhere = "allowed_networks = '{192.0.2.0/24}'";
  return {
    portal,
    app,
    served,
    ...owners,
    anna,
    mia,
    otherCode,
    luca: await signIn('luca@demo.test'),
    colleague: await signIn(colleague),
    plainUser: await signIn('paolo@demo.test'),
    olga: await signIn('olga@demo.test'),
    withoutAccess: await signIn(withoutAccess),
    otherProgram: await portal.addClient(),
    outside: await spoilProgram(portal, 'client_application', elsewhere),
    deadSessions: await createDeadSessions(portal),
    deadTokens: await createDeadTokens(portal),
    toSignInAgain: await spoilSession(portal, 'must_sign_in_again = true'),
  };
}
