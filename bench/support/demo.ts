/** The demo workspace for benchmarks: a platform with its directory, and what a caller needs to use it. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Slave } from '@recodery/codec/simulator/slave';
import type { Family } from '@recodery/contract/families/registry';
import { issueToken } from '@recodery/server/clients/access-tokens';
import { addClient } from '@recodery/server/clients/clients';
import { readConfig } from '@recodery/server/config/config';
import { silentLog } from '../../server/test/fixtures/silent-log.ts';
import { demoDirectory } from '@recodery/server/demo/demo-directory';
import { findSlaveBySerial, getPairKey } from '@recodery/server/organisations/devices';
import { applyDirectory } from '@recodery/server/organisations/directory/directory';
import { findOrganisationByCode } from '@recodery/server/organisations/organisations';
import { openPlatform, type Platform } from '@recodery/server/platform';
import { describeSession } from '@recodery/server/sign-in/describe-session';
import { createSession } from '@recodery/server/sign-in/sessions';

/** An open platform with the demo's organisations, users and devices, and without its files. */
export interface Demo {
  readonly platform: Platform;
  close(): Promise<void>;
}

/** Creates a data folder; PostgreSQL, which must not run as root, has access. The caller deletes it. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-bench-'));
  await chmod(folder, 0o755);
  return folder;
}

/** Opens a data folder as `npm start` does; `settings` are additional RECODERY_… variables. */
export async function openDemo(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Demo> {
  const variables = { RECODERY_DATA_DIR: dataDir, RECODERY_DEMO: 'off', ...settings };
  const { platform, close } = await openPlatform(readConfig(variables), silentLog, {
    as: 'serve',
    signal: new AbortController().signal,
    onLost: () => process.exit(1),
  });
  await applyDirectory(platform, demoDirectory);
  return { platform, close };
}

/** Opens a new data folder, which `close` deletes. */
export async function openNewDemo(): Promise<Demo> {
  const folder = await createFolder();
  const { platform, close } = await openDemo(folder);
  return {
    platform,
    async close() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates a session for a user; returns its session id. */
export async function signIn(platform: Platform, email = 'anna@demo.test'): Promise<string> {
  const accounts = platform.db.selectFrom('account').select('guid').where('email', '=', email);
  const { guid } = await accounts.executeTakeFirstOrThrow();
  const session = await createSession(platform.db, { accountGuid: guid, idToken: null });
  if (session === null) throw new Error(`${email} has no organisation`);
  return (await describeSession(platform, session)).sessionID;
}

/** The organisation whose devices and users the benchmarks use. */
export async function findWorkshop({ db }: Platform) {
  const organisationId = await findOrganisationByCode(db, 'CC-1001');
  if (organisationId === null) throw new Error('the demo has no organisation CC-1001');
  return organisationId;
}

/** A slave of that organisation, which can seal reads. */
export async function findSlave(
  platform: Platform,
  family: Family,
  serialNumber: string,
): Promise<Slave> {
  const found = await findSlaveBySerial(platform.db, family, serialNumber);
  const pairKey = found && (await getPairKey(platform, found.master, found.slave, 1));
  if (found === null || pairKey === null) throw new Error(`the demo has no slave ${serialNumber}`);
  return {
    family,
    pairKey,
    keyId: 1,
    masterSerial: found.master.serialNumber,
    slaveSerial: found.slave.serialNumber,
  };
}

/** Adds a client application of that organisation; returns its GUID and an access token. */
export async function addProgram(platform: Platform): Promise<{ readonly accessToken: string }> {
  const organisationId = await findWorkshop(platform);
  const ask = { organisationId, name: 'Benchmark', allowedNetworks: [], expiresOn: null };
  return issueToken(platform.db, await addClient(platform, ask), '127.0.0.1');
}
