/**
 * Measures the memory and time that sending `components.zip` costs the server, compared with a minimal server in the
 * same run that only sends the same files' bytes one after another. `node bench/images/zip.ts`
 */
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { file, type Route, route } from '@recodery/contract/api';
import type { ComponentName } from '@recodery/contract/families/family';
import { createApp } from '@recodery/server/http/app';
import { createRouter } from '@recodery/server/http/serve';
import { mintOrganisationId } from '@recodery/server/organisations/caller';
import { openFileStorage } from '@recodery/server/storage/files';
import { verifyReads } from '@recodery/server/storage/verified-storage';
import type { StoredFile } from '@recodery/server/slots/files/stored-files';
import { packFiles } from '@recodery/server/slots/sending/zip';
import { pino } from 'pino';
import { checkLimit, compareServers, listen, measureServer } from '../support/memory.ts';

const mebi = 1024 * 1024;
const unknownGuid = '01900000-0000-7000-8000-000000000000';

/** A slot's components and their bytes: 3002's, and the largest that a slot can contain. */
const reads = {
  '8 MiB': { micro: 8 * mebi, eeprom: 64 * 1024 },
  '64 MiB': { flash: 16 * mebi, micro: 16 * mebi, eeprom: 16 * mebi, mapfile: 15 * mebi },
} as const satisfies Record<string, Partial<Record<ComponentName, number>>>;
type Read = keyof typeof reads;

const download = route('GET', '/zip', {
  summary: 'All components.',
  access: 'public',
  answer: file('application/zip'),
  refusals: [],
});

/** The row of a component, as the database would return it; the key is its name. */
async function rowOf(folder: string, [component, size]: [string, number]): Promise<StoredFile> {
  const bytes = await readFile(join(folder, component));
  return {
    guid: unknownGuid,
    organisationId: mintOrganisationId(unknownGuid),
    slotGuid: unknownGuid,
    role: 'decoded',
    component: component as ComponentName,
    name: `KESS3_${component}.bin`,
    size,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    storageKey: component,
    isDamaged: false,
    changes: null,
    number: null,
    firstDeliveryGuid: null,
    createdOn: new Date(),
    expiresOn: new Date(),
  };
}

/** The product's own download path: app, HTTP layer, storage, zip. */
async function serveOurs(folder: string, read: Read): Promise<number> {
  const app = await createApp({
    log: pino({ level: 'silent' }),
    trustedProxies: [],
    publicUrl: 'http://localhost',
    webDir: '/nowhere',
    isReady: async () => true,
  });
  const storage = verifyReads(await openFileStorage(folder));
  const router = createRouter(app, {
    routes: new Map<string, Route>([['bench.download', download]]),
    authenticate: () => Promise.reject(new Error('no one signs in here')),
    handleIdempotent: (_request, handle) => handle(async () => undefined),
    audit: { record: async () => undefined, announce: async () => async () => undefined },
    uploads: {
      expect: () => {
        throw new Error('no one uploads here');
      },
    },
  });
  const files = await Promise.all(Object.entries(reads[read]).map((entry) => rowOf(folder, entry)));
  router.serve(download, async ({ reply }) => {
    const { size, stream } = packFiles(storage, files);
    reply.type('application/zip').header('content-length', size).send(stream);
    return undefined;
  });
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
}

/** The baseline: the files' bytes, one after another. */
async function serveBare(folder: string): Promise<number> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.'));
  return listen(async ({ url }, response) => {
    for (const name of url === '/zip' ? names : []) {
      for await (const piece of createReadStream(join(folder, name))) {
        if (!response.write(piece)) await once(response, 'drain');
      }
    }
    response.end();
  });
}

/** Downloads and discards; returns the bytes. */
function fetchAll(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/zip' }, (answer) => {
      let bytes = 0;
      answer.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      answer.once('end', () => resolve(bytes)).once('error', reject);
    }).once('error', reject);
  });
}

/** Compares both servers: one download, after an initial connection was opened and closed. */
async function compare(read: Read) {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-bench-'));
  const storage = await openFileStorage(folder);
  for (const [name, size] of Object.entries(reads[read])) {
    await storage.put(name, Readable.from([randomBytes(size)]));
  }
  const least = Object.values(reads[read]).reduce((sum, size) => sum + size, 0);
  const figures = await compareServers(read, (kind) =>
    measureServer(
      import.meta.filename,
      [kind, folder, read],
      (port) =>
        fetch(`http://127.0.0.1:${port}/nothing`, { method: 'HEAD' }).catch(() => undefined),
      async (port) => {
        const bytes = await fetchAll(port);
        if (bytes < least) throw new Error(`${kind} sent ${bytes} bytes of ${least}`);
      },
    ),
  );
  await rm(folder, { recursive: true, force: true });
  return figures;
}

async function main(): Promise<void> {
  if (process.platform !== 'linux') {
    console.log('zip: skipped, because /proc is only available on Linux');
    return;
  }
  const { ours } = await compare('8 MiB');
  checkLimit('components.zip of 8 MiB, growth', ours.growth, 20, ' MiB');
  await compare('64 MiB');
}

const [kind, folder = '', read = ''] = process.argv.slice(2);
if (kind === 'ours') process.send?.(await serveOurs(folder, read === '64 MiB' ? read : '8 MiB'));
else if (kind === 'bare') process.send?.(await serveBare(folder));
else await main();
