/** What an engine keeps with a read belongs to the account that opened it, and to that read alone. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveConnection } from '../../../src/engine-connections/engine-connections.ts';
import { masterSerial } from '../../../src/demo/doubles/make.ts';
import { allMakes } from '../../../src/demo/doubles/makes.ts';
import type { Client } from '../../fixtures/client.ts';
import { type FakeService, startFakeService } from '../../fixtures/makes/fake-service.ts';
import { addMake } from '../../fixtures/makes/make-portal.ts';
import { type RunningPortal, startTestPortal } from '../../fixtures/running-portal.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';
import { encodeEnd } from '../encoding-api/vendor-workflow.ts';

describe.each(allMakes)('$family:', (make) => {
  const { family } = make;
  let first: FakeService;
  let second: FakeService;
  let portal: RunningPortal;
  let anna: Client;

  beforeAll(async () => {
    first = await startFakeService(make);
    second = await startFakeService(make);
    portal = await startTestPortal();
    await addMake(portal.platform, first);
    anna = await portal.signIn('anna@demo.test');
  });
  afterAll(async () => {
    await portal.stop();
    await first.stop();
    await second.stop();
  });

  async function decode(image: Buffer): Promise<string> {
    const file = { field: 'readFile', bytes: make.seal('Golf', image), name: 'golf' };
    const path = `/api/${family}/upload-read-file`;
    const { error, slotGUID } = await anna.follow(started(await anna.upload('POST', path, file)));
    expect(error).toBeNull();
    return slotGUID ?? '';
  }
  const encode = (slotGUID: string) =>
    encodeEnd(anna, `/api/${family}/encode-file`, { slotGUID, files: {} });

  test('a read is encoded by the account that opened it, after its master has got another one', async () => {
    const image = randomBytes(64);
    const slot = await decode(image);
    const { credentials, url } = second;
    const other = { name: `other ${family}`, kind: family, url, clientGuid: credentials.client };
    await saveConnection(portal.platform, other, credentials.secret);
    await sql`update master_device set connection_guid = (select guid from engine_connection where name = ${other.name})
      where serial_number = ${masterSerial(make, '0001')}`.execute(portal.platform.db);
    expect((await encode(slot)).error).toBeNull();
    expect(first.sealed).toEqual([{ slave: 'Golf', image }]);
    expect(second.requests).toEqual([]);
    expect((await encode(await decode(image))).error).toBeNull();
    expect(second.sealed).toEqual([{ slave: 'Golf', image }]);
  });

  test('the context of another read is not used, and nothing is sent', async () => {
    const [own, foreign] = [await decode(randomBytes(64)), await decode(randomBytes(64))];
    first.requests.length = 0;
    second.requests.length = 0;
    await sql`update slot set engine_context = (select engine_context from slot where guid = ${foreign})
      where guid = ${own}`.execute(portal.platform.db);
    expect((await encode(own)).error).not.toBeNull();
    expect([...first.requests, ...second.requests]).toEqual([]);
    expect((await encode(foreign)).error).toBeNull();
  });
});
