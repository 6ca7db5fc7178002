/** The event stream: what it delivers, and how it reconnects. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openEvents } from '@recodery/contract/features/operations';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readStream } from '../../src/api/events/event-stream.ts';
import { keepSessionId, readSessionId } from '../../src/api/session-id.ts';
import { beBrowser } from './browser.ts';

const realFetch = globalThis.fetch;
let server: Server;
let answers: ((response: ServerResponse) => void)[];
let sessions: (string | undefined)[];
let languages: unknown[];
let stop: AbortController;

beforeEach(async () => {
  answers = [];
  sessions = [];
  languages = [];
  stop = new AbortController();
  server = createServer((request, response) => {
    sessions.push(request.headers['x-recodery-session'] as string | undefined);
    languages.push(request.headers['x-recodery-language']);
    const next = answers.shift();
    if (next) next(response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  globalThis.fetch = realFetch;
  beBrowser(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  keepSessionId('session-1');
});

afterEach(() => {
  stop.abort();
  server.closeAllConnections();
  server.close();
});

const stream = { 'Content-Type': 'text/event-stream' };

/** Reads until `isEnough` returns true, and returns the received events. */
async function listen(isEnough: (received: readonly string[]) => boolean): Promise<string[]> {
  const received: string[] = [];
  const receive = (words: string): void => {
    received.push(words);
    if (isEnough(received)) stop.abort();
  };
  await readStream(openEvents, stop.signal, {
    onEvent: (name, data) => receive(`${name} ${data}`),
    onState: (isUp) => receive(isUp ? 'up' : 'down'),
  });
  return received;
}

test('delivers events in order, however the network splits them, and ignores unknown ones', async () => {
  answers.push((response) => {
    response.writeHead(200, stream);
    response.write(': hello\n\nevent: operation\nda');
    response.write('ta: {"n":1}\n\nevent: weather\ndata: {}\n\nevent: session\ndata: {"n":2}\n\n');
  });
  const received = await listen((all) => all.some((words) => words.startsWith('session')));
  expect(received).toEqual(['up', 'operation {"n":1}', 'session {"n":2}', 'down']);
  expect(sessions).toEqual(['session-1']);
  expect(languages).toEqual(['it-IT']);
});

// promise d6.push.taken-up
test('reconnects a stream that ends, with the current session ID', async () => {
  answers.push((response) => response.writeHead(200, stream).end('event: message\ndata: 1\n\n'));
  answers.push((response) => response.writeHead(200, stream).end('event: message\ndata: 2\n\n'));
  const received = await listen((all) => {
    keepSessionId('session-2');
    return all.includes('message 2');
  });
  expect(received.filter((words) => words.startsWith('message'))).toEqual([
    'message 1',
    'message 2',
  ]);
  expect(received.slice(0, 4)).toEqual(['up', 'message 1', 'down', 'up']);
  expect(sessions).toEqual(['session-1', 'session-2']);
});

test('waits as long as the server asks before it reconnects, unless the browser comes back online', async () => {
  answers.push((response) => response.writeHead(429, { 'Retry-After': '120' }).end());
  answers.push((response) => response.writeHead(200, stream).end('event: message\ndata: 1\n\n'));
  const pauses = vi.spyOn(globalThis, 'setTimeout');
  const received = await listen((all) => {
    // the pause begins after this
    if (all.length === 1) setImmediate(() => globalThis.dispatchEvent(new Event('online')));
    return all.includes('message 1');
  });
  expect(received).toContain('message 1');
  const longest = Math.max(...pauses.mock.calls.map(([, milliseconds]) => milliseconds ?? 0));
  expect(longest).toBeGreaterThanOrEqual(120_000);
  pauses.mockRestore();
});

test('an expired session ends here as well', async () => {
  answers.push((response) => response.writeHead(401).end());
  await listen((all) => all.includes('down'));
  expect(readSessionId()).toBeNull();
});
