/**
 * The floor of full cycles: a plain HTTP server that hashes, encrypts and syncs the same bytes. It is a program of its own, so
 * that nothing of the product is in its memory. `node bench/support/floor.ts FOLDER`, as a child process
 */
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

/** Hashes bytes, and writes them to a file that is synced. */
async function store(path: string, bytes: Uint8Array): Promise<void> {
  createHash('sha256').update(bytes).digest();
  const file = await open(path, 'w');
  await file.writeFile(bytes);
  await file.sync();
  await file.close();
}

/** The floor: a POST stores its body and the same bytes encrypted, a GET returns them. */
async function serveFloor(folder: string): Promise<void> {
  let count = 0;
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      // other requests increase the count while this one is stored
      const name = String((count += 1));
      const body = await buffer(request);
      await store(join(folder, name), body);
      const cipher = createCipheriv('aes-256-gcm', randomBytes(32), randomBytes(12));
      await store(
        join(folder, `${name}.out`),
        Buffer.concat([cipher.update(body), cipher.final()]),
      );
      response.end(`/${name}.out`);
    } else response.end(await readFile(join(folder, request.url ?? '')));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.once('disconnect', () => process.exit(0));
}

const [, , folder] = process.argv;
if (folder === undefined) {
  console.error('Name a new folder for the files: node bench/support/floor.ts FOLDER');
  process.exit(2);
}
await serveFloor(folder);
