/** The users and programs of the chaos test, in several organisations, with their slaves. */
import type { Slave } from '@recodery/codec/simulator/slave';
import { type ContainerFamily, containerFamilies } from '@recodery/contract/families/registry';
import { accessTokenHeader } from '@recodery/contract/headers';
import { issueToken } from '../../src/clients/access-tokens.ts';
import { addClient } from '../../src/clients/clients.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { demoDirectory } from '../../src/demo/demo-directory.ts';
import { findSlaveBySerial, getPairKey } from '../../src/organisations/devices.ts';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { findOrganisationByCode } from '../../src/organisations/organisations.ts';
import { openPlatform, type Platform } from '../../src/platform.ts';
import { describeSession } from '../../src/sign-in/describe-session.ts';
import { createSession } from '../../src/sign-in/sessions.ts';
import { Client } from '../fixtures/client.ts';
import { byContainerFamily, demoSlaves, slaveAt } from '../fixtures/demo-devices.ts';
import type { Installation } from './installation.ts';

/** Someone who decodes and encodes. A program repeats a request with the same idempotency key; a user has none. */
export interface Actor {
  readonly name: string;
  readonly isProgram: boolean;
  readonly client: Client;
  readonly slaves: Readonly<Record<ContainerFamily, Slave>>;
}

/** The actors, and the user who receives what some of them send. */
export interface Cast {
  readonly actors: readonly Actor[];
  readonly receiver: Client;
}

const serials = {
  'CC-1001': demoSlaves,
  'CC-2002': byContainerFamily((family) => slaveAt(family, '2002')),
  'CC-3003': byContainerFamily((family) => slaveAt(family, '3003')),
} as const;
type Code = keyof typeof serials;

async function findSlaves(platform: Platform, code: Code): Promise<Record<ContainerFamily, Slave>> {
  const entries = containerFamilies.map(async (family): Promise<[ContainerFamily, Slave]> => {
    const found = await findSlaveBySerial(platform.db, family, serials[code][family]);
    if (found === null) throw new Error(`${code} has no slave of ${family}`);
    const { master, slave } = found;
    const keyId = master.currentKeyId;
    const pairKey = await getPairKey(platform, master, slave, keyId);
    if (pairKey === null) throw new Error(`the slave ${slave.serialNumber} has no key`);
    const [masterSerial, slaveSerial] = [master.serialNumber, slave.serialNumber];
    return [family, { family, pairKey, keyId, masterSerial, slaveSerial }];
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<ContainerFamily, Slave>;
}

async function signIn(platform: Platform, url: string, email: string): Promise<Client> {
  const { db } = platform;
  const account = db.selectFrom('account').select('guid').where('email', '=', email);
  const { guid: accountGuid } = await account.executeTakeFirstOrThrow();
  const session = await createSession(db, { accountGuid, idToken: null });
  if (session === null) throw new Error(`${email} belongs to no organisation`);
  return new Client(url, (await describeSession(platform, session)).sessionID);
}

async function openProgram(platform: Platform, url: string, code: Code): Promise<Client> {
  const organisationId = await findOrganisationByCode(platform.db, code);
  if (organisationId === null) throw new Error(`there is no ${code}`);
  const ask = { name: 'A program', allowedNetworks: [], expiresOn: null, organisationId };
  const added = await addClient(platform, ask);
  const { accessToken } = await issueToken(platform.db, added, '127.0.0.1');
  return new Client(url, accessToken, accessTokenHeader);
}

/** Adds the organisations and users to an installation, and signs the actors in. */
export async function createCast({ config, url }: Installation): Promise<Cast> {
  const { platform, close } = await openPlatform(config, silentLog, { as: 'command' });
  try {
    await applyDirectory(platform, demoDirectory);
    const [anna, program, mia] = await Promise.all([
      signIn(platform, url, 'anna@demo.test'),
      openProgram(platform, url, 'CC-2002'),
      signIn(platform, url, 'mia@demo.test'),
    ]);
    const actor = async (name: string, client: Client, code: Code): Promise<Actor> => {
      const slaves = await findSlaves(platform, code);
      return { name, isProgram: client === program, client, slaves };
    };
    return {
      actors: [
        await actor('Anna', anna, 'CC-1001'),
        await actor('a program', program, 'CC-2002'),
        await actor('Mia', mia, 'CC-3003'),
      ],
      receiver: await signIn(platform, url, 'luca@demo.test'),
    };
  } finally {
    await close();
  }
}
