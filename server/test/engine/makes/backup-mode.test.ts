/** AutoTuner's complete backups: their form is not known, so they are named and refused, and nothing of them is stored. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Client } from '../../fixtures/client.ts';
import { autotunerMake as make } from '../../../src/demo/doubles/autotuner.ts';
import { type FakeService, startFakeService } from '../../fixtures/makes/fake-service.ts';
import { addMake } from '../../fixtures/makes/make-portal.ts';
import { zipOf } from '../../../src/demo/doubles/zip-of.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';

let service: FakeService;
let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  service = await startFakeService(make);
  portal = await startTestPortal();
  await addMake(portal.platform, service);
  anna = await portal.signIn('anna@demo.test');
});
beforeEach(() => {
  service.requests.length = 0;
});
afterAll(async () => {
  await portal.stop();
  await service.stop();
});

const memories = ['iflash0', 'iflash1', 'dflash0'].map((name) => ({
  name,
  content: randomBytes(64),
}));

// promise e3.makes.backup
test.each<[string, (answer: Record<string, unknown>) => unknown]>([
  ['that the service opens in its backup mode', (answer) => ({ ...answer, mode: 'backup' })],
  [
    'that the service returns as an archive of the memories',
    (answer) => ({ ...answer, ...make.wire.writeFile(zipOf(memories)) }),
  ],
])('a read %s is refused with what to do', async (_, changed) => {
  service.misbehave({ changed });
  const read = { field: 'readFile', bytes: make.seal('Golf', randomBytes(64)), name: 'a .slave' };
  const upload = await anna.upload('POST', '/api/autotuner/upload-read-file', read);
  const { error, slotGUID } = await anna.follow(started(upload));
  expect(error).toMatchObject({
    errorName: 'ENGINE_REFUSED',
    detail: expect.stringContaining(
      'a complete backup of the control unit, which this portal cannot open: read the control unit again without the backup mode',
    ),
  });
  const files = portal.platform.db.selectFrom('stored_file').select('role');
  const roles = await files.where('slot_guid', '=', slotGUID).execute();
  expect(roles.map(({ role }) => role)).toEqual(['read']);
  // it would be the same again
  expect(service.requests).toEqual(['decode']);
});

test('a read whose mode the service does not state is opened', async () => {
  service.misbehave({ changed: (answer) => ({ ...answer, mode: undefined }) });
  const read = { field: 'readFile', bytes: make.seal('Golf', randomBytes(64)), name: 'a .slave' };
  const upload = await anna.upload('POST', '/api/autotuner/upload-read-file', read);
  expect((await anna.follow(started(upload))).error).toBeNull();
});
