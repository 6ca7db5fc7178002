/** The trial of a connection: one decode and one encode, and a report without what identifies anyone. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../fixtures/silent-log.ts';
import { findConnection } from '../../../src/engine-connections/engine-connections.ts';
import { tryConnection } from '../../../src/recoding/engine-selection/try-connection.ts';
import { type FakeService, startFakeService } from '../../fixtures/makes/fake-service.ts';
import { connectionName, saveService } from '../../fixtures/makes/make-portal.ts';
import { allMakes } from '../../../src/demo/doubles/makes.ts';
import { createTestPlatform, type TestPlatform } from '../../fixtures/test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await createTestPlatform();
});
afterAll(() => platform.stop());

describe.each(allMakes)('$family:', (make) => {
  const slave = 'Garage 42-B [Jürgen] (C++)';
  const image = randomBytes(4096);
  let service: FakeService;
  beforeAll(async () => {
    service = await startFakeService(make);
    await saveService(platform, service);
  });
  beforeEach(() => service.behave());
  afterAll(() => service.stop());

  async function run(read = make.seal(slave, image)) {
    const connection = await findConnection(platform.db, connectionName(make));
    if (connection === null) throw new Error('there is no connection');
    const deps = { secrets: platform.secrets, log: silentLog, maxFileBytes: 1024 * 1024 };
    const { isRight, lines } = await tryConnection(deps, connection, make.family, read, slave);
    return { isRight, text: lines.join('\n') };
  }

  test('decodes a read, encodes it unchanged, and reports both without names', async () => {
    const { isRight, text } = await run();
    expect(isRight).toBe(true);
    expect(text).toMatch(/^decode: succeeded after \d+\.\d s$/m);
    expect(text).toContain('image obd: 4096 bytes');
    expect(text).toMatch(/reported: .*serialNumber/);
    expect(text).toMatch(/^encode of the unchanged images: succeeded/m);
    expect(text).toMatch(/encoded file: \d+ bytes, which begin as those of the read file/);
    expect(text).not.toContain(slave);
    expect(service.sealed.at(-1)).toEqual({ slave, image });
  });

  test('reports a refusal in the words of the service, without the credentials', async () => {
    const { client, secret } = make.credentials;
    const message = `no access for ${client} with ${secret}`;
    service.misbehave({ status: 403, body: JSON.stringify({ message }) });
    const { isRight, text } = await run();
    expect(isRight).toBe(false);
    expect(text).toMatch(/^decode: refused after .*no access for .* with \*\*\*/);
    expect(text).not.toContain(secret);
    if (client !== null) expect(text).not.toContain(client);
  });

  // promise e3.makes.trial
  test('hides who and what the service names in its refusal of an encode', async () => {
    const reported = { ...make.describe(slave), mcu_id: 'MCU 0012' };
    const identifiers = make.identifiers.map((name) =>
      String(new Map(Object.entries(reported)).get(name)),
    );
    const { host, hostname } = new URL(service.url);
    const named = [
      ...identifiers,
      slave.toUpperCase(),
      'WVWZZZ1KZAW000042',
      'jo@garage.test',
      host,
      hostname,
      '192.0.2.7',
    ];
    const message = named.join(', ');
    service.misbehave({ changed: (answer) => ({ ...answer, ...reported }) });
    service.onRequest = () => {
      if (service.requests.at(-1) === 'encode')
        service.misbehave({ status: 422, body: JSON.stringify({ message }) });
    };
    const { isRight, text } = await run();
    service.onRequest = null;
    expect(isRight).toBe(false);
    expect(text).toMatch(/^encode .*: refused after .*: HTTP 422: (\*\*\*, )+\*\*\*$/m);
    expect(text).toContain('image obd: 4096 bytes');
    for (const word of named) expect(text).not.toContain(word);
  });

  test('hides the address, a VIN and an email address in the refusal of a decode', async () => {
    const { host } = new URL(service.url);
    const message = `${host}: jo@garage.test may not open the read of wvwzzz1kzaw000042 from 192.0.2.7`;
    service.misbehave({ status: 422, body: JSON.stringify({ message }) });
    const { text } = await run();
    expect(text).toMatch(/HTTP 422: \*\*\*: \*\*\* may not open the read of \*\*\* from \*\*\*$/);
  });

  test('reports a file that is no read', async () => {
    const { isRight, text } = await run(randomBytes(64));
    expect([isRight, text]).toEqual([
      false,
      expect.stringMatching(/^decode: refused after .*The file is not a slave file/),
    ]);
  });
});
