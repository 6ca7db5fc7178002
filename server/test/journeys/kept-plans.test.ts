/** Connections keep the plans of frequent statements, and a newer version can change their tables meanwhile. */
import { randomBytes } from 'node:crypto';
import { uploadHeader } from '@recodery/contract/headers';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { accept, decode, encode, sealImage } from './families/kessv2-workflow.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

const countDownloads = async (): Promise<number> =>
  (await portal.platform.db.selectFrom('download').select('guid').execute()).length;

/** Decodes a read, uploads a modified image, encodes it and the decoded one, and downloads a file. */
async function runCycle(): Promise<void> {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const image = randomBytes(4096);
  const { kessv2SlotGUID: slot } = await decode(anna, sealImage(slave, 9000, image));
  const uploaded = await anna.upload('PUT', `/api/kessv2/upload-modified-file/${slot}`, {
    field: 'modifiedFile',
    bytes: image.with(0, (image[0] ?? 0) ^ 1),
    headers: { [uploadHeader]: 'one' },
  });
  expect([uploaded.status, uploaded.text]).toEqual([200, uploaded.text]);
  const { fileGUID: modifiedFileGUID } = uploaded.json as { fileGUID: string };
  const draft = await anna.get(`/api/slots/${slot}/draft`);
  expect(draft.json).toMatchObject({ files: [{ fileGUID: modifiedFileGUID }] });
  const result = await encode(anna, { kessv2FileSlotGUID: slot, modifiedFileGUID });
  await encode(anna, { kessv2FileSlotGUID: slot }, 'reencode-decoded-file');
  const before = await countDownloads();
  await accept(anna, slave, result);
  await expect.poll(countDownloads).toBe(before + 1);
}

/** Collects the statements whose plans connections keep. */
function collectKept(): ReadonlySet<string> {
  const { query } = pg.Client.prototype;
  const kept = new Set<string>();
  const collecting = function (this: pg.Client, ...asked: readonly unknown[]): unknown {
    const [{ name, text }] = asked as [{ name?: string; text: string }];
    if (name !== undefined) kept.add(text);
    return Reflect.apply(query, this, asked);
  };
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(collecting);
  return kept;
}

/** Plans statements in one connection, before and after a change; throws for a plan that is no longer valid. */
function planAround(texts: readonly string[], change: () => Promise<void>): Promise<void> {
  return portal.platform.db.connection().execute(async (one) => {
    for (const [index, text] of texts.entries())
      await sql.raw(`prepare kept_${index} as ${text}`).execute(one);
    await change();
    for (const [index, text] of texts.entries()) {
      const last = Math.max(
        0,
        ...Array.from(text.matchAll(/\$(\d+)/g), ([, place]) => Number(place)),
      );
      const values = last === 0 ? '' : `(${Array(last).fill('null').join()})`;
      await sql.raw(`explain execute kept_${index} ${values}`).execute(one);
    }
  });
}

test('decodes, uploads, encodes and downloads continue after columns have been added to all tables', async () => {
  const kept = collectKept();
  // connections that the next cycle can use have plans
  for (let round = 0; round < 3; round += 1) await runCycle();
  vi.restoreAllMocks();
  const texts = [...kept];
  for (const statement of [
    /^with write_0 as \(insert into "stored_file".* update "operation"/s,
    /^insert into "stored_file"/,
    /^update "slot" set "draft"/,
    /from slot cross join jsonb_each/,
    /select record_downloads\(/,
  ])
    expect(texts).toContainEqual(expect.stringMatching(statement));
  const { db } = portal.platform;
  const tables = await db.introspection.getTables();
  // the next cycle can use a connection that has not yet planned one of them
  await planAround(texts, async () => {
    for (const { name, isView } of tables) {
      if (!isView)
        await sql`alter table ${sql.table(name)} add column of_next_version text`.execute(db);
    }
  });
  const attempts = () => db.selectFrom('operation').select(['attempt', 'status']).execute();
  await runCycle();
  expect(await attempts()).toEqual(
    Array.from({ length: 12 }, () => ({ attempt: 1, status: 'succeeded' })),
  );
});
