/** `recodery remote decode` with a malicious server: what it sends is never used as a path, and never printed raw. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { mkdir, readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openRemote, type RemoteCommand } from './remote-command.ts';

const guid = '01900000-0000-7000-8000-000000000001';
const honest = {
  guid,
  slot: guid,
  name: 'read.bin',
  type: 'EEPROM',
  error: null as object | null,
};
/** The false values that the server sends. */
let lies: Partial<typeof honest> = {};
let requests: string[] = [];

function answer(path: string): object | string {
  const { guid: operation, slot, name, type, error } = { ...honest, ...lies };
  if (path.includes('/access-tokens/')) return { accessToken: 'token' };
  if (path.includes('/files/')) return { name, data: Buffer.from('image').toString('base64') };
  if (path.includes('/close')) return {};
  return {
    guid: operation,
    slotGUID: slot,
    isCompleted: true,
    isSuccessful: error === null,
    result: { bootBenchComponents: [{ type, decodedFileURL: 'https://example.org/x' }] },
    error,
  };
}

const server = createServer((request, response) => {
  requests.push(request.url ?? '');
  request.resume().once('end', () => response.end(JSON.stringify(answer(request.url ?? ''))));
});
let remote: RemoteCommand;
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());
beforeEach(async () => {
  lies = {};
  requests = [];
  const { port } = server.address() as AddressInfo;
  remote = await openRemote(`http://127.0.0.1:${port}`, { guid, secretKey: 'secret' });
  await remote.write('read.tfc', 'a foreign read file');
});
afterEach(() => remote.stop());

async function decode() {
  const out = join(remote.folder, 'inner', 'out');
  await mkdir(out, { recursive: true });
  const read = join(remote.folder, 'read.tfc');
  const ended = await remote.run('decode', read, '--family', 'kess3', '-o', out);
  const all = await readdir(remote.folder, { recursive: true, withFileTypes: true });
  const files = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return { ...ended, files: files.map((one) => one.slice(remote.folder.length + 1)).toSorted() };
}

test('writes a file into the folder, regardless of its name', async () => {
  for (const [name, safe] of [
    ['../../evil.bin', 'evil.bin'],
    ['/etc/passwd', 'passwd'],
    ['C:\\Windows\\evil.dll', 'evil.dll'],
    ['..', 'file'],
    ['a\u001b]0;b\u0007\n.bin', 'a]0;b.bin'],
    ['', 'file-2'],
  ] as const) {
    lies = { name };
    const { code, out, files } = await decode();
    expect(code).toBe(0);
    expect(files).toContain(join('inner', 'out', safe === 'file-2' ? 'file' : safe));
    expect(files.filter((one) => !one.startsWith('inner/out/'))).toEqual(['read.tfc']);
    expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  }
});

test('ignores a component that it does not know', async () => {
  lies = { type: '../../flash' };
  const { code, files } = await decode();
  expect([code, files]).toEqual([0, ['read.tfc']]);
});

test.each(['guid', 'slot'] as const)('refuses a %s that is none', async (field) => {
  for (const lie of ['..', '../../../auth/x', 'a\u001b[2J', '']) {
    lies = { [field]: lie };
    requests = [];
    const { code, out, complaint } = await decode();
    expect([code, out]).toEqual([1, '']);
    expect(complaint).toMatch(/^recodery: [^\p{Cc}]+\n$/u);
    expect(requests.filter((path) => !path.startsWith('/encoding-api/api/'))).toEqual([]);
  }
});

test('prints an error of the server in one line', async () => {
  lies = { error: { errorName: 'BAD\u001b[2J', detail: 'first\nrecodery: done' } };
  const { code, complaint } = await decode();
  expect([code, complaint]).toEqual([1, 'recodery: BAD\\u001b[2J: first\\u000arecodery: done\n']);
});
