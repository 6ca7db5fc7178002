/** The cookies that remember the accounts of a shared browser. */
import cookie from '@fastify/cookie';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { newGuid } from '../../src/config/guids.ts';
import { createKnownBrowsers } from '../../src/sign-in/provider/known-browsers.ts';

const key = Buffer.alloc(32, 7);

test('forgets the account that was added first when a browser knows too many', async () => {
  const app = Fastify();
  await app.register(cookie);
  const known = createKnownBrowsers({
    secrets: { getCurrentKey: async () => ({ keyId: 1, key }) },
    clock: { now: () => new Date() },
    publicUrl: 'http://localhost:8080',
  });
  app.post<{ Params: { account: string } }>('/:account', async (request, reply) => {
    await known.remember(request, reply, request.params.account);
    return '';
  });
  app.get<{ Params: { account: string } }>('/:account', (request) =>
    known.find(request, request.params.account).then((id) => ({ isKnown: id !== null })),
  );
  // in the order in which they were created, as browsers send them
  const jar = new Map<string, string>();
  const signIn = async (account: string): Promise<void> => {
    const { cookies } = await app.inject({
      method: 'POST',
      url: `/${account}`,
      cookies: Object.fromEntries(jar),
    });
    for (const { name, value } of cookies) {
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
  };
  const isKnown = async (account: string): Promise<unknown> =>
    (await app.inject({ url: `/${account}`, cookies: Object.fromEntries(jar) })).json().isKnown;

  const accounts = Array.from({ length: 10 }, newGuid);
  for (const account of accounts) await signIn(account);
  const expected = [false, false, ...accounts.slice(2).map(() => true)];
  expect(await Promise.all(accounts.map(isKnown))).toEqual(expected);
  await app.close();
});
