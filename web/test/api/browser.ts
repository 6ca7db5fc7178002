/** Replaces the parts of a browser that Node lacks: storage, the document, the address bar, and relative URLs. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** The addresses passed to `location.assign`, in order. */
export const visited: string[] = [];

/** An Italian document whose cookies expire after their `Max-Age`. */
function pageWithCookies() {
  const jar = new Map<string, number>();
  return {
    documentElement: { lang: 'it-IT' },
    get cookie() {
      const alive = [...jar].filter(([, end]) => end > Date.now());
      return alive.map(([pair]) => pair).join('; ');
    },
    set cookie(text: string) {
      const [pair = '', ...attributes] = text.split('; ');
      const age = attributes.find((attribute) => attribute.startsWith('Max-Age='))?.slice(8);
      jar.set(pair, age === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(age) * 1000);
    },
  };
}

function emptyStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}

/**
 * Provides window events, empty storages, an address bar and an Italian document, and resolves `/paths` against
 * `origin`.
 */
export function beBrowser(origin: string): void {
  visited.length = 0;
  const bar = {
    pathname: '/kessv2',
    hash: '#step',
    search: '?a=1',
    assign: (address: string) => void visited.push(address),
  };
  const events = new EventTarget();
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const) {
    Object.defineProperty(globalThis, name, {
      value: events[name].bind(events),
      configurable: true,
    });
  }
  const realFetch = globalThis.fetch;
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(globalThis, name, { value: emptyStorage(), configurable: true });
  const page = pageWithCookies();
  Object.defineProperty(globalThis, 'document', { value: page, configurable: true });
  Object.defineProperty(globalThis, 'location', { value: bar, configurable: true });
  Object.defineProperty(globalThis, 'fetch', {
    value: (input: string, init?: RequestInit) => realFetch(new URL(input, origin), init),
    configurable: true,
    writable: true,
  });
}

/** Answers the page's calls with `listener` for all tests of the file, and provides the browser parts. */
export function serveBrowser(listener: RequestListener): void {
  const realFetch = globalThis.fetch;
  const server = createServer(listener);
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    beBrowser(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(() => {
    globalThis.fetch = realFetch;
    server.closeAllConnections();
    server.close();
  });
}
