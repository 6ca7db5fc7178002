/**
 * Compares the p95 of a decode while 200 webhook messages are delivered to a slow receiver with its p95 while there are
 * none, in alternating windows of the same run. `node bench/live/webhooks.ts`
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Slave } from '@recodery/codec/simulator/slave';
import { accessTokenHeader } from '@recodery/contract/headers';
import type { Platform } from '@recodery/server/platform';
import { startPortal } from '@recodery/server/portal';
import { addEndpoint, removeEndpoint } from '@recodery/server/webhooks/endpoints';
import { startWorker } from '@recodery/server/worker';
import { sql } from 'kysely';
import { openDemo, findWorkshop, findSlave, addProgram } from '../support/demo.ts';
import { median, percentile } from '../support/median.ts';
import { sealImage, withProduct } from '../support/product.ts';

/** How much longer a decode may take while messages are delivered (p95). */
const allowed = 1.2;
/** Alternating windows of each kind, and decodes in each. */
const windows = 5;
const decodes = 20;
const warmUps = 10;
const endpoints = 10;
const messages = 200;
/** Milliseconds until the receiver responds. */
const slowness = 5000;
const imageBytes = 2 * 1024 * 1024;
/** Milliseconds between two polls. */
const pollMs = 2;

/** The message of the product to the benchmark when it is ready. */
interface Ready {
  readonly port: number;
  readonly token: string;
  readonly slave: Slave;
}

/** The requests of the benchmark to the product: the state of the deliveries, with the response `done`. */
type Command =
  | { readonly kind: 'load'; readonly url: string; readonly operation: string }
  | { readonly kind: 'unload' }
  | { readonly kind: 'stop' };

type Organisation = Awaited<ReturnType<typeof findWorkshop>>;

/** Adds endpoints with waiting messages about an operation, and removes them again. */
function createLoad(platform: Platform, organisationId: Organisation) {
  const { db } = platform;
  let guids: readonly string[] = [];
  return {
    async load(url: string, operation: string): Promise<void> {
      const added = Array.from({ length: endpoints }, () =>
        addEndpoint(platform, organisationId, url),
      );
      guids = (await Promise.all(added)).map(({ guid }) => guid);
      await sql`
        insert into webhook_message (guid, webhook_id, organisation_guid, endpoint_guid, operation_guid, type)
        select gen_random_uuid(), gen_random_uuid(), ${organisationId}, endpoint.guid, ${operation},
          'operation.completed'
        from webhook_endpoint as endpoint, generate_series(1, ${messages / endpoints}::int)`.execute(
        db,
      );
    },
    async unload(): Promise<void> {
      for (const guid of guids) await removeEndpoint(platform.db, organisationId, guid);
      guids = [];
    },
  };
}

/** The whole product in one process, with a client application of the demo. */
async function serve(dataDir: string): Promise<void> {
  const { platform, close } = await openDemo(dataDir, { RECODERY_WEBHOOK_ALLOW: '127.0.0.1' });
  const roles = [await startWorker(platform), await startPortal(platform, 0)] as const;
  const organisationId = await findWorkshop(platform);
  const { accessToken } = await addProgram(platform);
  const slave = await findSlave(platform, 'kessv2', 'KV2-000007');
  process.send?.({ port: roles[1].port, token: accessToken, slave } satisfies Ready);
  const { load, unload } = createLoad(platform, organisationId);
  process.on('message', async (command: Command) => {
    if (command.kind === 'load') await load(command.url, command.operation);
    else await unload();
    if (command.kind !== 'stop') return process.send?.('done');
    await Promise.all(roles.map((role) => role.stop()));
    await close();
    process.exit(0);
  });
}

interface OperationState {
  readonly guid: string;
  readonly isCompleted: boolean;
  readonly isSuccessful: boolean;
}

/** Decodes a read; returns the operation's GUID, and milliseconds from the first byte of the upload. */
async function decode({ port, token }: Ready, file: Uint8Array) {
  const origin = `http://127.0.0.1:${port}`;
  const headers = { [accessTokenHeader]: token };
  const call = async (path: string, init: RequestInit = {}): Promise<OperationState> => {
    const response = await fetch(origin + path, { ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as OperationState;
  };
  const body = new FormData();
  body.append('readFile', new Blob([new Uint8Array(file)]), 'read.tfc');
  const start = performance.now();
  let operation = await call('/api/kessv2/upload-read-file', { method: 'POST', body });
  while (!operation.isCompleted) {
    await pause(pollMs);
    operation = await call(`/api/async-operations/${operation.guid}`);
  }
  if (!operation.isSuccessful) throw new Error('the decode failed');
  return { guid: operation.guid, time: performance.now() - start };
}

/**
 * A receiver that responds late; `current` counts the deliveries that are waiting for it, `most` is the maximum at any
 * time.
 */
async function startReceiver() {
  const counts = { current: 0, most: 0, all: 0 };
  const server = createServer((request, response) => {
    counts.all += 1;
    counts.current += 1;
    counts.most = Math.max(counts.most, counts.current);
    request.resume();
    const timer = setTimeout(() => response.writeHead(204).end(), slowness);
    response.once('close', () => {
      clearTimeout(timer);
      counts.current -= 1;
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    counts,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function compare(ready: Ready, _folder: string, product: ChildProcess): Promise<boolean> {
  const ask = (command: Command): Promise<unknown> => {
    const done = once(product, 'message');
    product.send(command);
    return done;
  };
  const file = sealImage(ready.slave, 9000, imageBytes);
  const receiver = await startReceiver();
  let operation = '';
  for (let count = 0; count < warmUps; count += 1) operation = (await decode(ready, file)).guid;
  const times = { idle: [] as number[], busy: [] as number[] };
  for (let window = 0; window < 2 * windows; window += 1) {
    const kind = window % 2 === 0 ? 'idle' : 'busy';
    if (kind === 'busy') {
      await ask({ kind: 'load', url: receiver.url, operation });
      while (receiver.counts.current === 0) await pause(pollMs);
    }
    for (let count = 0; count < decodes; count += 1)
      times[kind].push((await decode(ready, file)).time);
    if (kind === 'busy') {
      await ask({ kind: 'unload' });
      while (receiver.counts.current > 0) await pause(pollMs);
    }
  }
  receiver.stop();
  const [idle, busy] = [percentile(times.idle, 0.95), percentile(times.busy, 0.95)];
  const ratio = busy / idle;
  console.log(
    `decode of 2 MiB, p95 (median): idle ${idle.toFixed(1)} ms (${median(times.idle).toFixed(1)}), ` +
      `with ${messages} webhooks to a slow receiver, ${receiver.counts.most} at once, ${busy.toFixed(1)} ms ` +
      `(${median(times.busy).toFixed(1)}), ratio ${ratio.toFixed(2)} of ${allowed} allowed`,
  );
  return ratio <= allowed;
}

const stop: Command = { kind: 'stop' };
const [, , dataDir] = process.argv;
if (dataDir !== undefined) await serve(dataDir);
else process.exit((await withProduct(import.meta.filename, compare, stop)) ? 0 : 1);
