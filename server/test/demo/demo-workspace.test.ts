/** The demo workspace as `npm start` creates it: accounts, devices, and the result of each sample. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCodec } from '@recodery/codec/families/registry';
import { CodecError } from '@recodery/codec/errors';
import {
  containerFamilies,
  containerOf,
  type Workflow,
  workflowOf,
  workflowsOf,
} from '@recodery/contract/families/registry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { demoDirectory } from '../../src/demo/demo-directory.ts';
import { doubleNames } from '../../src/demo/demo-doubles.ts';
import { makeDoubleSamples } from '../../src/demo/double-samples.ts';
import { createDemoWorkspace } from '../../src/demo/demo-workspace.ts';
import {
  listConnections,
  removeConnection,
} from '../../src/engine-connections/engine-connections.ts';
import { makeDemoAccounts } from '../../src/organisations/accounts.ts';
import { applyDirectory, exportDirectory } from '../../src/organisations/directory/directory.ts';
import { readSlaveKey } from '../../src/organisations/slave-key.ts';
import { hashPassword, isPassword } from '../../src/sign-in/provider/passwords/passwords.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

let platform: TestPlatform;
let folder: string;
const make = (on: TestPlatform): Promise<void> =>
  createDemoWorkspace({ ...on, dataDir: on.config.dataDir });

beforeAll(async () => {
  platform = await createTestPlatform();
  folder = join(platform.config.dataDir, 'demo');
  await make(platform);
});
afterAll(() => platform?.stop());

describe('the accounts', () => {
  // promise d3.demo.accounts
  test('are those of the table, with the password demo', async () => {
    const accounts = await platform.db
      .selectFrom('account')
      .select(['email', 'is_demo', 'has_portal_access', 'password_hash'])
      .orderBy('email')
      .execute();
    expect(accounts.map(({ email, has_portal_access }) => [email, has_portal_access])).toEqual([
      ['anna@demo.test', true],
      ['emma@demo.test', true],
      ['luca@demo.test', true],
      ['mia@demo.test', true],
      ['nora@demo.test', false],
      ['olga@demo.test', true],
      ['otto@demo.test', true],
      ['paolo@demo.test', true],
    ]);
    for (const { is_demo, password_hash } of accounts) {
      expect(is_demo).toBe(true);
      expect(await isPassword('demo', password_hash)).toBe(true);
    }
  });

  // promise d3.demo.devices
  test('have the devices of the table', async () => {
    const { organisations } = await exportDirectory(platform.db);
    const devices = (organisations ?? []).flatMap(({ customerCode, groupCodes }) =>
      (groupCodes ?? []).flatMap(({ code, masters }) =>
        (masters ?? []).map(({ serial, slaves }) => [
          customerCode,
          code,
          serial,
          (slaves ?? []).map((slave) => `${slave.serial} of ${slave.owner}`).join(),
        ]),
      ),
    );
    expect(devices).toEqual([
      ['CC-1001', 'G-10', 'KV2-M-0001', 'KV2-000007 of CC-9001'],
      ['CC-1001', 'G-10', 'KTG-M-0001', 'KTG-000007 of CC-9001'],
      ['CC-1001', 'G-10', 'KS3-M-0001', 'KS3-000042 of CC-9001'],
      ['CC-1001', 'G-11', 'KS3-M-0002', 'KS3-000043 of CC-1001'],
      ['CC-2002', 'G-20', 'KV2-M-2002', 'KV2-002002 of CC-2002'],
      ['CC-2002', 'G-20', 'KTG-M-2002', 'KTG-002002 of CC-2002'],
      ['CC-2002', 'G-20', 'KS3-M-2002', 'KS3-002002 of CC-2002'],
      ['CC-3003', 'G-30', 'KV2-M-3003', 'KV2-003003 of CC-3003'],
      ['CC-3003', 'G-30', 'KTG-M-3003', 'KTG-003003 of CC-3003'],
      ['CC-3003', 'G-30', 'KS3-M-3003', 'KS3-003003 of CC-3003'],
      ['CC-4004', 'G-40', 'KV2-M-4004', ''],
      ['CC-4004', 'G-40', 'KTG-M-4004', ''],
      ['CC-4004', 'G-40', 'KS3-M-4004', ''],
      ['CC-6006', 'G-60', 'KV2-M-6006', 'KV2-006006 of CC-6006'],
      ['CC-6006', 'G-60', 'KTG-M-6006', 'KTG-006006 of CC-6006'],
      ['CC-6006', 'G-60', 'KS3-M-6006', 'KS3-006006 of CC-6006'],
      ['CC-6006', 'G-60', 'BFL-M-6006', ''],
      ['CC-6006', 'G-60', 'ATU-M-6006', ''],
      ['CC-6006', 'G-60', 'FLX-M-6006', 'FLX-006006 of CC-6006'],
      ['CC-6006', 'G-60', 'ATF-M-6006', ''],
    ]);
  });
});

/** The codec's result when the slave's master opens a sample: `OK`, or the error code. */
async function outcomeOf(path: string, serial: string, skipChecksum = false): Promise<string> {
  const slave = readSlaveKey(await readFile(join(folder, 'keys', `${serial}.json`), 'utf8'));
  if (slave === null) throw new Error(`no key of ${serial}`);
  const file = await readFile(join(folder, 'samples', path));
  try {
    const workflow = sampled.find((one) => path.startsWith(`${one}/`)) ?? slave.family;
    getCodec(workflow).decode({
      file,
      pairKey: slave.pairKey,
      skipChecksum,
    });
    return 'OK';
  } catch (error) {
    if (error instanceof CodecError) return error.internalCode;
    throw error;
  }
}

/** The workflows of all families with a container: each needs a sample. */
const sampled = containerFamilies.flatMap(workflowsOf);
const slaveOf = (workflow: Workflow) => containerOf(workflowOf(workflow).family).demoSlave;

describe('the samples', () => {
  // promise d3.demo.samples
  test('can all be decoded if they are reads', async () => {
    for (const workflow of sampled) {
      const names = await readdir(join(folder, 'samples', workflow));
      expect(names.length).toBeGreaterThan(1);
      for (const name of names.filter((text) => text.endsWith('.tfc'))) {
        const serial = name.includes('G-11') ? 'KS3-000043' : slaveOf(workflow);
        expect([name, await outcomeOf(`${workflow}/${name}`, serial)]).toEqual([name, 'OK']);
      }
    }
  });

  // promise d3.demo.samples
  test.each([
    ['empty.tfc', 'FILE_EMPTY'],
    ['not-a-read.bin', 'FILE_NOT_RECOGNIZED'],
    ['truncated.tfc', 'FILE_TRUNCATED'],
    ['sent-as-text.tfc', 'FILE_CORRUPTED_TEXT_TRANSFER'],
    ['damaged.tfc', 'FILE_CORRUPTED'],
    ['zipped.zip', 'FILE_IS_ARCHIVE_ZIP'],
    ['encoded.moc', 'WRONG_FILE_KIND'],
    ['of-another-master.tfc', 'AUTHENTICATION_FAILED'],
    ['wrong-checksum.tfc', 'READ_CHECKSUM_ERROR'],
    ['unknown-protocol.tfc', 'PROTOCOL_NOT_FOUND'],
  ])('with the mistake %s result in %s', async (name, code) => {
    expect(await outcomeOf(`mistakes/${name}`, 'KV2-000007')).toBe(code);
  });

  test.each(['kessv2/read-1002', 'kess3/read-obd-1002'])(
    'include a matching original and tune if they lack their image (%s)',
    async (path) => {
      const family = path.startsWith('kessv2') ? 'kessv2' : 'kess3';
      const at = (end: string) =>
        readFile(join(folder, 'samples', `${path}-identification-only${end}`));
      const key = await readFile(join(folder, 'keys', `${slaveOf(family)}.json`), 'utf8');
      const pairKey = readSlaveKey(key)?.pairKey ?? new Uint8Array();
      const codec = getCodec(family);
      const file = await at('.tfc');
      const read = codec.decode({ file, pairKey, skipChecksum: false });
      const { virtualReading: identification, isImageMissing } = read;
      expect([isImageMissing, identification?.protocolId]).toEqual([true, 1002]);
      const original = await at('-original.bin');
      const place = { protocolId: 1002, mode: 'obd' } as const;
      codec.checkOriginal({ ...place, decoded: null, identification, original });
      const modified = await at('-modified.bin');
      codec.checkModified({ ...place, component: 'obd', decoded: original, modified });
      expect(Buffer.compare(modified, original)).not.toBe(0);
    },
  );

  test('are all listed in the README, and nothing else is', async () => {
    const readme = await readFile(join(folder, 'README.txt'), 'utf8');
    const files = await readdir(join(folder, 'samples'), { recursive: true, withFileTypes: true });
    const paths = files
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, 'samples/').length));
    const named = [...readme.matchAll(/^ {2}(\S+\/\S+) {2,}\S/gm)].map(([, path]) => path);
    expect(new Set(named)).toEqual(new Set(paths));
    expect(named).toHaveLength(paths.length);
  });
});

// promise d3.demo.keys
test('the keys are readable only by their owner, and each export was logged', async () => {
  const names = await readdir(join(folder, 'keys'));
  expect(names).toHaveLength(13);
  for (const name of names)
    expect((await stat(join(folder, 'keys', name))).mode & 0o777).toBe(0o600);
  const exports = await platform.db.selectFrom('slave_key_export').select('exported_by').execute();
  expect(exports.map(({ exported_by }) => exported_by)).toEqual(names.map(() => 'demo workspace'));
});

test('a second start changes nothing, but restores missing files', async () => {
  const key = join(folder, 'keys', 'KV2-000007.json');
  const before = [await readFile(key, 'utf8'), await exportDirectory(platform.db)];
  await make(platform);
  expect((await stat(folder)).isDirectory()).toBe(true);
  await rm(folder, { recursive: true });
  await make(platform);
  expect([await readFile(key, 'utf8'), await exportDirectory(platform.db)]).toEqual(before);
});

// promise d3.demo.only-empty
test('a database that is not empty is left unchanged', async () => {
  const own = await createTestPlatform();
  await applyDirectory(own, { organisations: [{ customerCode: 'CC-7', name: 'Seven' }] });
  await make(own);
  const rows = await own.db.selectFrom('organisation').select('customer_code').execute();
  const files = await readdir(own.config.dataDir);
  await own.stop();
  expect(rows).toEqual([{ customer_code: 'CC-7' }]);
  expect(files).not.toContain('demo');
});

describe('a workspace of a version without doubles', () => {
  let old: TestPlatform;
  let place: string;
  const dataOf = (path: string) => join(place, path);

  beforeEach(async () => {
    old = await createTestPlatform();
    place = join(old.config.dataDir, 'demo');
    await applyDirectory(old, demoDirectory);
    await makeDemoAccounts(old.db, await hashPassword('demo'));
    // what the user changed
    await applyDirectory(old, {
      organisations: [{ customerCode: 'CC-2002', name: 'My workshop' }],
      users: [{ email: 'me@own.test', name: 'Me', customerCodes: ['CC-2002'] }],
    });
    await mkdir(dataOf('samples/bflash'), { recursive: true });
    await writeFile(dataOf('README.txt'), 'My notes\n');
    await writeFile(dataOf('samples/bflash/read-modified.bin'), 'mine');
  });
  afterEach(() => old?.stop());

  // promise d3.demo.doubles
  test('gets them once, without a change of what is there', async () => {
    const before = await exportDirectory(old.db);
    await make(old);
    const { organisations = [], users = [] } = await exportDirectory(old.db);
    const isNew = ({ customerCode }: { customerCode: string }) => customerCode === 'CC-6006';
    expect(organisations.filter((one) => !isNew(one))).toEqual(before.organisations);
    expect(organisations.filter(isNew)).toHaveLength(1);
    expect(users.map(({ email }) => email)).toEqual(
      [...(before.users ?? []).map(({ email }) => email), 'emma@demo.test'].toSorted(),
    );
    const accounts = await old.db.selectFrom('account').select(['email', 'is_demo']).execute();
    expect(accounts).toContainEqual({ email: 'emma@demo.test', is_demo: true });
    expect(accounts).toContainEqual({ email: 'me@own.test', is_demo: false });
    expect((await listConnections(old.db)).map(({ name }) => name)).toEqual(doubleNames.toSorted());
    expect(await readFile(dataOf('samples/bflash/read-modified.bin'), 'utf8')).toBe('mine');
    for (const { path } of makeDoubleSamples())
      expect(existsSync(dataOf(`samples/${path}`))).toBe(true);
    expect(await readdir(dataOf('keys'))).toContain('KS3-006006.json');
    const readme = await readFile(dataOf('README.txt'), 'utf8');
    expect(readme.startsWith('My notes\n')).toBe(true);
    expect(readme).toContain('emma@demo.test');

    const [first] = await listConnections(old.db);
    if (first === undefined) throw new Error('there is no double');
    await removeConnection(old, first);
    await make(old);
    expect(await listConnections(old.db)).toHaveLength(doubleNames.length - 1);
    expect(await readFile(dataOf('README.txt'), 'utf8')).toBe(readme);
  });

  test('stays without them if it already has one of their names', async () => {
    await applyDirectory(old, { organisations: [{ customerCode: 'CC-6006', name: 'Six' }] });
    const before = await exportDirectory(old.db);
    await make(old);
    expect(await exportDirectory(old.db)).toEqual(before);
    expect(await listConnections(old.db)).toEqual([]);
    expect(await readFile(dataOf('README.txt'), 'utf8')).toBe('My notes\n');
  });
});
