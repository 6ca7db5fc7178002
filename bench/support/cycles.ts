/**
 * Full cycles against a product on a dedicated PostgreSQL: upload, decode, download, upload, encode, download of 2 MiB.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sealRead } from '@recodery/codec/simulator/slave';
import { sessionHeader } from '@recodery/contract/headers';
import { readConfig } from '@recodery/server/config/config';
import { silentLog } from '../../server/test/fixtures/silent-log.ts';
import { demoDirectory } from '@recodery/server/demo/demo-directory';
import { applyDirectory } from '@recodery/server/organisations/directory/directory';
import { openPlatform } from '@recodery/server/platform';
import { freePort } from '../../server/test/fixtures/free-port.ts';
import { startOwnPostgres } from '../../server/test/fixtures/database/own-postgres.ts';
import { findSlave, signIn } from './demo.ts';
import {
  type Address,
  download,
  openStream,
  post,
  sendFile,
  type Stream,
  upload,
} from './product.ts';

/** Bytes of each image. */
export const imageBytes = 2 * 1024 * 1024;
/** Users who work at the same time. */
export const users = 4;
const program = resolve(import.meta.dirname, '../../recodery.mjs');

/** Called after a step of a cycle. */
export type OnStep = (step: string) => Promise<void>;

/** A product whose processes are started one by one. */
export interface CycledProduct {
  /** Starts a process with these settings; resolves when it is ready. */
  startProcess(settings: Readonly<Record<string, string>>): Promise<void>;
  /** One cycle of one user; `onStep` is called after each step with its name. Returns the GUID of the slot. */
  cycle(onStep?: OnStep): Promise<string>;
  /** Gets a path as this user. */
  get(path: string): Promise<Response>;
  stop(): Promise<void>;
}

type Answer = Record<string, unknown>;

/** Creates the tables and a signed-in user, with the read that they upload. */
async function openWorkshop(environment: NodeJS.ProcessEnv) {
  const config = readConfig(environment);
  const { platform, close } = await openPlatform(config, silentLog, { as: 'command' });
  await applyDirectory(platform, demoDirectory);
  const sessionID = await signIn(platform);
  const read = sealRead({
    ...(await findSlave(platform, 'kessv2', 'KV2-000007')),
    protocolId: 9000,
    mode: 'obd',
    components: [{ name: 'obd', bytes: randomBytes(imageBytes) }],
    information: {},
    identificationOnly: false,
    readId: randomBytes(16),
    fileSalt: randomBytes(32),
  });
  await close();
  return { sessionID, read };
}

/** Memory for downloads that is lent again: the garbage of a client would take as long as the product. */
export function createMemories(bytes: number) {
  const spare: Uint8Array[] = [];
  return {
    lend(): Disposable & { readonly memory: Uint8Array } {
      const memory = spare.pop() ?? new Uint8Array(bytes);
      return { memory, [Symbol.dispose]: () => void spare.push(memory) };
    },
  };
}

/** The cycle of one user, who has the page open. */
function createCycle(address: Address, read: Uint8Array): CycledProduct['cycle'] {
  let stream: Promise<Stream> | null = null;
  // an encoded file is a little larger than its image
  const memories = createMemories(imageBytes + 2 ** 20);
  const downloadInto = (memory: Uint8Array, url: unknown): Promise<Uint8Array> => {
    const { pathname, search } = new URL(String(url), 'http://localhost');
    return download(address, pathname + search, memory);
  };
  return async (onStep = async () => undefined) => {
    using lent = memories.lend();
    const { whenFinished } = await (stream ??= openStream(address));
    const { guid } = await upload(address, read);
    const { result: decoded } = await whenFinished(guid);
    await onStep('upload and decode');
    const image = await downloadInto(lent.memory, decoded['decodedFileURL']);
    await onStep('download the image');
    const slot = String(decoded['kessv2SlotGUID']);
    const path = `/api/kessv2/upload-modified-file/${slot}`;
    image[100] = (image[100] ?? 0) ^ 1;
    const { answer } = await sendFile(address, 'PUT', path, 'modifiedFile', image);
    await onStep('upload the modified image');
    const started = await post(address, '/api/kessv2/encode-file', {
      kessv2FileSlotGUID: slot,
      modifiedFileGUID: (answer as Answer)['fileGUID'],
      originalFileGUID: '00000000-0000-0000-0000-000000000000',
      willCorrectCVN: false,
      contextData: null,
    });
    const { result: encoded } = await whenFinished(String((started as Answer)['guid']));
    await onStep('encode');
    await downloadInto(lent.memory, encoded['encodedFileURL']);
    await onStep('download the encoded file');
    return slot;
  };
}

/** Opens a product that has no processes yet; start them with `startProcess`. */
export async function openCycledProduct(): Promise<CycledProduct> {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-cycles-'));
  const postgres = await startOwnPostgres();
  const port = await freePort();
  const environment = {
    ...process.env,
    RECODERY_DATA_DIR: folder,
    RECODERY_DATABASE_URL: postgres.url,
    RECODERY_SECRET: randomBytes(32).toString('hex'),
    RECODERY_PORT: String(port),
    RECODERY_DEMO: 'off',
    RECODERY_PARALLEL_OPERATIONS: '100',
    RECODERY_ORGANISATION_GIB: '1000',
  };
  const { sessionID, read } = await openWorkshop(environment);
  const children: ChildProcess[] = [];
  const get = async (path: string): Promise<Response> => {
    const headers = { [sessionHeader]: sessionID };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer;
  };
  return {
    async startProcess(settings) {
      const child = spawn(process.execPath, [program, 'serve'], {
        env: { ...environment, ...settings },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      if (child.stdout !== null) await once(child.stdout, 'data');
    },
    cycle: createCycle({ port, sessionId: sessionID }, read),
    get,
    async stop() {
      const living = children.filter(
        (child) => child.exitCode === null && child.signalCode === null,
      );
      const ended = living.map((child) => once(child, 'exit'));
      for (const child of living) child.kill('SIGTERM');
      await Promise.all(ended);
      await postgres.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The GUID of a slot's restore kit, when it has been prepared. */
export async function waitForKit(
  get: (path: string) => Promise<Response>,
  slot: string,
): Promise<string> {
  for (;;) {
    const { restoreKit } = (await (await get(`/api/jobs/${slot}`)).json()) as {
      restoreKit: { state: string; fileGUID: string | null };
    };
    if (restoreKit.fileGUID !== null && restoreKit.state !== 'preparing')
      return restoreKit.fileGUID;
    if (restoreKit.state === 'impossible') throw new Error('there is no restore kit');
    await wait(50);
  }
}

/** How many times a second the users together complete `cycle`, when each does it `rounds` times. */
export async function measureRate(cycle: () => Promise<unknown>, rounds: number): Promise<number> {
  const start = performance.now();
  await Promise.all(
    Array.from({ length: users }, async () => {
      for (let round = 0; round < rounds; round += 1) await cycle();
    }),
  );
  return (users * rounds) / ((performance.now() - start) / 1000);
}
