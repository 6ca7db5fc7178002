/** A service of a maker that stays wrong: its operations fail, and nothing of its responses is stored. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type FakeService,
  startFakeService,
  wrongHash,
} from '../../fixtures/makes/fake-service.ts';
import type { Mischief } from '../../../src/demo/doubles/double-service.ts';
import { addMake } from '../../fixtures/makes/make-portal.ts';
import { allMakes, makes } from '../../../src/demo/doubles/makes.ts';
import { startTestPortal, testPace } from '../../fixtures/running-portal.ts';
import { stepsOf } from './make-steps.ts';

/** Milliseconds. */
const times = {
  patience: 3000,
  pauses: { first: 5, longest: 10 },
  // long enough for a response on a busy machine
  answer: 1000,
  poll: { least: 10, usual: 20, most: 50 },
};

const portal = await startTestPortal({}, true, { ...testPace, times });
const anna = await portal.signIn('anna@demo.test');
afterAll(() => portal.stop());

describe.each(allMakes)('a service of $family', (make) => {
  const { decodeEnd } = stepsOf(make);
  // what all makes share
  const ofAll = make === makes.autotuner ? {} : { tags: 'release' };
  const other = wrongHash(make);
  let service: FakeService;

  beforeAll(async () => {
    service = await startFakeService(make);
    await addMake(portal.platform, service);
  });
  beforeEach(() => {
    service.behave();
    service.requests.length = 0;
  });
  afterAll(() => service.stop());

  /** How a decode ends, and which kinds of files are stored. */
  async function decodeWith(how: Mischief) {
    service.misbehave(how, 1000);
    const { error } = await decodeEnd(anna, make.seal('Golf', randomBytes(64)));
    const files = portal.platform.db.selectFrom('stored_file').select('role').distinct();
    return { error, stored: await files.execute() };
  }
  const unavailable = (detail: string) => ({
    error: { errorName: 'ENGINE_UNAVAILABLE', detail },
    stored: [{ role: 'read' }],
  });

  const hashes: [string, Mischief, string][] =
    other === null
      ? []
      : [['with another hash', other, 'the data does not have the hash that the service states']];
  // promise e3.makes.hash
  test.each(hashes)('%s is unavailable, and nothing is stored', async (_, how, detail) => {
    expect(await decodeWith(how)).toMatchObject(unavailable(detail));
  });

  test.each<[string, Mischief, string]>([
    ['with a page', { status: 500, body: '<html><title>Oops</title></html>' }, 'HTTP 500: Oops'],
    ['without JSON', { status: 200, body: 'hello' }, 'the response is not JSON'],
    ['and silent', 'silence', 'no response in time'],
  ])('%s is unavailable, and nothing is stored', ofAll, async (_, how, detail) => {
    expect(await decodeWith(how)).toMatchObject(unavailable(detail));
  });

  test('is asked again only after the time that it has asked for', ofAll, async () => {
    const ended = await decodeWith({ status: 429, headers: { 'retry-after': '120' } });
    expect(ended).toMatchObject(unavailable('HTTP 429'));
    // at the start, and at the end of the operation's time
    expect(service.requests).toHaveLength(2);
  });
});
