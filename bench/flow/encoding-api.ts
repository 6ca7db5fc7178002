/**
 * Compares a decode of 2 MiB through the Encoding API with one through the portal's own API, in the same run: upload,
 * polling and download, including JSON and Base64. `node bench/flow/encoding-api.ts`
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Slave } from '@recodery/codec/simulator/slave';
import { accessTokenHeader } from '@recodery/contract/headers';
import { median } from '../support/median.ts';
import { addProgram, findSlave } from '../support/demo.ts';
import { sealImage, serveWith, withProduct } from '../support/product.ts';

/** Milliseconds that the Encoding API may take longer (median). */
const allowed = 30;
const rounds = 61;
const warmUps = 5;
const imageBytes = 2 * 1024 * 1024;
/** Milliseconds between two polls; the same for both. */
const pollMs = 2;

/** The message of the product to the benchmark when it is ready. */
interface Ready {
  readonly port: number;
  readonly token: string;
  readonly slave: Slave;
}

/** The whole product in one process, with a client application of the demo. */
function serve(dataDir: string): Promise<void> {
  return serveWith(
    dataDir,
    async (platform, port): Promise<Ready> => ({
      port,
      token: (await addProgram(platform)).accessToken,
      slave: await findSlave(platform, 'kessv2', 'KV2-000007'),
    }),
    { RECODERY_OPEN_SLOTS: '1000' },
  );
}

/** One of the two APIs: where it is, what it calls a decode, and how it returns a file. */
interface Way {
  readonly base: string;
  readonly decodePath: string;
  readBytes(response: Response): Promise<Uint8Array>;
}

const ways = {
  own: {
    base: '',
    decodePath: '/api/kessv2/upload-read-file',
    readBytes: async (response) => new Uint8Array(await response.arrayBuffer()),
  },
  encodingApi: {
    base: '/encoding-api',
    decodePath: '/api/kessv2/decode-read-file/C-1',
    async readBytes(response) {
      const { data } = (await response.json()) as { data: string };
      return Buffer.from(data, 'base64');
    },
  },
} satisfies Record<string, Way>;

interface OperationState {
  readonly guid: string;
  readonly isCompleted: boolean;
  readonly result: { readonly decodedFileURL: string } | null;
}

/** Milliseconds from the first byte of the upload to the last byte of the decoded image. */
async function measure({ port, token }: Ready, way: Way, file: Uint8Array): Promise<number> {
  const origin = `http://127.0.0.1:${port}`;
  const headers = { [accessTokenHeader]: token };
  const call = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(new URL(address, origin), { ...init, headers });
    if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
    return response;
  };
  const form = new FormData();
  form.append('readFile', new Blob([new Uint8Array(file)]), 'read.tfc');
  const start = performance.now();
  const started = await call(way.base + way.decodePath, { method: 'POST', body: form });
  let operation = (await started.json()) as OperationState;
  while (!operation.isCompleted) {
    await pause(pollMs);
    const response = await call(`${way.base}/api/async-operations/${operation.guid}`);
    operation = (await response.json()) as OperationState;
  }
  const bytes = await way.readBytes(await call(operation.result?.decodedFileURL ?? ''));
  if (bytes.length !== imageBytes) throw new Error(`${bytes.length} bytes came back`);
  return performance.now() - start;
}

async function compare(ready: Ready): Promise<boolean> {
  const file = sealImage(ready.slave, 9000, imageBytes);
  const times = { own: [] as number[], encodingApi: [] as number[] };
  const names = ['own', 'encodingApi'] as const;
  for (let round = -warmUps; round < rounds; round += 1) {
    // alternating, and in both orders, so that load on the machine and what a decode leaves behind affect both
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const time = await measure(ready, ways[name], file);
      if (round >= 0) times[name].push(time);
    }
  }
  // of the two consecutive decodes of each round: what slows the machine for a minute affects both
  const more = median(times.encodingApi.map((time, round) => time - (times.own[round] ?? 0)));
  console.log(
    `decode of 2 MiB, upload to download: own API ${median(times.own).toFixed(1)} ms, Encoding API ` +
      `${median(times.encodingApi).toFixed(1)} ms, median difference of a round ${more.toFixed(1)} ms of ${allowed} allowed`,
  );
  return more <= allowed;
}

const [, , dataDir] = process.argv;
if (dataDir !== undefined) await serve(dataDir);
else process.exit((await withProduct(import.meta.filename, compare)) ? 0 : 1);
