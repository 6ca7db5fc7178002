/** The tasks of a decode, an upload and an encode name the organisation whose files they read: by this, the pool chooses an engine. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EnginePoolOptions } from '../../src/engine/built-in/pool.ts';
import { findOrganisationByCode } from '../../src/organisations/organisations.ts';
import { type RunningPortal, startTestPortal, testPace } from '../fixtures/running-portal.ts';
import { shareEngines } from '../fixtures/shared-engines.ts';
import { decode, encode, sealImage, uploadImage } from '../journeys/families/kessv2-workflow.ts';

/** The tasks of each organisation. */
const tasks = new Map<string, Set<string>>();

async function recordTasks(options: EnginePoolOptions) {
  const pool = await shareEngines(options);
  const run: typeof pool.run = (task, organisation, signal) => {
    tasks.set(organisation, (tasks.get(organisation) ?? new Set()).add(task.kind));
    return pool.run(task, organisation, signal);
  };
  return { ...pool, run };
}

let portal: RunningPortal;
beforeAll(async () => {
  portal = await startTestPortal({}, true, testPace, undefined, recordTasks);
});
afterAll(() => portal.stop());

// promise d8.engine.one-organisation
test.each([
  ['anna@demo.test', 'CC-1001', 'KV2-000007'],
  ['mia@demo.test', 'CC-3003', 'KV2-003003'],
])('the tasks of %s name the organisation %s', async (email, code, serial) => {
  tasks.clear();
  const user = await portal.signIn(email);
  const slave = await portal.getSlave('kessv2', serial);
  const image = new Uint8Array(4096).fill(7);
  const { kessv2SlotGUID: slot } = await decode(user, sealImage(slave, 9000, image));
  const { status } = await uploadImage(user, 'modified', slot, image.toReversed());
  expect(status).toBe(200);
  await encode(user, { kessv2FileSlotGUID: slot }, 'reencode-decoded-file');
  const organisation = await findOrganisationByCode(portal.platform.db, code);
  expect([...tasks.keys()]).toEqual([organisation]);
  expect([...(tasks.get(String(organisation)) ?? [])].toSorted()).toEqual([
    'check-modified',
    'decode',
    'encode',
  ]);
});
