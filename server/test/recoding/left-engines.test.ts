/** While the result of a decode or an encode is stored, the next operation uses its engine. */
import { generateImage } from '@recodery/codec/sample-images/images';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import {
  decode,
  keepImage,
  protocolOf,
  sealImage,
  started,
  uploadRead,
} from '../journeys/families/kessv2-workflow.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal({ RECODERY_ENGINES: '1', RECODERY_PARALLEL_OPERATIONS: '10' });
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

async function readOf(seed: number) {
  const image = generateImage(protocolOf(9000), 'obd', seed, 4096);
  return { image, read: sealImage(await portal.getSlave('kessv2', 'KV2-000007'), 9000, image) };
}

/** Has operations that wait run, while no result can be stored; returns their statuses in the order of their start. */
async function statusesUnstored(guids: readonly string[]): Promise<readonly string[]> {
  const { db } = portal.platform;
  const read = async () => {
    const operations = db.selectFrom('operation').select('status').where('guid', 'in', guids);
    return (await operations.orderBy('guid').execute()).map(({ status }) => status);
  };
  return db.transaction().execute(async (trx) => {
    // what ends an operation locks the organisation
    await sql`select from organisation for no key update`.execute(trx);
    await portal.startWorker();
    await expect.poll(read).not.toContain('waiting');
    return read();
  });
}

test('two decodes are in progress with one engine, the first of which is being stored', async () => {
  const reads = [await readOf(1), await readOf(2)];
  await portal.stopWorker();
  const guids: string[] = [];
  for (const { read } of reads) guids.push(started(await uploadRead(anna, read)).guid);
  expect(await statusesUnstored(guids)).toEqual(['running', 'running']);
});

test('two encodes are in progress with one engine, the first of which is being stored', async () => {
  const asked: { readonly kessv2FileSlotGUID: string; readonly modifiedFileGUID: string }[] = [];
  for (const { image, read } of [await readOf(3), await readOf(4)]) {
    const { kessv2SlotGUID } = await decode(anna, read);
    const modified = image.with(100, (image[100] ?? 0) ^ 1);
    const { fileGUID } = await keepImage(anna, 'modified', kessv2SlotGUID, modified);
    asked.push({ kessv2FileSlotGUID: kessv2SlotGUID, modifiedFileGUID: fileGUID });
  }
  await portal.stopWorker();
  const guids: string[] = [];
  for (const body of asked)
    guids.push(started(await anna.post('/api/kessv2/encode-file', body)).guid);
  expect(await statusesUnstored(guids)).toEqual(['running', 'running']);
});
