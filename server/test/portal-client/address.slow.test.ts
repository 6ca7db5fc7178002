/** Which addresses `recodery remote` calls: https, and http on the same machine, unless the user allows more. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRemote, RemoteCommand } from './remote-command.ts';

const access = { guid: '01900000-0000-7000-8000-000000000001', secretKey: 'secret' };
let requests = 0;
/** A server that refuses every client application. */
const server = createServer((_request, response) => {
  requests += 1;
  response.writeHead(403).end('INVALID_CREDENTIALS');
});
let port: number;
let remote: RemoteCommand;
beforeAll(async () => {
  await once(server.listen(0, '0.0.0.0'), 'listening');
  ({ port } = server.address() as AddressInfo);
  remote = await openRemote(`http://127.0.0.1:${port}`, access);
  await remote.write('read.tfc', 'no read file');
});
afterAll(async () => {
  server.close();
  await remote.stop();
});

const commands = ['decode', 'encode', 'watch'] as const;
type CommandName = (typeof commands)[number];

/** Runs a command with a different address. */
async function call(command: CommandName, url: string, ...options: string[]) {
  requests = 0;
  const file = join(remote.folder, 'read.tfc');
  const words = {
    decode: ['decode', file, '--family', 'kess3', '-o', remote.folder],
    encode: ['encode', '--slot', 'x', '-o', remote.folder, '--modified', file],
    watch: ['watch', remote.folder],
  };
  const secret = `${remote.folder}.secret`;
  const given = ['--url', url, '--client', access.guid, '--secret-file', secret];
  return new RemoteCommand(remote.folder, given).run(...words[command], ...options);
}

const withPassword = (host: string): string => `${host.replace('//', '//mia:letmein@')}`;

test.each(commands)(
  '%s refuses a user name or password in the address, and does not repeat it',
  async (command) => {
    for (const options of [[], ['--allow-http']]) {
      const refused = await call(command, withPassword(`http://127.0.0.1:${port}`), ...options);
      expect([refused.code, refused.out, requests]).toEqual([2, '', 0]);
      expect(refused.complaint).toContain('user name or password');
      expect(refused.complaint).not.toContain('letmein');
    }
  },
);

test.each(commands)('%s refuses plain http to another machine', async (command) => {
  const refused = await call(command, 'http://portal.example.org');
  expect([refused.code, refused.out]).toEqual([2, '']);
  expect(refused.complaint).toContain('--allow-http');
});

test.each(['127.0.0.1', 'localhost'])('calls http://%s', async (host) => {
  const refused = await call('decode', `http://${host}:${port}`);
  expect(refused.complaint).toContain('INVALID_CREDENTIALS');
});

test('calls other hosts over plain http with --allow-http', async () => {
  const refused = await call('decode', `http://0.0.0.0:${port}`, '--allow-http');
  expect(refused.complaint).toContain('INVALID_CREDENTIALS');
  expect(requests).toBeGreaterThan(0);
});

test.each(['ftp://portal.example.org', 'portal.example.org', 'https://portal.example.org/?a=b'])(
  'refuses %s',
  async (url) => {
    const refused = await call('decode', url);
    expect([refused.code, refused.out]).toEqual([2, '']);
    expect(refused.complaint).toContain('https://portal.example.org');
  },
);
