/** Rights in all families and modes: entry points, flags and sending, refused in the right order. */
import { engineDefinitions } from '@recodery/contract/features/engines';
import type { Family } from '@recodery/contract/families/registry';
import { session as sessionShape } from '@recodery/contract/features/session';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RightName } from '../../../src/organisations/directory/directory-file.ts';
import { applyDirectory } from '../../../src/organisations/directory/directory.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { imagesOf, seal, uploadTo } from './component-workflow.ts';
import { decodeKess3, encodeObd, uploadKess3 } from './kess3-workflow.ts';
import { started } from './kessv2-workflow.ts';

const families: readonly Family[] = ['kessv2', 'ktag', 'kess3'];
/** Each entry point with its request. */
const entries = {
  kessv2: '/api/kessv2',
  ktag: '/api/ktag',
  kess3: '/api/kess3',
  recod: '/api/kess3?mode=recod',
  utility: '/api/kess3?mode=utility',
} as const;

let portal: RunningPortal;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '20' });
});
afterAll(() => portal.stop());

let count = 0;
/** A user of a new organisation with these rights; with a master and a slave of each family, or without. */
async function createUserWithRights(
  rights: readonly RightName[],
  hasDevices = true,
): Promise<{
  readonly client: Client;
  readonly serial: (family: Family) => string;
  may(rights: readonly RightName[]): Promise<void>;
}> {
  count += 1;
  const customerCode = `CC-T${count}`;
  const email = `t${count}@rights.test`;
  const serial = (family: Family): string => `${family}-T${count}`;
  const masters = families.map((family) => ({
    family,
    serial: `${family}-M-T${count}`,
    slaves: [{ serial: serial(family) }],
  }));
  const may = async (now: readonly RightName[]): Promise<void> => {
    await applyDirectory(portal.platform, {
      organisations: [
        {
          customerCode,
          name: customerCode,
          rights: [...now],
          groupCodes: hasDevices ? [{ code: `G-T${count}`, masters }] : [],
        },
      ],
      users: [{ email, name: email, customerCodes: [customerCode] }],
    });
  };
  await may(rights);
  return { client: await portal.signIn(email), serial, may };
}

async function answersOf(client: Client): Promise<Record<keyof typeof entries, string>> {
  const answers = await Promise.all(
    Object.entries(entries).map(async ([name, path]) => {
      const answer = await client.get(path);
      return [name, answer.status === 200 ? 'may' : answer.text];
    }),
  );
  return Object.fromEntries(answers) as Record<keyof typeof entries, string>;
}

describe('the entry points', () => {
  const noRights = 'USER_NO_RIGHTS';
  const noFeature = 'FeatureNotAvailable';
  // promise 4.entry.allowed, 5.files.recod-right, 5.files.utility-right, 6.roles.needs-slave
  // promise 6.roles.needs-kess3-slave, 6.roles.no-feature, d4.session.entries, d5.rights.order
  test.each<{ title: string; rights: RightName[]; hasDevices: boolean; expected: object }>([
    {
      title: 'every right',
      rights: ['kessv2', 'ktag', 'kess3', 'recod', 'utility'],
      hasDevices: true,
      expected: { kessv2: 'may', ktag: 'may', kess3: 'may', recod: 'may', utility: 'may' },
    },
    {
      title: 'recoding, but not the utility',
      rights: ['ktag', 'kess3', 'recod'],
      hasDevices: true,
      expected: { kessv2: noFeature, ktag: 'may', kess3: 'may', recod: 'may', utility: noRights },
    },
    {
      title: 'the utility, but not recoding',
      rights: ['ktag', 'kess3', 'utility'],
      hasDevices: true,
      expected: { ktag: 'may', kess3: noRights, recod: noRights, utility: 'may' },
    },
    {
      title: 'no family',
      rights: ['recod', 'utility'],
      hasDevices: true,
      expected: { kessv2: noFeature, ktag: noFeature, recod: noFeature, utility: noFeature },
    },
    {
      title: 'no device',
      rights: ['kessv2', 'ktag', 'kess3', 'recod', 'utility'],
      hasDevices: false,
      expected: {
        kessv2: 'USER_NOT_AUTHORIZED',
        ktag: 'USER_NOT_AUTHORIZED',
        kess3: 'USER_NOT_AUTHORIZED_KESS3',
        utility: 'USER_NOT_AUTHORIZED_KESS3',
      },
    },
    {
      title: 'neither right nor family nor device: the right is checked first, where one is needed',
      rights: [],
      hasDevices: false,
      expected: { kessv2: noFeature, ktag: noFeature, kess3: noRights, utility: noRights },
    },
    {
      title: 'neither family nor device: the family is checked before the device',
      rights: ['recod', 'utility'],
      hasDevices: false,
      expected: { kessv2: noFeature, ktag: noFeature, kess3: noFeature, utility: noFeature },
    },
  ])('with $title', async ({ rights, hasDevices, expected }) => {
    const { client } = await createUserWithRights(rights, hasDevices);
    const answers = await answersOf(client);
    expect(answers).toMatchObject(expected);
    const { entries } = sessionShape.parse(
      (await client.get(`/api/auth/session/${client.sessionId}`)).json,
    );
    const { recod, utility, ...plain } = answers;
    expect(recod).toBe(plain.kess3);
    expect(
      Object.fromEntries(
        Object.entries(entries).map(([page, refusal]) => [page, refusal ?? 'may']),
      ),
    ).toMatchObject({ ...plain, 'kess3-utility': utility });
  });

  // promise 3.entry.send-fields, 3.entry.rights, 3.entry.kess3-flags, 6.roles.flags
  test("return the page's rights", async () => {
    const { client, may } = await createUserWithRights(['kess3', 'recod']);
    const read = async () => (await client.get('/api/kess3')).json;
    expect(await read()).toEqual({
      isAutoSendEnabled: false,
      autoSendDefaultAction: 'Encode',
      defaultAutoSendAction: 'Encode',
      isAutoSendNotificationPrivateByDefault: true,
      canUseReCod: true,
      canUseUtility: false,
      engine: { name: 'built-in', kind: 'built-in', offers: engineDefinitions['built-in'].offers },
      foreignFileMasters: [],
      kess3ActiveFileSlotCreationResult: null,
      kess3CanSkipChecksum: false,
      kess3HasIsDebugFlag: false,
    });
    await may(['kess3', 'recod', 'utility', 'autoSend', 'skipChecksum', 'debug']);
    expect(await read()).toMatchObject({
      isAutoSendEnabled: true,
      canUseUtility: true,
      kess3CanSkipChecksum: true,
      kess3HasIsDebugFlag: true,
    });
  });

  // promise 7.recoding.entry-kess3
  test('have no third mode', async () => {
    const { client } = await createUserWithRights(['kess3', 'recod']);
    const answer = await client.get('/api/kess3?mode=debug');
    expect([answer.status, answer.text]).toEqual([400, 'BAD_REQUEST']);
  });
});

const forbidden = [403, 'USER_NO_RIGHTS'];

describe('a read', () => {
  // promise d5.rights.flags
  test.each([
    ['from the utility', '?fromUtility=true', ['kess3', 'recod', 'skipChecksum', 'debug']],
    ['from the recoding', '', ['kess3', 'utility', 'skipChecksum', 'debug']],
    ['with skipped checksums', '?skipChecksum=true', ['kess3', 'recod', 'debug']],
    ['with the debug flag', '?hasDebugFlag=true', ['kess3', 'recod', 'skipChecksum']],
    [
      'with both from the utility',
      '?fromUtility=true&skipChecksum=true&hasDebugFlag=true',
      ['kess3', 'utility', 'debug'],
    ],
  ] as const)(
    '%s is refused without its right, and no byte of it is received',
    async (_, query, rights) => {
      const { client } = await createUserWithRights(rights);
      const answer = await uploadKess3(client, new Uint8Array(100), query);
      expect([answer.status, answer.text]).toEqual(forbidden);
      const everyRight = [...rights, 'recod', 'utility', 'skipChecksum', 'debug'] as const;
      const { client: other } = await createUserWithRights(everyRight);
      started(await uploadKess3(other, new Uint8Array(100), query));
    },
  );
});

describe('an encode', () => {
  async function decoded(rights: readonly RightName[], utility = false) {
    const hired = await createUserWithRights(rights);
    const slave = await portal.getSlave('kess3', hired.serial('kess3'));
    const read = {
      protocolId: 9000,
      mode: 'obd',
      images: imagesOf(9000, 1, { obd: 1024 }),
    } as const;
    const query = utility ? '?fromUtility=true' : '';
    const workflow = utility ? 'kess3-utility' : 'kess3';
    const { kess3FileSlotGUID } = await decodeKess3(hired.client, slave, read, { workflow, query });
    return { ...hired, slot: kess3FileSlotGUID };
  }

  // promise d5.rights.flags
  test.each([
    ['with skipped checksums', { willSkipChecksum: true }],
    ['that is sent', { notificationInfo: { email: 'garage@rossi.test', message: 'ready' } }],
  ])('%s is refused without its right, and allowed with it', async (_, asked) => {
    const { client, slot, may } = await decoded(['kess3', 'recod']);
    const body = { kess3FileSlotGUID: slot, ...asked };
    const answer = await client.post('/api/kess3/encode-obd-file', body);
    expect([answer.status, answer.text]).toEqual(forbidden);
    await may(['kess3', 'recod', 'skipChecksum', 'autoSend']);
    await encodeObd(client, slot, {}, asked);
  });

  test('of a backup needs the right to the utility, even for uploads', async () => {
    const { client, slot, may } = await decoded(['kess3', 'utility', 'recod'], true);
    await may(['kess3', 'recod']);
    const answer = await client.post('/api/kess3/encode-obd-file', { kess3FileSlotGUID: slot });
    expect([answer.status, answer.text]).toEqual(forbidden);
    const upload = await client.upload('PUT', `/api/kess3/upload-modified-file/${slot}/mod`, {
      field: 'file',
      bytes: new Uint8Array(1024),
    });
    expect([upload.status, upload.text]).toEqual(forbidden);
  });

  // promise d5.rights.running
  test('is refused for a family without a subscription', async () => {
    const { client, slot, may } = await decoded(['kess3', 'recod']);
    await may(['recod']);
    const answer = await client.post('/api/kess3/encode-obd-file', { kess3FileSlotGUID: slot });
    expect([answer.status, answer.text]).toEqual([403, 'FeatureNotAvailable']);
  });
});

// promise 3.entry.running, 7.recoding.entry-ktag
test('a running operation is resumed on the page that started it, and on no other', async () => {
  const idle = await startTestPortal({}, false);
  const anna = await idle.signIn('anna@demo.test');
  const running = async (path: string, field: string) => {
    const json = (await anna.get(path)).json as Record<string, { guid: string } | null>;
    return json[field]?.guid ?? null;
  };
  const kess3 = (mode: string) =>
    running(`/api/kess3?mode=${mode}`, 'kess3ActiveFileSlotCreationResult');
  const slave = await idle.getSlave('kess3', 'KS3-000042');
  const read = { protocolId: 9000, mode: 'obd', images: imagesOf(9000, 1, { obd: 1024 }) } as const;
  const bytes = seal(slave, read, { workflow: 'kess3-utility' });
  const unpacking = started(await uploadKess3(anna, bytes, '?fromUtility=true'));
  expect([await kess3('utility'), await kess3('recod')]).toEqual([unpacking.guid, null]);
  const ktag = started(await uploadTo(anna, '/api/ktag/upload-read-backup', new Uint8Array(10)));
  expect(await running('/api/ktag', 'ktagActiveFileSlotCreationResult')).toBe(ktag.guid);
  expect(await kess3('utility')).toBe(unpacking.guid);
  const reading = started(await uploadKess3(anna, seal(slave, read)));
  // the organisation's quota of three is used up: the page resumes the first one in the response
  for (const [path, own] of [
    ['/api/kess3?mode=utility', [unpacking.guid, reading.guid]],
    ['/api/ktag', [ktag.guid]],
    ['/api/kessv2', []],
  ] as const) {
    const answer = await anna.get(path);
    const { details } = answer.json as { details: { guid: string }[] };
    expect([path, answer.status, details.map(({ guid }) => guid)]).toEqual([path, 429, own]);
  }
  await idle.stop();
});
