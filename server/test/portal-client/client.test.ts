/** The client of another portal: how it repeats calls. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RemoteClient } from '../../src/portal-client/client.ts';

let requests = 0;
const server = createServer((_request, response) => {
  requests += 1;
  response.writeHead(503, { 'retry-after': '0' }).end('SERVICE_UNAVAILABLE');
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());

test('a portal that requests no pause is not called again immediately, and not forever', async () => {
  const { port } = server.address() as AddressInfo;
  const access = { url: `http://127.0.0.1:${port}`, clientGuid: 'c', secretKey: 's' };
  const stop = new AbortController().signal;
  const client = new RemoteClient(access, { patienceSeconds: 2, stop, say: () => undefined });
  await expect(client.connect()).rejects.toThrow();
  expect(requests).toBeLessThan(10);
});
