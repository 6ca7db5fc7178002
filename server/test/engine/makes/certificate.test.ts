/** A maker's service whose certificate has expired gets nothing, and the operator and the user read why. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findConnection } from '../../../src/engine-connections/engine-connections.ts';
import { testConnection } from '../../../src/recoding/engine-selection/test-connection.ts';
import {
  type ExpiredService,
  startExpiredService,
} from '../../fixtures/services/expired-service.ts';
import { addMake, connectionName } from '../../fixtures/makes/make-portal.ts';
import { allMakes } from '../../../src/demo/doubles/makes.ts';
import { type RunningPortal, startTestPortal, testPace } from '../../fixtures/running-portal.ts';
import { started } from '../../journeys/families/kessv2-workflow.ts';

let service: ExpiredService;
let portal: RunningPortal;
beforeAll(async () => {
  service = await startExpiredService();
  const times = { ...testPace.times, patience: 500 };
  portal = await startTestPortal({}, true, { ...testPace, times });
});
afterAll(async () => {
  await portal.stop();
  await service.stop();
});

describe.each(allMakes)('$family:', (make) => {
  const words = /the certificate of 127\.0\.0\.1:\d+ has expired \(CERT_HAS_EXPIRED\)/;

  beforeAll(() => addMake(portal.platform, { ...service, make, credentials: make.credentials }));

  test('the test of the connection reports an expired certificate', async () => {
    const connection = await findConnection(portal.platform.db, connectionName(make));
    if (connection === null) throw new Error('there is no connection');
    const { isRight, text } = await testConnection(portal.platform, connection);
    expect(isRight).toBe(false);
    expect(text).toMatch(words);
    expect(service.count()).toBe(0);
  });

  // promise e3.makes.certificate
  test('an operation fails with the same words, and nothing is sent', async () => {
    const anna = await portal.signIn('anna@demo.test');
    const file = { field: 'readFile', bytes: make.seal('Golf', Buffer.alloc(64)), name: 'golf' };
    const path = `/api/${make.family}/upload-read-file`;
    const { error } = await anna.follow(started(await anna.upload('POST', path, file)));
    expect(error).toMatchObject({
      errorName: 'ENGINE_UNAVAILABLE',
      detail: expect.stringMatching(words),
    });
    expect(service.count()).toBe(0);
  });
});
