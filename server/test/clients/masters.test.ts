/** Which master device decodes a read file that a program or a user uploads through the portal's own API. */
import type { Operation } from '@recodery/contract/features/operations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { uploadKess3 } from '../journeys/families/kess3-workflow.ts';
import { sealImage, started } from '../journeys/families/kessv2-workflow.ts';

let portal: RunningPortal;
let program: Client;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('anna@demo.test');
  program = (await portal.addClient()).client;
});
afterAll(() => portal.stop());

async function decode(
  client: Client,
  serial: string,
  query = '',
  otherwise: Parameters<typeof sealImage>[3] = {},
): Promise<Operation> {
  const slave = await portal.getSlave('kess3', serial);
  const read = sealImage(slave, 9000, new Uint8Array(1024), otherwise);
  return client.follow(started(await uploadKess3(client, read, query)));
}

async function groupOf({ slotGUID }: Operation): Promise<string> {
  const query = portal.platform.db.selectFrom('slot').where('guid', '=', slotGUID);
  return (await query.select('group_code').executeTakeFirstOrThrow()).group_code;
}

// promise e2.masters.file, 2.devices.automatic
test.each([
  { serial: 'KS3-000042', group: 'G-10' },
  { serial: 'KS3-000043', group: 'G-11' },
])('a read of $serial is decoded by the master that the file names', async ({ serial, group }) => {
  for (const client of [program, anna]) {
    const done = await decode(client, serial);
    expect(done.error).toBeNull();
    expect(await groupOf(done)).toBe(group);
  }
});

test('a backup for the utility is decoded by the master that it names', async () => {
  const backup = { workflow: 'kess3-utility' } as const;
  const done = await decode(program, 'KS3-000043', '?fromUtility=true', backup);
  expect(done.error).toBeNull();
  expect(await groupOf(done)).toBe('G-11');
});

// promise e2.masters.query
test.each(['groupCode=G-10', 'masterDeviceSerialNumber=KS3-M-0001'])(
  'the master of the query ?%s comes before the file',
  async (query) => {
    for (const client of [program, anna]) {
      const done = await decode(client, 'KS3-000043', `?${query}`);
      expect(done.error).toMatchObject({ errorName: 'KESS3_TOOL_NOT_FOUND', detail: 'G-11' });
    }
  },
);
