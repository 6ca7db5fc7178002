/** The test of a connection to a maker's service: it distinguishes wrong credentials from a service that cannot be reached. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findConnection } from '../../../src/engine-connections/engine-connections.ts';
import { testConnection } from '../../../src/recoding/engine-selection/test-connection.ts';
import { type FakeService, startFakeService } from '../../fixtures/makes/fake-service.ts';
import type { Mischief } from '../../../src/demo/doubles/double-service.ts';
import { connectionName, saveService } from '../../fixtures/makes/make-portal.ts';
import { allMakes } from '../../../src/demo/doubles/makes.ts';
import { createTestPlatform, type TestPlatform } from '../../fixtures/test-platform.ts';

describe.each(allMakes)('$family:', (make) => {
  let service: FakeService;
  let platform: TestPlatform;
  beforeAll(async () => {
    service = await startFakeService(make);
    platform = await createTestPlatform();
  });
  beforeEach(() => saveService(platform, service));
  afterAll(async () => {
    await platform.stop();
    await service.stop();
  });

  describe('the test of a connection', () => {
    async function examine() {
      const connection = await findConnection(platform.db, connectionName(make));
      if (connection === null) throw new Error('there is no connection');
      return testConnection(platform, connection);
    }

    test('finds that the service responds and accepts the credentials', async () => {
      expect(await examine()).toMatchObject({ isRight: true });
      expect(service.requests).toEqual(['decode']);
    });

    test.each<[string, Mischief, RegExp]>([
      ['a refused token', { status: 401 }, /refuses the credentials \(HTTP 401\)/],
      ['a page for signing in', { status: 302 }, /refuses the credentials \(HTTP 302\)/],
      ['a service that is down', { status: 503 }, /cannot be reached: HTTP 503/],
      ['another address', { status: 404 }, /is not the service \(HTTP 404\)/],
      ['a page instead of JSON', { status: 200, body: '<html></html>' }, /cannot be reached/],
    ])('reports %s', async (_, how, words) => {
      service.misbehave(how);
      const { isRight, text } = await examine();
      expect(isRight).toBe(false);
      expect(text).toMatch(words);
      expect(text).not.toContain(service.credentials.secret);
    });

    test('reports a port on which nothing listens', async () => {
      const gone = await startFakeService(make);
      await gone.stop();
      await saveService(platform, gone);
      const { isRight, text } = await examine();
      expect([isRight, text]).toEqual([
        false,
        expect.stringMatching(/the connection to .* is refused/),
      ]);
    });
  });
});
