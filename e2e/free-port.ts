/** Finds ports for servers that must know their port before they listen, because their own address contains it. */
import { createServer } from 'node:net';

/**
 * Below the ports that systems use for outgoing connections (Linux from 32768, others from 49152). One of those could
 * be taken between the search and the use.
 */
const lowest = 20_000;
const count = 10_000;

/** Every process starts at a different port, so that two that search at the same time find different ones. */
let offset = (process.pid * 97) % count;

/** A port of 127.0.0.1 on which no program listens. A process never gets the same one twice. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < count; tries += 1) {
    offset = (offset + 1) % count;
    if (await isFree(lowest + offset)) return lowest + offset;
  }
  throw new Error(`no port from ${lowest} to ${lowest + count - 1} is free`);
}

function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}
