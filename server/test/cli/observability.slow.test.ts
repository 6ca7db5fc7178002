/** `recodery serve` as operators watch it: its metrics at a separate port, and its traces at a collector. */
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateImage } from '@recodery/codec/sample-images/images';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import { demoDirectory } from '../../src/demo/demo-directory.ts';
import { findSlaveBySerial, getPairKey } from '../../src/organisations/devices.ts';
import { applyDirectory } from '../../src/organisations/directory/directory.ts';
import { describeSession } from '../../src/sign-in/describe-session.ts';
import { createSession } from '../../src/sign-in/sessions.ts';
import { Client } from '../fixtures/client.ts';
import { pollUntilFinished } from '../fixtures/patient-client.ts';
import { spawnRecodery } from '../fixtures/recodery-process.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';
import {
  protocolOf,
  sealImage,
  started,
  uploadRead,
} from '../journeys/families/kessv2-workflow.ts';

const secret = randomBytes(32).toString('hex');
/** What the collector has received, as text: names and attributes are readable in its binary form. */
let traces = '';
const collector = createServer((request, response) => {
  request.on('data', (part: Buffer) => (traces += part.toString('latin1')));
  request.on('end', () => response.writeHead(200).end());
});
let platform: TestPlatform;
let child: ChildProcess;
let log = '';
let url: string;
let metricsUrl: string;

beforeAll(async () => {
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
  platform = await createTestPlatform({ RECODERY_SECRET: secret, RECODERY_DEMO: 'off' });
  await applyDirectory(platform, demoDirectory);
  const [port, metricsPort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  const running = spawnRecodery(platform, {
    RECODERY_SECRET: secret,
    RECODERY_PORT: String(port),
    RECODERY_METRICS_PORT: String(metricsPort),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  });
  child = running;
  running.stderr.on('data', (part: Buffer) => (log += part.toString()));
  await Promise.race([once(running.stdout, 'data'), once(running, 'exit')]);
  if (child.exitCode !== null) throw new Error(log);
});
afterAll(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await platform.stop();
  collector.close();
});

async function signIn(email: string): Promise<Client> {
  const { db } = platform;
  const { guid } = await db
    .selectFrom('account')
    .select('guid')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const session = await createSession(db, { accountGuid: guid, idToken: null });
  if (session === null) throw new Error(`${email} has no organisation`);
  return new Client(url, (await describeSession(platform, session)).sessionID);
}

async function findSlave() {
  const found = await findSlaveBySerial(platform.db, 'kessv2', 'KV2-000007');
  if (found === null) throw new Error('the demo has no such slave');
  const { master, slave } = found;
  const { currentKeyId: keyId, serialNumber: masterSerial } = master;
  const pairKey = await getPairKey(platform, master, slave, keyId);
  if (pairKey === null) throw new Error('the slave has no key');
  const { serialNumber: slaveSerial } = slave;
  return { family: 'kessv2', pairKey, keyId, masterSerial, slaveSerial } as const;
}

test('a decode is measured and traced, without any personal data', async () => {
  const anna = await signIn('anna@demo.test');
  const image = generateImage(protocolOf(9000), 'obd', 1, 64 * 1024);
  const sealed = sealImage(await findSlave(), 9000, image);
  const operation = started(await uploadRead(anna, sealed, 'Giulia of Mr Rossi.tfc'));
  expect((await pollUntilFinished(anna, operation)).isSuccessful).toBe(true);

  const metrics = await (await fetch(metricsUrl)).text();
  expect(metrics).toContain(
    `recodery_operations_total{family="kessv2",type="${operation.asyncOperationType}",outcome="succeeded"} 1`,
  );
  // the name of the service, the request, the operation, its engine task and its queries
  const parts = [
    'recodery',
    'POST /api/kessv2/upload-read-file',
    operation.asyncOperationType,
    operation.guid,
    'engine decode',
    'insert into "stored_file"',
  ];
  // they are sent every few seconds, and at the end only if there is time
  await expect.poll(() => parts.filter((part) => !traces.includes(part))).toEqual([]);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  for (const output of [traces, metrics, log])
    expect(output).not.toMatch(/Rossi|anna@demo|ZAR93900001234567|KV2-000007/);
  expect(log).toContain(`"operation":"${operation.guid}","organisation":`);
});
