/** What the doubles of makers' services answer to files that they do not know, and to requests of others. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { serveDouble } from '../../src/demo/doubles/double-service.ts';
import type { Make } from '../../src/demo/doubles/make.ts';
import { allMakes } from '../../src/demo/doubles/makes.ts';
import { zipOf } from '../../src/demo/doubles/zip-of.ts';

/** Sends a decode of a file. `headers`: the credentials. */
async function decode(make: Make, file: Buffer, headers: Readonly<Record<string, string>>) {
  const server = createServer((request, response) => {
    const double = { make, credentials: make.credentials };
    serveDouble(double, make.paths.decode, request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const form = new FormData();
  form.set('input_file', new Blob([new Uint8Array(file)]), 'file');
  const isForm = make.family === 'flex' || make.family === 'autoflasher';
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    redirect: 'manual',
    headers: isForm ? headers : { ...headers, 'content-type': 'application/json' },
    body: isForm ? form : JSON.stringify({ data: file.toString('base64') }),
  }).finally(() => server.close());
  return { status: response.status, text: await response.text() };
}

const credentialsOf = ({ credentials: { client, secret } }: Make) => ({
  authorization: `Bearer ${secret}`,
  'x-api-key': secret,
  'x-autotuner-id': client ?? '',
  'x-autotuner-api-key': secret,
});

test.each(allMakes)('$family refuses a foreign zip and a damaged file as unknown', async (make) => {
  const sealed = make.seal('slave', Buffer.from('image'));
  const damaged = Buffer.from(sealed);
  // the start of the slave's name
  damaged[sealed.indexOf('"slave"')] = 0;
  const foreign = zipOf([{ name: 'sealed', content: Buffer.from('a file\nof another') }]);
  for (const file of [foreign, damaged, Buffer.alloc(0)]) {
    const { text } = await decode(make, file, credentialsOf(make));
    expect(text).toContain('The file is not a slave file.');
  }
});

test.each(allMakes)('$family refuses other credentials', async (make) => {
  const { status } = await decode(make, Buffer.from('x'), {});
  expect([302, 401]).toContain(status);
});
