/** The suggestion in the send popup: the workshop that owns the slave, in every family. */
import { type ContainerFamily, containerFamilies } from '@recodery/contract/families/registry';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../fixtures/client.ts';
import { demoSlaves, readPaths, usualRead } from '../../fixtures/demo-devices.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { imagesOf, resultOf, seal, uploadTo } from './component-workflow.ts';
import { started } from './kessv2-workflow.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_PARALLEL_OPERATIONS: '20' });
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

/** Decodes a read of a slave; returns its slot. */
async function slotOf(family: ContainerFamily, serial: string, query = ''): Promise<string> {
  const { mode, part } = usualRead(family);
  const slave = await portal.getSlave(family, serial);
  const images = imagesOf(9000, 1, { [part]: 1024 });
  const bytes = seal(slave, { protocolId: 9000, mode, images });
  const answer = await uploadTo(anna, readPaths[family] + query, bytes);
  await resultOf(anna, answer);
  return started(answer).slotGUID ?? '';
}

async function detailsOf(family: ContainerFamily, slot: string) {
  const answer = await anna.get(`/api/${family}/notification-details/${slot}`);
  return [answer.status, answer.json ?? answer.text];
}

// promise 3.records.details, 7.recoding.kessv2-details, 7.recoding.ktag-details
// promise 7.recoding.kess3-details
test.each(containerFamilies)(
  'the name and address of the slave’s workshop are suggested in %s',
  async (family) => {
    const slot = await slotOf(family, demoSlaves[family]);
    expect(await detailsOf(family, slot)).toEqual([
      200,
      {
        slaveOrganizationName: 'Garage Rossi',
        slaveOrganizationEmailAddress: 'garage@rossi.test',
      },
    ]);
    const others = containerFamilies.filter((other) => other !== family);
    for (const other of others) {
      const answer = await anna.get(`/api/${other}/notification-details/${slot}`);
      expect([answer.status, answer.text]).toEqual([404, 'NOT_FOUND']);
    }
  },
);

test('a read that was never decoded suggests no recipient', async () => {
  const answer = await uploadTo(anna, '/api/kessv2/upload-read-file', new Uint8Array(10));
  const { slotGUID } = started(answer);
  expect(await detailsOf('kessv2', slotGUID ?? '')).toEqual([
    200,
    { slaveOrganizationName: null, slaveOrganizationEmailAddress: null },
  ]);
});
