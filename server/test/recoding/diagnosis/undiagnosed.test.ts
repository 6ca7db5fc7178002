/** Uploads that no engine can explain: each attempt to diagnose them ends the process of the engine. */
import { transform } from '@recodery/codec/diagnosis/transformations';
import { generateImage, tuneImage } from '@recodery/codec/sample-images/images';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram } from '../../engine/built-in/test-programs.ts';
import type { Client } from '../../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { shareEngines } from '../../fixtures/shared-engines.ts';
import { decode, protocolOf, sealImage } from '../../journeys/families/kessv2-workflow.ts';
import { checkIn, checkSlot, idsWith } from '../preflight/preflights.ts';

let portal: RunningPortal;
let anna: Client;
beforeAll(async () => {
  const program = await buildProgram('undiagnosing-engine');
  portal = await startTestPortal({}, true, undefined, undefined, (options) =>
    shareEngines({ ...options, ...program }),
  );
  anna = await portal.signIn('anna@demo.test');
});
afterAll(() => portal.stop());

const image = (id: number) => generateImage(protocolOf(id), 'obd', 1);
const tuned = (id: number) => tuneImage(protocolOf(id), 'obd', image(id), 2);

async function decodeSlot(id: number): Promise<string> {
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  return (await decode(anna, sealImage(slave, id, image(id)))).kessv2SlotGUID;
}

function upload(slot: string, bytes: Uint8Array) {
  const headers = { accept: 'application/problem+json' };
  const file = { field: 'modifiedFile', bytes, name: 'tune.bin', headers };
  return anna.upload('PUT', `/api/kessv2/upload-modified-file/${slot}`, file);
}

// promise 5.diagnosis.unchecked
test('reports an accepted file as unchecked if no engine can explain why it hardly resembles the read', async () => {
  const slot = await decodeSlot(9000);
  expect((await upload(slot, transform(tuned(9000), 'fours'))).status).toBe(200);
  const answer = await checkSlot(anna, 'kessv2', slot);
  expect(checkIn(answer, 'fit')).toMatchObject({
    status: 'unchecked',
    part: 'modified',
    reason: 'engine-unavailable',
    values: null,
  });
  expect(answer.unchecked).toBeGreaterThan(0);
  expect(idsWith(answer, 'green')).not.toContain('fit');
  // the file that fits takes its place, and with it the check
  expect((await upload(slot, tuned(9000))).status).toBe(200);
  const after = await checkSlot(anna, 'kessv2', slot);
  expect(after.checks.map(({ id }) => id)).not.toContain('fit');
});

// promise 5.diagnosis.unchecked
test('refuses a file with its own reason, and without a diagnosis, if no engine can explain it', async () => {
  const slot = await decodeSlot(1001);
  const refused = await upload(slot, Buffer.concat([tuned(1001), tuned(1001)]));
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('FILE_NOT_COMPATIBLE_WITH_READ_FILE');
  expect(JSON.parse(refused.text)).not.toHaveProperty('diagnosis');
});
