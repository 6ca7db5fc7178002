/** The whole product in a separate process, and the calls of a page, for benchmarks. */
import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { type Slave, sealRead } from '@recodery/codec/simulator/slave';
import { generateImage } from '@recodery/codec/sample-images/images';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import type { Family } from '@recodery/contract/families/registry';
import { sessionHeader } from '@recodery/contract/headers';
import type { Platform } from '@recodery/server/platform';
import { startPortal } from '@recodery/server/portal';
import { startWorker } from '@recodery/server/worker';
import { createFolder, openDemo, signIn, findSlave } from './demo.ts';

const boundary = 'a-line-between-parts';
// as `serve` does: the client's own garbage collection would count as the product's time
setFlagsFromString('--minor-gc-task-trigger=20');

/** A portal of this machine, and the session of a user. */
export interface Address {
  readonly port: number;
  readonly sessionId: string;
}

/** The message of the product to the benchmark when it is ready. */
export interface Ready extends Address {
  readonly slave: Slave;
}

/**
 * The whole product in one process, as `npm start` runs it: embedded database, portal and worker. Sends what `prepare`
 * returns, and stops at the next message.
 */
export async function serveWith<R extends object>(
  dataDir: string,
  prepare: (platform: Platform, port: number) => Promise<R>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { platform, close } = await openDemo(dataDir, settings);
  const roles = [await startWorker(platform), await startPortal(platform, 0)] as const;
  process.send?.(await prepare(platform, roles[1].port));
  process.once('message', async () => {
    await Promise.all(roles.map((role) => role.stop()));
    await close();
    process.exit(0);
  });
}

/** The whole product, with a signed-in user and a slave. */
export function serve(
  dataDir: string,
  family: Family = 'kessv2',
  serialNumber = 'KV2-000007',
): Promise<void> {
  return serveWith(
    dataDir,
    async (platform, port): Promise<Ready> => ({
      port,
      sessionId: await signIn(platform),
      slave: await findSlave(platform, family, serialNumber),
    }),
  );
}

function open(ready: Address, method: string, path: string, headers = {}): ClientRequest {
  const { port, sessionId } = ready;
  const all = { [sessionHeader]: sessionId, ...headers };
  return request({ host: '127.0.0.1', port, method, path, headers: all });
}

export interface Finished {
  /** Milliseconds, of `performance.now`. */
  readonly at: number;
  readonly result: Readonly<Record<string, unknown>>;
}

/** An event stream, as an open page uses it. */
export interface Stream {
  /** When an operation succeeded, by its GUID, and its result. */
  whenFinished(guid: string): Promise<Finished>;
  close(): void;
}

export async function openStream(ready: Address): Promise<Stream> {
  const ended = new Map<string, PromiseWithResolvers<Finished>>();
  const of = (guid: string): PromiseWithResolvers<Finished> => {
    const known = ended.get(guid) ?? Promise.withResolvers<Finished>();
    ended.set(guid, known);
    return known;
  };
  let rest = '';
  const outgoing = open(ready, 'GET', '/api/events');
  await new Promise<void>((resolve) => {
    outgoing.once('response', (incoming) => {
      resolve();
      incoming.setEncoding('utf8').on('data', (more: string) => {
        const blocks = (rest + more).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, data] = /^event: operation\ndata: (.*)$/.exec(block) ?? [];
          const record = data === undefined ? null : JSON.parse(data);
          if (record?.status === 'succeeded')
            of(record.guid).resolve({ at: performance.now(), result: record.result });
          if (record?.status === 'failed')
            of(record.guid).reject(new Error(record.error.errorName));
        }
      });
    });
    outgoing.end();
  });
  return { whenFinished: (guid) => of(guid).promise, close: () => outgoing.destroy() };
}

/** Gets a path. */
export function get({ port, sessionId }: Address, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { headers: { [sessionHeader]: sessionId } });
}

/** Downloads a file into memory that the next download can use again; returns its bytes. */
export async function download(
  ready: Address,
  path: string,
  memory: Uint8Array,
): Promise<Uint8Array> {
  const outgoing = open(ready, 'GET', path).end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  if (incoming.statusCode !== 200) throw new Error(`${path}: ${incoming.statusCode}`);
  let size = 0;
  for await (const piece of incoming) {
    memory.set(piece as Buffer, size);
    size += (piece as Buffer).length;
  }
  return memory.subarray(0, size);
}

/** Sends a body, and returns the response. */
export async function sendBytes(ready: Address, path: string, bytes: Uint8Array): Promise<string> {
  const outgoing = open(ready, 'POST', path, { 'content-length': bytes.length }).end(bytes);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return text(incoming);
}

/** Sends a JSON body, and returns the response. */
export async function post(ready: Address, path: string, body: unknown): Promise<unknown> {
  const { port, sessionId } = ready;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { [sessionHeader]: sessionId, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** Uploads a read; returns the operation's GUID and the time at which the last byte was sent. */
export async function upload(
  ready: Address,
  file: Uint8Array,
  path = '/api/kessv2/upload-read-file',
): Promise<{ guid: string; left: number }> {
  const { answer, left } = await sendFile(ready, 'POST', path, 'readFile', file);
  const { guid } = answer as { guid: string };
  return { guid, left };
}

/** Sends a file in a form; returns the response and the time at which the last byte was sent. */
export async function sendFile(
  ready: Address,
  verb: string,
  path: string,
  field: string,
  file: Uint8Array,
): Promise<{ answer: unknown; left: number }> {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="a.tfc"\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const outgoing = open(ready, verb, path, {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + file.length + tail.length,
  });
  const answer = new Promise<string>((resolve, reject) => {
    outgoing.once('error', reject).once('response', async (incoming) => {
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece as Buffer);
      const whole = Buffer.concat(pieces).toString();
      if ((incoming.statusCode ?? 500) < 400) resolve(whole);
      else reject(new Error(`${path}: ${incoming.statusCode} ${whole}`));
    });
  });
  outgoing.write(head);
  outgoing.write(file);
  const left = await new Promise<number>((resolve) => {
    outgoing.end(tail, () => resolve(performance.now()));
  });
  return { answer: JSON.parse(await answer), left };
}

/** When the first byte of a download arrived, of `performance.now`; reads the rest as well. */
export async function waitForFirstByte(ready: Address, path: string): Promise<number> {
  const outgoing = open(ready, 'GET', path).end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  if (incoming.statusCode !== 200) throw new Error(`${path}: ${incoming.statusCode}`);
  let first = Number.NaN;
  for await (const _ of incoming) if (Number.isNaN(first)) first = performance.now();
  return first;
}

/**
 * Starts a benchmark's own file as the product, calls `measure` with its first message, and stops it with the message
 * `stop`.
 */
export async function withProduct<R, T>(
  file: string,
  measure: (ready: R, folder: string, product: ChildProcess) => Promise<T>,
  stop: Serializable = 'stop',
): Promise<T> {
  const folder = await createFolder();
  const product = fork(file, [folder], { serialization: 'advanced' });
  const ready = await new Promise<R>((resolve, reject) => {
    product.once('message', resolve).once('exit', () => reject(new Error('it did not start')));
  });
  const result = await measure(ready, folder, product);
  const gone = new Promise((resolve) => product.once('exit', resolve));
  product.send(stop);
  await gone;
  await rm(folder, { recursive: true, force: true });
  return result;
}

/** Seals an image as the slave does. */
export function sealImage(slave: Slave, id: number, bytes: number, seed = 1): Uint8Array {
  const protocol = findProtocol(id);
  if (protocol === null) throw new Error(`there is no protocol ${id}`);
  return sealRead({
    ...slave,
    protocolId: id,
    mode: 'obd',
    components: [{ name: 'obd', bytes: generateImage(protocol, 'obd', seed, bytes) }],
    information: {},
    identificationOnly: false,
    readId: randomBytes(16),
    fileSalt: randomBytes(32),
  });
}
