/** The import of a tab: it ends with the customer code that it was started under, and believes no file that is lost. */
import { createHash } from 'node:crypto';
import { QueryClient } from '@tanstack/react-query';
import { customerCodeHeader } from '@recodery/contract/headers';
import { Refusal } from '@recodery/contract/refusal';
import { beforeEach, expect, test, vi } from 'vitest';
import { rememberCustomerCode } from '../../src/api/customer-code.ts';
import { keepSessionId } from '../../src/api/session-id.ts';
import {
  type ImportCounts,
  importExport,
} from '../../src/features/jobs/import-export/import-export.ts';
import { startImport } from '../../src/features/jobs/import-export/import-run.ts';
import { beBrowser } from '../api/browser.ts';
import { zipOf } from '../recoding/zip-of.ts';

/** A request that waits for the test. */
interface Sent {
  readonly code: string | undefined;
  readonly respond: (status: number, body: string) => void;
}

let sent: Sent[];
/** The files that the portal finds, and what happens when it is asked. */
let find: (headers: Record<string, string>) => Promise<Response>;

class Waiting {
  readonly upload = {};
  status = 0;
  responseText = '';
  onload: (() => void) | null = null;
  onabort: (() => void) | null = null;
  onloadend: (() => void) | null = null;
  readonly headers: Record<string, string> = {};
  open(): void {}
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  getResponseHeader(): null {
    return null;
  }
  send(): void {
    const respond = (status: number, body: string): void => {
      Object.assign(this, { status, responseText: body });
      this.onload?.();
      this.onloadend?.();
    };
    sent.push({ code: this.headers[customerCodeHeader], respond });
  }
  abort(): void {
    this.onabort?.();
    this.onloadend?.();
  }
}

beforeEach(() => {
  sent = [];
  find = async () => Response.json([]);
  beBrowser('http://127.0.0.1:9');
  keepSessionId('session-1');
  rememberCustomerCode('CC-1');
  vi.stubGlobal('XMLHttpRequest', Waiting);
  vi.stubGlobal('fetch', (_address: string, { headers }: { headers: Record<string, string> }) =>
    find(headers),
  );
  return () => vi.unstubAllGlobals();
});

const createdOn = '2026-01-02T03:04:05.000Z';
const bytesOf = (job: number): Uint8Array => new Uint8Array(10).fill(job);
const hashOf = (job: number): string => createHash('sha256').update(bytesOf(job)).digest('hex');

/** An export of jobs that consist of a read. */
async function exportOf(...jobs: readonly number[]): Promise<File> {
  const described = jobs.map((job) => ({
    createdOn,
    family: 'kessv2',
    workflow: 'kessv2',
    fileName: `${job}.tfc`,
    groupCode: 'G',
    isKept: false,
    files: [
      {
        role: 'read',
        component: null,
        name: `${job}.tfc`,
        size: 10,
        sha256: hashOf(job),
        createdOn,
        path: `jobs/${job}`,
      },
    ],
  }));
  const manifest = JSON.stringify({
    format: 'recodery-jobs/2',
    customerCode: 'CC-9',
    exportedOn: createdOn,
    jobs: described,
  });
  const zip = await zipOf(...jobs.map((job) => ({ path: `jobs/${job}`, bytes: bytesOf(job) })), {
    path: 'manifest.json',
    bytes: new TextEncoder().encode(manifest),
  });
  return new File([zip], 'export.zip');
}

const imported = JSON.stringify({
  outcome: 'imported',
  slotGUID: '00000000-0000-7000-8000-000000000001',
  reason: null,
  detail: null,
});

/** Starts an import under CC-1; `result` has what was counted, and what was thrown. */
function begin(file: File, signal = new AbortController().signal) {
  let counts: ImportCounts | null = null;
  const onProgress = (now: ImportCounts): void => {
    counts = now;
  };
  const result = importExport(file, { signal, customerCode: 'CC-1', onProgress }).then(
    () => ({ counts, thrown: null }),
    (thrown: unknown) => ({ counts, thrown }),
  );
  return result;
}

// promise j1.import.code
test('another customer code ends the import before its next job', async () => {
  const result = begin(await exportOf(1, 2));
  await expect.poll(() => sent).toHaveLength(1);
  rememberCustomerCode('CC-2');
  sent[0]?.respond(200, imported);
  expect(await result).toMatchObject({
    counts: { total: 2, imported: 1, there: 0 },
    thrown: new Refusal('CUSTOMER_CODE_CHANGED'),
  });
  expect(sent.map(({ code }) => code)).toEqual(['CC-1']);
});

// promise j1.import.code
test('the jobs of another organization do not count as there', async () => {
  const asked: (string | undefined)[] = [];
  find = async (headers) => {
    asked.push(headers[customerCodeHeader]);
    // selected in another tab: this one does not know it
    return new Response('CUSTOMER_CODE_CHANGED', { status: 400 });
  };
  const { counts, thrown } = await begin(await exportOf(1));
  expect([asked, sent]).toEqual([['CC-1'], []]);
  expect(counts).toMatchObject({ there: 0 });
  expect(thrown).toMatchObject({ code: 'CUSTOMER_CODE_CHANGED' });
});

test.each([
  ['deleted', { isThere: false, isDamaged: false }],
  ['damaged', { isThere: true, isDamaged: true }],
])('a job whose read is %s is sent', async (_, state) => {
  const file = {
    fileGUID: '00000000-0000-7000-8000-000000000002',
    role: 'read',
    name: '1.tfc',
    createdOn,
    userDisplayName: null,
    slotGUID: '00000000-0000-7000-8000-000000000003',
    family: 'kessv2',
    workflow: 'kessv2',
    fileName: '1.tfc',
    slaveSerialNumber: null,
    sha256: hashOf(1),
  };
  find = async () => Response.json([{ ...file, ...state }]);
  const result = begin(await exportOf(1));
  await expect.poll(() => sent).toHaveLength(1);
  sent[0]?.respond(200, imported);
  expect((await result).counts).toMatchObject({ imported: 1, there: 0 });
});

test('a job that waits for a place leaves no listener behind', async () => {
  const { signal } = new AbortController();
  const add = vi.spyOn(signal, 'addEventListener');
  const remove = vi.spyOn(signal, 'removeEventListener');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const result = begin(await exportOf(1), signal);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    sent[0]?.respond(429, 'TOO_MANY_UPLOADS');
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1500);
      expect(sent).toHaveLength(2);
    });
    sent[1]?.respond(200, imported);
    await result;
  } finally {
    vi.useRealTimers();
  }
  const kinds = (calls: readonly (readonly unknown[])[]) => calls.map(([, listener]) => listener);
  expect(kinds(remove.mock.calls)).toEqual(expect.arrayContaining(kinds(add.mock.calls)));
});

test('an import that is started while one under another code ends is not lost', async () => {
  const queries = new QueryClient();
  const first = startImport(queries, await exportOf(1), () => undefined);
  await expect.poll(() => sent).toHaveLength(1);
  rememberCustomerCode('CC-2');
  const second = startImport(queries, await exportOf(2), () => undefined);
  await first;
  await expect.poll(() => sent).toHaveLength(2);
  sent[1]?.respond(200, imported);
  await second;
  expect(sent.map(({ code }) => code)).toEqual(['CC-1', 'CC-2']);
});
