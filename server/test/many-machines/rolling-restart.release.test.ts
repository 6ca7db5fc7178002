/**
 * Two portals and a worker as processes, behind a plain proxy: each portal is restarted under load, and no request
 * fails.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Slave } from '@recodery/codec/simulator/slave';
import { decodeResult } from '@recodery/contract/families/kessv2';
import { sessionHeader } from '@recodery/contract/headers';
import {
  type Operation,
  operation as operationSchema,
} from '@recodery/contract/features/operations';
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import { encodeResult } from '@recodery/contract/results';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../fixtures/free-port.ts';
import { type PlainProxy, startPlainProxy } from '../../../e2e/many-machines/proxy.ts';
import { type Answer, Client } from '../fixtures/client.ts';
import { holdUpload } from '../fixtures/patient-client.ts';
import { type RecoderyProcess, startRecodery } from '../fixtures/recodery-process.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { sealImage, uploadImage, uploadRead } from '../journeys/families/kessv2-workflow.ts';

const secret = randomBytes(32).toString('hex');
const image = randomBytes(64 * 1024);

/** Creates the tables, the sessions and the slave's key; takes no part in the load. */
let own: RunningPortal;
let worker: RecoderyProcess;
const portals = new Map<number, RecoderyProcess>();
let proxy: PlainProxy;
let slave: Slave;
let sessionId: string;

beforeAll(async () => {
  own = await startTestPortal({ RECODERY_SECRET: secret }, false);
  slave = await own.getSlave('kessv2', 'KV2-000007');
  sessionId = (await own.signIn('anna@demo.test')).sessionId;
  const ports = [await freePort(), await freePort()];
  await Promise.all(ports.map(startPortalAt));
  worker = await startRecodery(own.platform, {
    RECODERY_ROLES: 'worker',
    RECODERY_SECRET: secret,
  });
  proxy = await startPlainProxy(ports);
});
afterAll(async () => {
  await proxy.stop();
  for (const process of [...portals.values(), worker]) await process.kill();
  await own.stop();
});

async function startPortalAt(port: number): Promise<void> {
  const portal = await startRecodery(own.platform, {
    RECODERY_ROLES: 'portal',
    RECODERY_SECRET: secret,
    RECODERY_PORT: String(port),
    RECODERY_PARALLEL_OPERATIONS: '100',
    RECODERY_STOP_DELAY_SECONDS: '10',
    RECODERY_STOP_PATIENCE_SECONDS: '60',
  });
  portals.set(port, portal);
}

/** What users and programs do until they are told to stop; each error is one line. */
function createLoad() {
  const client = new Client(proxy.url, sessionId);
  const stopping = new AbortController();
  const faults: string[] = [];
  const counts = { requests: 0, cycles: 0, streams: 0 };
  const expectStatus = async (
    what: string,
    status: number,
    asked: Promise<Answer>,
  ): Promise<Answer> => {
    const answer = await asked.catch((error: unknown) => String(error));
    if (typeof answer === 'string') throw new Error(`${what}: ${answer}`);
    counts.requests += 1;
    if (answer.status !== status) throw new Error(`${what}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const finish = async (what: string, asked: Promise<Answer>): Promise<Operation> => {
    let operation = operationSchema.parse((await expectStatus(what, 202, asked)).json);
    while (!operation.isCompleted) {
      await wait(100);
      const path = `/api/async-operations/${operation.guid}`;
      operation = operationSchema.parse((await expectStatus('a poll', 200, client.get(path))).json);
    }
    if (operation.error !== null)
      throw new Error(`${what} failed: ${JSON.stringify(operation.error)}`);
    return operation;
  };
  const download = async (what: string, address: unknown): Promise<Uint8Array> => {
    const { pathname, search } = new URL(String(address), proxy.url);
    return (await expectStatus(what, 200, client.get(pathname + search))).bytes;
  };
  const cycle = async (): Promise<void> => {
    const read = sealImage(slave, 9000, image);
    const decoded = decodeResult.parse((await finish('a decode', uploadRead(client, read))).result);
    const bytes = await download('a download', decoded.decodedFileURL);
    if (!isDeepStrictEqual(bytes, new Uint8Array(image))) throw new Error('other bytes');
    const slot = decoded.kessv2SlotGUID;
    const modified = bytes.with(100, (bytes[100] ?? 0) ^ 1);
    const uploaded = await expectStatus(
      'an upload',
      200,
      uploadImage(client, 'modified', slot, modified),
    );
    const body = {
      kessv2FileSlotGUID: slot,
      modifiedFileGUID: (uploaded.json as UploadedFile).fileGUID,
      originalFileGUID: '00000000-0000-0000-0000-000000000000',
      willCorrectCVN: false,
      contextData: null,
    };
    const encoded = await finish('an encode', client.post('/api/kessv2/encode-file', body));
    await download('a download', encodeResult.parse(encoded.result).encodedFileURL);
    counts.cycles += 1;
  };
  const list = async (): Promise<void> => {
    await expectStatus('a list', 200, client.get('/api/operations'));
    await expectStatus('the configuration', 200, client.get('/api/config'));
  };
  // a stream ends with its portal, and begins again at the other
  const follow = async (): Promise<void> => {
    const headers = { [sessionHeader]: sessionId };
    const signal = stopping.signal;
    const stream = await fetch(`${proxy.url}/api/events`, { headers, signal });
    if (stream.status !== 200) throw new Error(`a stream: ${stream.status}`);
    for await (const _piece of stream.body ?? []) if (signal.aborted) return;
    counts.streams += 1;
  };
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!stopping.signal.aborted)
      await work().catch((error: unknown) => {
        if (!stopping.signal.aborted) faults.push(String(error));
      });
  };
  const running = [cycle, cycle, list, list, follow, follow].map(repeat);
  return {
    client,
    counts,
    faults,
    /** Waits for this many more cycles. */
    async goOn(more: number): Promise<void> {
      const wanted = counts.cycles + more;
      await expect.poll(() => faults.length > 0 || counts.cycles >= wanted).toBe(true);
      expect(faults).toEqual([]);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
      client.close();
    },
  };
}

/** Restarts a portal as a process supervisor does; returns its exit code. */
async function restart(port: number, meanwhile: () => Promise<void>): Promise<number | null> {
  const portal = portals.get(port);
  if (portal === undefined) throw new Error(`there is no portal at ${port}`);
  const ended = new Promise<number | null>((resolve) => portal.child.once('exit', resolve));
  portal.child.kill('SIGTERM');
  await meanwhile();
  const code = await ended;
  await startPortalAt(port);
  return code;
}

test('a rolling restart fails no request, upload or stream', async () => {
  await expect.poll(() => proxy.listReady().length).toBe(2);
  const load = createLoad();
  await load.goOn(2);
  for (const port of portals.keys()) {
    const sentBefore = new Map(proxy.sent);
    // uploads that begin before the stop and end after the portal accepts no more connections, at both portals
    const held = [1, 2, 3, 4].map(() =>
      holdUpload(load.client, sealImage(slave, 9000, randomBytes(2 ** 20))),
    );
    await wait(500);
    const code = await restart(port, async () => {
      await expect.poll(() => proxy.listReady()).not.toContain(port);
      await expect
        .poll(() =>
          fetch(`http://127.0.0.1:${port}/healthz`).then(
            () => 'open',
            () => 'closed',
          ),
        )
        .toBe('closed');
      const answers = await Promise.all(held.map((upload) => upload.finish()));
      expect(answers.map(({ status, text }) => (status === 202 ? 202 : text))).toEqual([
        202, 202, 202, 202,
      ]);
    });
    expect(code).toBe(0);
    await expect.poll(() => proxy.listReady().length).toBe(2);
    await load.goOn(2);
    for (const one of portals.keys())
      expect(proxy.sent.get(one) ?? 0).toBeGreaterThan(sentBefore.get(one) ?? 0);
  }
  await load.stop();
  expect(load.faults).toEqual([]);
  // each portal has ended streams of the load
  expect(load.counts.streams).toBeGreaterThanOrEqual(2);
});
