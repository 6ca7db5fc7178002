/** The operator's file: what it can contain, what it changes, and that applying it again changes nothing. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { applyDirectory, exportDirectory } from '../../src/organisations/directory/directory.ts';
import {
  readDirectoryFile,
  writeDirectoryFile,
} from '../../src/organisations/directory/directory-file.ts';
import { describeChange } from '../../src/organisations/directory/directory-rules.ts';
import { getPairKey } from '../../src/organisations/devices.ts';
import { findSlaveForRead } from '../../src/organisations/openers.ts';
import { newGuid } from '../../src/config/guids.ts';
import { mintOrganisationId } from '../../src/organisations/caller.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

const text = `
organisations:
  - customerCode: CC-1
    name: Officina
    email: officina@shop.test
    culture: it-IT
    rights: [recod, kessv2]
    groupCodes:
      - code: G-1
        masters:
          - family: kessv2
            serial: M-1
            slaves:
              - serial: S-1
                owner: CC-2
              - serial: S-2
                revoked: true
      - code: G-2
        masters:
          - { family: kessv2, serial: M-2, slaves: [{ serial: S-3 }] }
  - customerCode: CC-2
    name: Garage
users:
  - email: Anna@shop.test
    name: Anna
    customerCodes: [CC-2, CC-1]
    manager: [CC-1]
  - email: nora@shop.test
    portalAccess: false
`;

let platform: TestPlatform;
const opened: TestPlatform[] = [];
beforeEach(async () => {
  platform = await createTestPlatform();
  opened.push(platform);
});
afterAll(async () => {
  for (const each of opened) await each.stop();
});

/** Applies a text; returns a line for each change, or for each mistake. */
async function apply(yaml: string, isTrial = false): Promise<readonly string[]> {
  const read = readDirectoryFile(yaml);
  if ('mistakes' in read) return read.mistakes;
  const plan = await applyDirectory(platform, read.directory, { isTrial });
  return 'mistakes' in plan
    ? plan.mistakes.map(({ text }) => text)
    : plan.changes.map(describeChange);
}

const getOrganisation = async (customerCode: string) => {
  const row = await platform.db
    .selectFrom('organisation')
    .where('customer_code', '=', customerCode)
    .select('guid')
    .executeTakeFirstOrThrow();
  return mintOrganisationId(row.guid);
};

describe('applying', () => {
  test('creates everything the first time, and changes nothing the second', async () => {
    expect(await apply(text)).toEqual([
      '+ organisation CC-1',
      '+ organisation CC-2',
      '+ group code CC-1 G-1',
      '+ group code CC-1 G-2',
      '+ master device kessv2 M-1',
      '+ master device kessv2 M-2',
      '+ slave device kessv2 S-1',
      '+ slave device kessv2 S-2',
      '+ slave device kessv2 S-3',
      '+ user anna@shop.test',
      '+ user nora@shop.test',
    ]);
    const before = await exportDirectory(platform.db);
    const keys = await platform.db.selectFrom('wrapped_key').selectAll().execute();
    expect(await apply(text)).toEqual([]);
    expect(await exportDirectory(platform.db)).toEqual(before);
    expect(await platform.db.selectFrom('wrapped_key').selectAll().execute()).toEqual(keys);
  });

  test('returns the same changes in a dry run, and makes none', async () => {
    expect(await apply(text, true)).toHaveLength(11);
    expect(await exportDirectory(platform.db)).toEqual({ organisations: [], users: [] });
  });

  test('an export changes nothing here, and creates the same on another portal', async () => {
    await apply(text);
    const exported = await exportDirectory(platform.db);
    const yaml = writeDirectoryFile(exported);
    expect(await apply(yaml)).toEqual([]);
    const elsewhere = await createTestPlatform();
    opened.push(elsewhere);
    const read = readDirectoryFile(yaml);
    if ('mistakes' in read) throw new Error(read.mistakes.join());
    await applyDirectory(elsewhere, read.directory);
    expect(await exportDirectory(elsewhere.db)).toEqual(exported);
    expect(exported.users).toContainEqual({
      email: 'Anna@shop.test',
      name: 'Anna',
      culture: null,
      portalAccess: true,
      customerCodes: ['CC-2', 'CC-1'],
      operator: false,
      manager: ['CC-1'],
    });
  });

  test('gives and takes roles, and keeps those that the file does not name', async () => {
    await apply(text);
    const rolesOf = async () =>
      (await exportDirectory(platform.db)).users?.map(({ email, operator, manager }) => [
        email,
        operator,
        manager,
      ]);
    const users = (...lines: readonly string[]) => ['users:', ...lines].join('\n');
    await apply(users('  - { email: nora@shop.test, customerCodes: [CC-1, CC-2], manager: true }'));
    await apply(users('  - { email: Anna@shop.test, operator: true, manager: false }'));
    expect(await rolesOf()).toEqual([
      ['Anna@shop.test', true, []],
      ['nora@shop.test', false, ['CC-1', 'CC-2']],
    ]);
    // leaving an organisation ends managing it
    await apply(users('  - { email: nora@shop.test, name: Nora, customerCodes: [CC-2] }'));
    expect(await rolesOf()).toContainEqual(['nora@shop.test', false, ['CC-2']]);
    const plan = async (line: string) => {
      const read = readDirectoryFile(users(line));
      if ('mistakes' in read) throw new Error(read.mistakes.join());
      const made = await applyDirectory(platform, read.directory);
      return 'mistakes' in made ? made.mistakes.map((mistake) => mistake.text) : made.changes;
    };
    expect(await plan('  - { email: nora@shop.test, manager: [CC-1] }')).toEqual([
      'user nora@shop.test: cannot manage CC-1 without that customer code',
    ]);
    const last = ['the last operator must stay one: make another user an operator first'];
    expect(await plan('  - { email: anna@shop.test, operator: false }')).toEqual(last);
    expect(await plan('  - { email: anna@shop.test, remove: true }')).toEqual(last);
    // an operator without access to the portal administers nothing
    await apply(users('  - { email: nora@shop.test, operator: true }'));
    expect(await plan('  - { email: anna@shop.test, operator: false }')).toEqual(last);
    await apply(users('  - { email: nora@shop.test, portalAccess: true }'));
    await apply(users('  - { email: anna@shop.test, remove: true }'));
    expect(await rolesOf()).toEqual([['nora@shop.test', true, ['CC-2']]]);
  });

  test('keeps what the file does not list, and keeps a master’s secret when it moves', async () => {
    await apply(text);
    const first = await getOrganisation('CC-1');
    const key = async (owner: typeof first, groupCode: string) => {
      const found = await findSlaveForRead(platform.db, owner, {
        family: 'kessv2',
        masterSerial: 'M-2',
        slaveSerial: 'S-3',
        groupCode,
      });
      if (typeof found === 'string' || 'otherGroup' in found) return found;
      return getPairKey(platform, found.master, found.slave, 1);
    };
    const before = await key(first, 'G-2');
    expect(before).toHaveLength(32);
    expect(
      await apply(`
organisations:
  - customerCode: CC-2
    name: Garage
    rights: [kess3]
    groupCodes: [{ code: G-9, masters: [{ family: kessv2, serial: M-2 }] }]
users:
  - { email: anna@shop.test, name: Anna Maria }
`),
    ).toEqual([
      '~ organisation CC-2: rights',
      '+ group code CC-2 G-9',
      '~ master device kessv2 M-2: moves from CC-1 to CC-2 (customerCode, groupCode)',
      '~ user anna@shop.test: email, name',
    ]);
    expect(await key(await getOrganisation('CC-2'), 'G-9')).toEqual(before);
    expect(await key(first, 'G-2')).toBe('wrong-master');
    const { users } = await exportDirectory(platform.db);
    expect(users?.[0]).toMatchObject({ name: 'Anna Maria', customerCodes: ['CC-2', 'CC-1'] });
  });

  test('reports a slave that moves to a master of another organisation, or loses its owner', async () => {
    const slave = (code: string, master: string, owner: string) => `
organisations:
  - customerCode: ${code}
    name: Garage
    groupCodes:
      - code: G-7
        masters: [{ family: kess3, serial: ${master}, slaves: [{ serial: S-7, owner: ${owner} }] }]
`;
    await apply(slave('CC-7', 'M-7', 'CC-7'));
    await apply(slave('CC-7', 'M-7b', 'CC-7'));
    expect(await apply(slave('CC-8', 'M-8', 'null'))).toContain(
      '~ slave device kess3 S-7: moves from the owner CC-7 to no owner, moves from the master M-7b of CC-7 to M-8 of CC-8 (masterSerial, owner)',
    );
    // its first owner is not a move
    expect(await apply(slave('CC-8', 'M-8', 'CC-8'))).toEqual(['~ slave device kess3 S-7: owner']);
  });

  test.each([
    'm\u0130a@shop.test',
    'ni\u212Aa@shop.test',
    'M\u00DCLLER@shop.test',
    '\uFB01@shop.test',
  ])(
    'refuses the new user %s, whose address could be taken for another, and can remove it',
    async (email) => {
      const users = (rest = '') => `users: [{ email: ${email}${rest} }]`;
      expect(await apply(users())).toEqual([
        expect.stringMatching(/^user .+ must be in lower case/),
      ]);
      const row = { guid: newGuid(), email, display_name: 'Mia', has_portal_access: true };
      await platform.db.insertInto('account').values(row).execute();
      expect(await apply(users())).toEqual([]);
      expect(await apply(users(', remove: true'))).toHaveLength(1);
    },
  );

  test('takes addresses that differ in the case of ASCII letters for one user', async () => {
    await apply('users: [{ email: m\u00FCller@shop.test }]');
    expect(await apply('users: [{ email: M\u00DCLLER@shop.test }]')).toHaveLength(1);
    expect(await apply('users: [{ email: M\u00FCller@Shop.test, name: Eva }]')).toEqual([
      '~ user m\u00FCller@shop.test: email, name',
    ]);
  });

  test('removes entries marked for removal, once', async () => {
    await apply(text);
    const removal = `
organisations:
  - customerCode: CC-1
    name: Officina
    groupCodes:
      - code: G-1
        masters: [{ family: kessv2, serial: M-1, slaves: [{ serial: S-2, remove: true }] }]
      - code: G-2
        remove: true
        masters: [{ family: kessv2, serial: M-2, remove: true }]
users: [{ email: NORA@shop.test, remove: true }]
`;
    expect(await apply(removal)).toEqual([
      '- user nora@shop.test',
      '- slave device kessv2 S-2',
      '- master device kessv2 M-2',
      '- group code CC-1 G-2',
    ]);
    expect(await apply(removal)).toEqual([]);
    const left = await platform.db.selectFrom('slave_device').select('serial_number').execute();
    expect(left).toEqual([{ serial_number: 'S-1' }]);
  });

  test('leaves the name of an organisation unchanged if the file has none, but a new one needs it', async () => {
    await apply(text);
    const rights = (code: string): string => `
organisations:
  - customerCode: ${code}
    rights: [ktag]
`;
    expect(await apply(rights('CC-2'))).toEqual(['~ organisation CC-2: rights']);
    const { organisations = [] } = await exportDirectory(platform.db);
    expect(organisations.find(({ customerCode }) => customerCode === 'CC-2')?.name).toBe('Garage');
    expect(await apply(rights('CC-3'))).toEqual([
      'organisation CC-3: a new organisation needs a name',
    ]);
  });

  test('applies everything or nothing', async () => {
    await apply(text);
    const before = await exportDirectory(platform.db);
    expect(
      await apply(`
organisations:
  - customerCode: CC-1
    name: Renamed
    groupCodes: [{ code: G-2, remove: true }]
  - customerCode: CC-3
    name: New
    groupCodes:
      - { code: G-3, masters: [{ family: ktag, serial: T-1, slaves: [{ serial: T-2, owner: CC-77 }] }] }
users: [{ email: x@shop.test, customerCodes: [CC-3, CC-88] }]
`),
    ).toEqual([
      'slave T-2: its owner CC-77 does not exist',
      'user x@shop.test: customer code CC-88 does not exist',
      'group code CC-1 G-2: cannot be removed while it has master M-2',
    ]);
    expect(await exportDirectory(platform.db)).toEqual(before);
  });

  test('creates everything once if two run concurrently', async () => {
    const counts = await Promise.all([apply(text), apply(text)]);
    expect(counts.map(({ length }) => length).toSorted((one, other) => one - other)).toEqual([
      0, 11,
    ]);
  });
});

describe('the key of a read file', () => {
  // promise d5.devices.group
  test('is found by master, slave and group, or the reason why not', async () => {
    await apply(text);
    const [first, second] = [await getOrganisation('CC-1'), await getOrganisation('CC-2')];
    const find = (
      masterSerial: string,
      slaveSerial: string,
      groupCode = 'G-1',
      organisation = first,
    ) =>
      findSlaveForRead(platform.db, organisation, {
        family: 'kessv2',
        masterSerial,
        slaveSerial,
        groupCode,
      });
    expect(await find('M-1', 'S-1')).toMatchObject({
      slave: { serialNumber: 'S-1' },
      master: { serialNumber: 'M-1', groupCode: 'G-1' },
      owner: { customerCode: 'CC-2', name: 'Garage' },
    });
    expect(await find('M-2', 'S-3', 'G-2')).toMatchObject({ owner: null });
    expect(await find('M-2', 'S-3')).toEqual({ otherGroup: 'G-2' });
    expect(await find('M-9', 'S-1')).toBe('wrong-master');
    expect(await find('M-1', 'S-9')).toBe('unknown-slave');
    // linked to another master, revoked
    expect(await find('M-1', 'S-3')).toBe('unknown-slave');
    expect(await find('M-1', 'S-2')).toBe('unknown-slave');
    // of another organisation, which is treated as unknown
    expect(await find('M-1', 'S-1', 'G-1', second)).toBe('wrong-master');
  });

  test('is not returned if its ID was revoked or never existed', async () => {
    await apply(text);
    const found = await findSlaveForRead(platform.db, await getOrganisation('CC-1'), {
      family: 'kessv2',
      masterSerial: 'M-1',
      slaveSerial: 'S-1',
      groupCode: 'G-1',
    });
    if (typeof found === 'string' || 'otherGroup' in found) throw new Error('not found');
    const { master, slave } = found;
    expect(await getPairKey(platform, master, slave, 1)).toHaveLength(32);
    expect(await getPairKey(platform, master, slave, 2)).toBeNull();
    expect(await getPairKey(platform, master, { ...slave, revokedKeyIds: [1] }, 1)).toBeNull();
  });
});
