/** A connection whose address and credentials are replaced is never used with a mixture of both. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { engineTimes } from '../../src/engine/kind.ts';
import {
  type EngineConnection,
  findConnection,
  saveConnection,
} from '../../src/engine-connections/engine-connections.ts';
import type { Db } from '../../src/postgres/tables/schema.ts';
import { createEngines } from '../../src/recoding/engine-selection/open-engines.ts';
import { openSecrets } from '../../src/secrets/secrets.ts';
import { type FakeVendor, startFakeVendor } from '../fixtures/services/fake-vendor.ts';
import { meanwhile } from '../fixtures/database/meanwhile.ts';
import { createTestPlatform, type TestPlatform } from '../fixtures/test-platform.ts';

const name = 'the vendor';

let platform: TestPlatform;
let first: FakeVendor;
let second: FakeVendor;
beforeAll(async () => {
  platform = await createTestPlatform();
});
beforeEach(async () => {
  [first, second] = await Promise.all([startFakeVendor(), startFakeVendor()]);
  second.credentials = { clientGuid: randomUUID(), secretKey: 'a secret of the second vendor' };
  await save(first);
  // how long a process may remember a list of keys is measured with this clock
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all([first.stop(), second.stop()]);
});
afterAll(() => platform.stop());

/** Adds the connection or replaces it, as the command line does in a process of its own. */
async function save({ url, credentials }: FakeVendor): Promise<void> {
  const { db, secretSource } = platform;
  const { clientGuid, secretKey } = credentials;
  const connection = { name, kind: 'encoding-api', url, clientGuid } as const;
  await saveConnection({ db, secrets: await openSecrets(db, secretSource) }, connection, secretKey);
}

async function getConnection(): Promise<EngineConnection> {
  const connection = await findConnection(platform.db, name);
  if (connection === null) throw new Error(`there is no connection ${name}`);
  return connection;
}

/** The engines of a worker that reads connections through `db`. */
function openEngines(db: Db) {
  const nothing = async () => Promise.reject(new Error('nothing is decoded here'));
  return createEngines({
    ...platform,
    db,
    storage: { peek: nothing },
    pool: { run: nothing },
    maxFileBytes: 0,
    times: engineTimes,
  });
}

/** Has the engine ask the vendor for its slots. */
async function sweep(engines: ReturnType<typeof openEngines>): Promise<unknown> {
  const engine = await engines.openEngine(await getConnection());
  return engine.sweep?.(new AbortController().signal);
}

const done = { closed: 0, faults: [] };
const countTokens = () => [first.tokens, second.tokens];

// promise e3.connections.replaced
test('the next call uses the new secret, even if the worker has just read the previous one', async () => {
  const engines = openEngines(platform.db);
  expect(await sweep(engines)).toEqual(done);
  await save(second);
  expect(await sweep(engines)).toEqual(done);
  expect(countTokens()).toEqual([1, 1]);
  // the address stays the same
  second.credentials = { clientGuid: randomUUID(), secretKey: 'the next secret of the vendor' };
  second.forgetTokens();
  await save(second);
  expect(await sweep(engines)).toEqual(done);
  engines.stop();
});

test('a call that has just read the connection sends the secret of the same address', async () => {
  const replace = async () => {
    await save(second);
    vi.advanceTimersByTime(3_600_000);
  };
  const engines = openEngines(meanwhile(platform.db, replace));
  expect(await sweep(engines)).toEqual(done);
  expect(countTokens()).toEqual([1, 0]);
  expect(await sweep(engines)).toEqual(done);
  expect(countTokens()).toEqual([1, 1]);
  engines.stop();
});
