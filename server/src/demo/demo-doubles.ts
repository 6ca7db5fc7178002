/**
 * The doubles of makers' services in the demo: their connections, masters and slaves, and the server that answers for
 * them on loopback. Only a portal in demo mode starts it.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rightNames } from '@recodery/contract/admin/resources';
import { definitionOf } from '@recodery/contract/families/registry';
import { doubleName } from '@recodery/contract/features/demo-doubles';
import {
  type EngineConnection,
  findConnection,
  getConnectionSecret,
  moveConnection,
  saveConnection,
} from '../engine-connections/engine-connections.ts';
import type { DirectoryFile } from '../organisations/directory/directory-file.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { fleet } from './demo-directory.ts';
import { serveDouble } from './doubles/double-service.ts';
import { type Make, masterSerial } from './doubles/make.ts';
import { allMakes } from './doubles/makes.ts';

const host = '127.0.0.1';

/** The number in the serial numbers of the organisation's devices. */
const number = '6006';

/** The name of a make's connection. */
const connectionOf = ({ family }: Make): string => doubleName(definitionOf(family).name);

/** The names of the connections of all makes. */
export const doubleNames = allMakes.map(connectionOf);

/** The names of the makes, for people. */
export const doubleMakers = new Intl.ListFormat('en-GB').format(
  allMakes.map(({ family }) => definitionOf(family).name),
);

/** The slave of a make's master, which has sealed the samples. */
export const demoSlaveOf = ({ prefix }: Make): string => `${prefix}-00${number}`;

/** An organisation with a master of every family. The others have no double, as most workshops have few families. */
export const doublesDirectory: DirectoryFile = {
  organisations: [
    {
      customerCode: 'CC-6006',
      name: 'Emma Motorsport',
      email: 'motorsport@demo.test',
      culture: 'en-US',
      rights: [...rightNames],
      groupCodes: [
        {
          code: 'G-60',
          masters: [
            ...fleet(number, 'CC-6006'),
            ...allMakes.map((make) => ({
              family: make.family,
              serial: masterSerial(make, number),
              engine: connectionOf(make),
              slaves: make.listsSlaves ? [{ serial: demoSlaveOf(make), owner: 'CC-6006' }] : [],
            })),
          ],
        },
      ],
    },
  ],
  users: [
    { email: 'emma@demo.test', name: 'Emma Lund', customerCodes: ['CC-6006'], manager: true },
  ],
};

/** Adds the connections. Their addresses are right once {@link openDoubles} has started. */
export async function addDoubleConnections(
  db: Db,
  secrets: Pick<Secrets, 'createKey'>,
): Promise<void> {
  for (const make of allMakes) {
    const { family: kind, credentials } = make;
    const [name, url] = [connectionOf(make), addressOf(make, 0)];
    const connection = { name, kind, url, clientGuid: credentials.client };
    await saveConnection({ db, secrets }, connection, credentials.secret);
  }
}

/** Whether this demo has the doubles: a workspace of an earlier version does not. */
export async function hasDoubles(db: Db): Promise<boolean> {
  const found = await Promise.all(allMakes.map((make) => findConnection(db, connectionOf(make))));
  return found.some((connection) => connection !== null);
}

const addressOf = ({ family }: Make, port: number): string => `http://${host}:${port}/${family}`;

/** A server that has been started. */
export interface OpenDoubles {
  stop(): Promise<void>;
}

/** Whether a connection has the name, the kind and the address of a double, served or not. */
export function isDoubleConnection({ name, kind, url }: EngineConnection): boolean {
  const make = allMakes.find((one) => one.family === kind && connectionOf(one) === name);
  const [, port] = /^http:\/\/127\.0\.0\.1:(\d+)\//.exec(url) ?? [];
  return make !== undefined && port !== undefined && url === addressOf(make, Number(port));
}

/** The connections of the doubles, without those that an operator has given another address or secret. */
async function findOwn(db: Db, secrets: Pick<Secrets, 'getKey'>) {
  const own: { readonly make: Make; readonly connection: EngineConnection }[] = [];
  for (const make of allMakes) {
    const connection = await findConnection(db, connectionOf(make));
    if (connection === null || !isDoubleConnection(connection)) continue;
    const secret = await getConnectionSecret({ secrets }, connection);
    if (secret === make.credentials.secret) own.push({ make, connection });
  }
  return own;
}

/**
 * Gives the connections of the doubles an address that nothing can listen on: another process may get the port of the
 * previous one. `port`: only those that have this port.
 */
export async function parkDoubles(
  db: Db,
  secrets: Pick<Secrets, 'getKey'>,
  port?: number,
): Promise<void> {
  for (const { make, connection } of await findOwn(db, secrets))
    if (port === undefined || connection.url === addressOf(make, port))
      await moveConnection(db, connection, addressOf(make, 0));
}

/**
 * Serves the doubles on a free port of loopback, and gives their connections its address until it stops. Does nothing
 * in a database without these connections.
 */
export async function openDoubles(db: Db, secrets: Pick<Secrets, 'getKey'>): Promise<OpenDoubles> {
  const served = await findOwn(db, secrets);
  if (served.length === 0) return { stop: async () => undefined };
  const server = createServer((request, response) => {
    const [, family = '', path = ''] = /^\/(\w+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const make = allMakes.find((one) => one.family === family);
    if (make === undefined) return response.writeHead(404).end();
    const double = { make, credentials: make.credentials };
    return serveDouble(double, path, request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  for (const { make, connection } of served) {
    // a double keeps nothing: what it has to know of its slave, it learns from the directory
    make.serialOf?.(demoSlaveOf(make));
    await moveConnection(db, connection, addressOf(make, port));
  }
  return {
    async stop() {
      // a database that is lost must not keep the server open; the next start does the same
      await parkDoubles(db, secrets, port).catch(() => undefined);
      await close(server);
    },
  };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
