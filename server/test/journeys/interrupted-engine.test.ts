/**
 * Engines that are stopped or killed from outside: other engines do their work, and no file is reported as the cause.
 */
import type { DecodeResult } from '@recodery/contract/families/kessv2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEnginePool } from '../../src/engine/built-in/pool.ts';
import type { Answer, Client } from '../fixtures/client.ts';
import { findEngines, signalEngines } from '../fixtures/recodery-process.ts';
import { type RunningPortal, startTestPortal, testPace } from '../fixtures/running-portal.ts';
import { errorOf, uploadTo } from './families/component-workflow.ts';
import { decode, sealImage } from './families/kessv2-workflow.ts';

const image = new Uint8Array(4096).fill(7);

let portal: RunningPortal;
let anna: Client;
let read: Uint8Array;
beforeAll(async () => {
  // not the engines that the files of this process share
  portal = await startTestPortal({}, true, testPace, undefined, createEnginePool);
  anna = await portal.signIn('anna@demo.test');
  read = sealImage(await portal.getSlave('kessv2', 'KV2-000007'), 9000, image);
});
afterAll(() => portal.stop());

function uploadModified({ kessv2SlotGUID }: DecodeResult): Promise<Answer> {
  const path = `/api/kessv2/upload-modified-file/${kessv2SlotGUID}`;
  return anna.upload('PUT', path, {
    field: 'modifiedFile',
    name: 'a.bin',
    bytes: image.toReversed(),
  });
}

/** One of the portal and one of the worker, and a spare process of each. */
const all = 4;

const listEngines = () => findEngines(process, portal.platform.config.dataDir);
const killEngines = () => signalEngines(process, 'SIGKILL', portal.platform.config.dataDir);

function stopEngines(): void {
  const engines = listEngines();
  expect(engines).toHaveLength(all);
  for (const engine of engines) process.kill(engine, 'SIGSTOP');
}

// promise d8.engine.interrupted
test('a stopped engine is replaced, and the decode that it was given succeeds', async () => {
  stopEngines();
  await decode(anna, read);
  const rows = await portal.platform.db
    .selectFrom('operation')
    .select(['crashes', 'attempt'])
    .execute();
  expect(rows).toEqual([{ crashes: 0, attempt: 1 }]);
});

// promise d8.engine.interrupted
test('a stopped engine is replaced, and the upload that it should check is accepted', async () => {
  const slot = await decode(anna, read);
  await expect.poll(() => listEngines()).toHaveLength(all);
  stopEngines();
  expect((await uploadModified(slot)).status).toBe(200);
});

test('a file that is no read is refused as such, even if each engine that looks at it is killed', async () => {
  const release = killEngines();
  const started = await uploadTo(anna, '/api/kessv2/upload-read-file', Buffer.alloc(2000, 'x'));
  const error = await errorOf(anna, started).finally(release);
  expect(error).toMatchObject({ errorName: 'INVALID_FILE', cause: 'FILE_NOT_RECOGNIZED' });
  await expect.poll(() => listEngines()).toHaveLength(all);
});

test('an upload gets 503 while every engine is killed', async () => {
  const slot = await decode(anna, read);
  const release = killEngines();
  const answer = await uploadModified(slot).finally(release);
  expect(answer.status).toBe(503);
  expect(answer.text).toBe('SERVICE_UNAVAILABLE');
  // the failed start of an engine that was killed at the end would also end the next upload
  await expect.poll(() => listEngines()).toHaveLength(all);
  expect((await uploadModified(slot)).status).toBe(200);
});
