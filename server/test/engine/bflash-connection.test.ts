/** The test of a connection to bFlash's service: it distinguishes wrong credentials from a service that cannot be reached. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findConnection } from '../../src/engine-connections/engine-connections.ts';
import { testConnection } from '../../src/recoding/engine-selection/test-connection.ts';
import { bflashName, saveBFlash } from '../fixtures/bflash-portal.ts';
import { type BFlashMischief, type FakeBFlash, startFakeBFlash } from '../fixtures/fake-bflash.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

let service: FakeBFlash;
let platform: TestPlatform;
beforeAll(async () => {
  service = await startFakeBFlash();
  platform = await createTestPlatform();
});
beforeEach(() => saveBFlash(platform, service));
afterAll(async () => {
  await platform.stop();
  await service.stop();
});

describe('the test of a connection', () => {
  async function examine() {
    const connection = await findConnection(platform.db, bflashName);
    if (connection === null) throw new Error('there is no connection');
    return testConnection(platform, connection);
  }

  test('finds that the service responds and accepts the token', async () => {
    expect(await examine()).toMatchObject({ isRight: true });
    expect(service.requests).toEqual(['decrypt']);
  });

  test.each<[string, BFlashMischief, RegExp]>([
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
    expect(text).not.toContain(service.token);
  });

  test('reports a port on which nothing listens', async () => {
    const gone = await startFakeBFlash();
    await gone.stop();
    await saveBFlash(platform, gone);
    const { isRight, text } = await examine();
    expect([isRight, text]).toEqual([
      false,
      expect.stringMatching(/the connection to .* is refused/),
    ]);
  });
});
