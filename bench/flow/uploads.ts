/**
 * Measures the memory and time that eight parallel uploads cost the server, compared with a minimal streaming receiver
 * in the same run that only writes the body to a file and hashes it. `node bench/flow/uploads.ts`
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, type Route, route } from '@recodery/contract/api';
import { sessionHeader } from '@recodery/contract/headers';
import { createApp } from '@recodery/server/http/app';
import { createUploadReceiver } from '@recodery/server/http/file-transfer';
import { createRouter } from '@recodery/server/http/serve';
import { type Caller, mintOrganisationId } from '@recodery/server/organisations/caller';
import { openFileStorage } from '@recodery/server/storage/files';
import { pino } from 'pino';
import * as z from 'zod/mini';
import {
  checkLimit,
  compareServers,
  listen,
  measureServer,
  type ServerKind,
} from '../support/memory.ts';

const mebi = 1024 * 1024;
const atOnce = 8;
const boundary = 'a-line-between-parts';
const upload = route('POST', '/api/upload', {
  summary: 'Takes a file.',
  access: 'session',
  file: { field: 'readFile' },
  answer: json(z.object({ size: z.number(), sha256: z.string() })),
  refusals: [],
});

/**
 * The product's own upload path: HTTP layer, form, limits, storage. Each caller belongs to a different organisation.
 */
async function serveOurs(folder: string): Promise<number> {
  const app = await createApp({
    log: pino({ level: 'silent' }),
    trustedProxies: [],
    publicUrl: 'http://localhost',
    webDir: '/nowhere',
    isReady: async () => true,
  });
  const router = createRouter(app, {
    routes: new Map<string, Route>([['bench.upload', upload]]),
    authenticate: async ({ headers }) => {
      const organisationId = mintOrganisationId(String(headers[sessionHeader.toLowerCase()]));
      // This path reads only the organisation.
      return { caller: { organisationId } as Caller, renewedSession: null };
    },
    handleIdempotent: (_request, handle) => handle(async () => undefined),
    audit: { record: async () => undefined, announce: async () => async () => undefined },
    uploads: createUploadReceiver({
      storage: await openFileStorage(folder),
      maxFileBytes: 64 * mebi,
      fitsQuota: async () => true,
      hasDiskRoom: async () => true,
    }),
  });
  router.serve(upload, async ({ upload: file }) => file.receive());
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
}

/** The baseline: the body as it arrives, hashed, written, synced. */
async function serveBare(folder: string): Promise<number> {
  return listen(async (incoming, response) => {
    const file = await open(join(folder, randomUUID()), 'wx');
    const hash = createHash('sha256');
    for await (const piece of incoming) {
      hash.update(piece);
      await file.write(piece);
    }
    await file.sync();
    await file.close();
    response.end(hash.digest('hex'));
  });
}

/** Sends one file in 64 KiB chunks, as fast as the server accepts it. */
function send(port: number, bytes: number, caller: number): Promise<void> {
  const piece = Buffer.alloc(64 * 1024, caller);
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="readFile"; filename="a.bin"\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/api/upload',
        headers: {
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': head.length + bytes + tail.length,
          [sessionHeader]: `0190000${caller}-0000-7000-8000-000000000000`,
        },
      },
      (answer) => {
        answer.resume().once('end', () => {
          if (answer.statusCode === 200) resolve();
          else reject(new Error(`the server answered ${answer.statusCode}`));
        });
      },
    );
    outgoing.once('error', reject).write(head);
    let left = bytes;
    const more = (): void => {
      while (left > 0) {
        left -= piece.length;
        if (!outgoing.write(piece)) {
          outgoing.once('drain', more);
          return;
        }
      }
      outgoing.end(tail);
    };
    more();
  });
}

/** Starts a separate server, warms it up, and uploads eight files of this size in parallel. */
async function measure(kind: ServerKind, bytes: number) {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-bench-'));
  const all = (size: number) => (port: number) =>
    Promise.all(Array.from({ length: atOnce }, (_, caller) => send(port, size, caller)));
  const args = [kind, folder];
  const figures = await measureServer(import.meta.filename, args, all(64 * 1024), all(bytes));
  await rm(folder, { recursive: true, force: true });
  return figures;
}

async function main(): Promise<void> {
  if (process.platform !== 'linux') {
    console.log('uploads: skipped, because /proc is only available on Linux');
    return;
  }
  const compare = (size: number) =>
    compareServers(`${atOnce} uploads of ${size} MiB`, (kind) => measure(kind, size * mebi));
  const [small, large] = [await compare(8), await compare(64)];
  checkLimit(
    '64 MiB, growth beside the bare receiver',
    large.ours.growth / large.bare.growth,
    1.5,
    '×',
  );
  checkLimit('growth of 64 MiB over 8 MiB', large.ours.growth - small.ours.growth, 40, ' MiB');
}

const [kind, folder = ''] = process.argv.slice(2);
if (kind === 'ours' || kind === 'bare') {
  process.send?.(await (kind === 'ours' ? serveOurs : serveBare)(folder));
} else {
  await main();
}
