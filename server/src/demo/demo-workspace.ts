/** Creates the demo workspace: accounts and devices in the database, keys and sample files in the data folder. */
import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Slave } from '@recodery/codec/simulator/slave';
import { definitionOf } from '@recodery/contract/families/registry';
import { sql } from 'kysely';
import { makeDemoAccounts } from '../organisations/accounts.ts';
import { findSlaveBySerial, getPairKey } from '../organisations/devices.ts';
import { applyDirectoryWithin, lockDirectory } from '../organisations/directory/directory.ts';
import { recordKeyExport } from '../organisations/slave-key-exports.ts';
import { writeSlaveKey } from '../organisations/slave-key.ts';
import type { Log } from '../config/log.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { demoPassword } from '../sign-in/provider/demo-accounts.ts';
import { hashPassword } from '../sign-in/provider/passwords/passwords.ts';
import type { DirectoryFile } from '../organisations/directory/directory-file.ts';
import { demoDirectory } from './demo-directory.ts';
import {
  addDoubleConnections,
  doubleMakers,
  doubleNames,
  doublesDirectory,
} from './demo-doubles.ts';
import { makeDoubleSamples } from './double-samples.ts';
import { makeSamples, type Sample, type SlavesBySerial } from './demo-samples.ts';

export interface DemoDeps {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'createKey' | 'getKey'>;
  /** The data folder; the files are written to `demo/` in it. */
  readonly dataDir: string;
  readonly log: Log;
}

/**
 * Creates the demo workspace in an empty database, and its files if they are missing. Adds the doubles to a workspace of
 * an earlier version. In a database with any other contents it does nothing. Call it in demo mode, before the port opens.
 */
export async function createDemoWorkspace(deps: DemoDeps): Promise<void> {
  const isNew = await createAccounts(deps);
  const folder = join(deps.dataDir, 'demo');
  if (!isNew) await addDoublesLater(deps, folder);
  // Files of an earlier database contain keys that no longer open anything.
  if (isNew) await rm(folder, { recursive: true, force: true });
  if (existsSync(folder)) return;
  await deps.db.transaction().execute(async (trx) => {
    // Of two portals that share a folder, the second waits here, and finds the files.
    await lockDirectory(trx);
    if (existsSync(folder)) return;
    const slaves = await findSlaves({ ...deps, db: trx }, demoDirectory);
    if (slaves === null) return;
    // a workspace of an earlier version is without them
    const more = await findSlaves({ ...deps, db: trx }, doublesDirectory);
    await writeFiles(folder, new Map([...slaves, ...(more ?? [])]), more !== null);
    deps.log.info({ folder }, 'demo workspace created');
  });
}

/** True when this call created the accounts. */
async function createAccounts({ db, secrets }: DemoDeps): Promise<boolean> {
  if (!(await isEmpty(db))) return false;
  // All accounts have the same public password, so one hash is enough.
  const passwordHash = await hashPassword(demoPassword);
  return db.transaction().execute(async (trx) => {
    // If two portals start together, the second waits here, and finds the first one's accounts.
    await lockDirectory(trx);
    if (!(await isEmpty(trx))) return false;
    await applyDirectoryWithin(trx, secrets, demoDirectory);
    await addDoubleConnections(trx, secrets);
    await applyDirectoryWithin(trx, secrets, doublesDirectory);
    await makeDemoAccounts(trx, passwordHash);
    return true;
  });
}

/** A record of the doubles has a name that the user gave to another. */
class NameTaken extends Error {}

/**
 * Adds the doubles, their organisation and their samples to a workspace that an earlier version created. Does so once, and
 * only if nothing changes that is already there.
 */
async function addDoublesLater(deps: DemoDeps, folder: string): Promise<void> {
  if (!(await lacksDoubles(deps.db))) return;
  const passwordHash = await hashPassword(demoPassword);
  try {
    const isAdded = await deps.db.transaction().execute(async (trx) => {
      await lockDirectory(trx);
      if (!(await lacksDoubles(trx))) return false;
      await addDoubleConnections(trx, deps.secrets);
      const plan = await applyDirectoryWithin(trx, deps.secrets, doublesDirectory, {
        admit(changes) {
          if (changes.some(({ action }) => action !== 'add')) throw new NameTaken();
        },
      });
      if ('mistakes' in plan) throw new NameTaken();
      const emails = doublesDirectory.users?.map(({ email }) => email) ?? [];
      await makeDemoAccounts(trx, passwordHash, emails);
      return true;
    });
    if (!isAdded) return;
    // their keys can be read once they are committed
    const slaves = await findSlaves(deps, doublesDirectory);
    if (slaves !== null && existsSync(folder)) await addFiles(folder, slaves);
    deps.log.info({ folder }, 'doubles added to the demo workspace');
  } catch (error) {
    if (!(error instanceof NameTaken)) throw error;
    deps.log.warn('doubles not added to the demo workspace: it already has one of their names');
  }
}

/** Whether this is a demo that never had the doubles. */
async function lacksDoubles(db: Db): Promise<boolean> {
  const { rows } = await sql<{ lacks: boolean }>`
    select exists (select 1 from account where is_demo)
      and not exists (select 1 from engine_connection where name = any(${doubleNames})) as lacks`.execute(
    db,
  );
  return rows[0]?.lacks === true;
}

async function isEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_empty: boolean }>`
    select not exists (select 1 from organisation) and not exists (select 1 from account) as is_empty
  `.execute(db);
  return rows[0]?.is_empty === true;
}

/** The slaves in a directory that have a key. */
function slavesIn({ organisations = [] }: DirectoryFile) {
  return organisations
    .flatMap(({ groupCodes = [] }) => groupCodes)
    .flatMap(({ masters = [] }) => masters)
    .flatMap(({ family, slaves = [] }) => slaves.map(({ serial }) => ({ family, serial })))
    .filter(({ family }) => definitionOf(family).container !== undefined);
}

/** The slaves of a directory of the demo with their keys; null when this is not the demo's database. */
async function findSlaves(
  { db, secrets }: DemoDeps,
  directory: DirectoryFile,
): Promise<SlavesBySerial | null> {
  const slaves = new Map<string, Slave>();
  for (const { family, serial } of slavesIn(directory)) {
    const found = await findSlaveBySerial(db, family, serial);
    if (found === null || !(await belongsToDemo(db, found.slave.guid))) return null;
    const { slave, master } = found;
    const keyId = master.currentKeyId;
    const pairKey = await getPairKey({ secrets }, master, slave, keyId);
    if (pairKey === null) return null;
    await recordKeyExport(db, slave.guid, keyId, 'demo workspace');
    slaves.set(serial, {
      family,
      pairKey,
      keyId,
      masterSerial: master.serialNumber,
      slaveSerial: serial,
    });
  }
  return slaves;
}

/** Whether all users of a slave's master have a demo account: otherwise its key must not be written to a file. */
async function belongsToDemo(db: Db, slaveGuid: string): Promise<boolean> {
  const users = await db
    .selectFrom('slave_device')
    .innerJoin('master_device', 'master_device.guid', 'slave_device.master_device_guid')
    .innerJoin('membership', 'membership.organisation_guid', 'master_device.organisation_guid')
    .innerJoin('account', 'account.guid', 'membership.account_guid')
    .where('slave_device.guid', '=', slaveGuid)
    .select('account.is_demo')
    .execute();
  return users.length > 0 && users.every((user) => user.is_demo);
}

/** Writes the folder under a temporary name first, so that it exists completely or not at all. */
async function writeFiles(
  folder: string,
  slaves: SlavesBySerial,
  hasDoubles: boolean,
): Promise<void> {
  const draft = `${folder}.draft`;
  await rm(draft, { recursive: true, force: true });
  for (const [serial, slave] of slaves)
    await write(draft, `keys/${serial}.json`, writeSlaveKey(slave), 0o600);
  const listed: Pick<Sample, 'path' | 'words'>[] = [];
  const add = async ({ path, words, bytes }: Sample): Promise<void> => {
    await write(draft, `samples/${path}`, bytes);
    listed.push({ path, words });
  };
  for await (const sample of makeSamples(slaves)) await add(sample);
  if (hasDoubles) for (const sample of makeDoubleSamples()) await add(sample);
  await write(draft, 'README.txt', readme([...slaves.values()], listed, hasDoubles));
  await rename(draft, folder);
}

async function write(
  folder: string,
  path: string,
  data: Uint8Array | string,
  mode = 0o644,
): Promise<void> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, data, { mode });
}

/** Adds the files of the doubles to the folder; a file that is there stays as it is. */
async function addFiles(folder: string, slaves: SlavesBySerial): Promise<void> {
  // no earlier key can belong to a slave that was added just now
  for (const [serial, slave] of slaves)
    await write(folder, `keys/${serial}.json`, writeSlaveKey(slave), 0o600);
  const samples = [...makeDoubleSamples()];
  for (const { path, bytes } of samples)
    if (!existsSync(join(folder, 'samples', path))) await write(folder, `samples/${path}`, bytes);
  const readmePath = join(folder, 'README.txt');
  if (!existsSync(readmePath)) return;
  const lines = [...doublesNote, '', 'samples/', ...listSamples(samples), '', 'keys/'];
  await appendFile(readmePath, [...lines, ...listKeys([...slaves.values()]), ''].join('\n'));
}

/** How to try the makes whose files only their maker's service opens. */
const doublesNote: readonly string[] = [
  '',
  `To try ${doubleMakers}, sign in as emma@demo.test with the same`,
  "password. Their samples are opened and sealed by doubles that were built from public facts, not by the makers' services.",
];

function listSamples(samples: readonly Pick<Sample, 'path' | 'words'>[]): readonly string[] {
  const width = Math.max(...samples.map(({ path }) => path.length)) + 2;
  return samples.map(({ path, words }) => `  ${path.padEnd(width)}${words}`);
}

function listKeys(slaves: readonly Slave[]): readonly string[] {
  return slaves.map(
    ({ family, slaveSerial, masterSerial }) =>
      `  ${slaveSerial}.json  ${definitionOf(family).name}, slave of ${masterSerial}`,
  );
}

function readme(
  slaves: readonly Slave[],
  samples: readonly Pick<Sample, 'path' | 'words'>[],
  hasDoubles: boolean,
): string {
  return [
    'Recodery demo workspace',
    '',
    `Sign in as anna@demo.test with the password ${demoPassword}. The samples are for customer code CC-1001,`,
    'group code G-10, unless stated otherwise. All ECUs and images are invented.',
    ...(hasDoubles ? doublesNote : []),
    '',
    'samples/',
    ...listSamples(samples),
    '',
    'keys/  The key of each slave, for the device simulator (recodery device read, recodery device write).',
    ...listKeys(slaves),
    '',
  ].join('\n');
}
