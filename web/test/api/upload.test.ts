/** Uploads that end without a response: which the server must not keep, and which are sent again with the same key. */
import { portalRoutes } from '@recodery/contract/family-routes/registry';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { UploadFailed } from '../../src/api/lost-requests.ts';
import { upload } from '../../src/api/upload.ts';
import {
  forgetUnsaved,
  keepUnsaved,
  saveDraft,
  saveUnsaved,
} from '../../src/features/recoding/flow/save-draft.ts';
import { beBrowser } from './browser.ts';
import { keepSessionId } from '../../src/api/session-id.ts';

const { uploadModifiedFile, uploadReadFile } = portalRoutes.kessv2;

/** An upload that waits for the test. */
class Waiting {
  readonly upload: { onload?: () => void } = {};
  status = 0;
  responseText = '';
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
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
    sent.push(this);
  }
  abort(): void {
    this.onabort?.();
    this.onloadend?.();
  }
  /** All of the file is sent. */
  complete(): void {
    this.upload.onload?.();
  }
  lose(): void {
    this.onerror?.();
    this.onloadend?.();
  }
  refuse(status: number, code: string): void {
    this.status = status;
    this.responseText = code;
    this.onload?.();
    this.onloadend?.();
  }
}

let sent: Waiting[];
/** The bodies of the drafts that were saved. */
let drafts: { canceled?: string[] }[];
beforeAll(() => {
  beBrowser('http://127.0.0.1:9');
  keepSessionId('session-1');
  vi.stubGlobal('XMLHttpRequest', Waiting);
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    drafts.push(JSON.parse(body));
    return new Response(null, { status: 204 });
  });
  return () => vi.unstubAllGlobals();
});
beforeEach(() => {
  sent = [];
  drafts = [];
});

const slotGUID = '00000000-0000-7000-8000-000000000001';
const draft = { files: {}, removed: null, willCorrectCVN: false, willSkipChecksum: false };

/** Uploads a modified file, and returns its name. */
function modify(signal?: AbortSignal): string | undefined {
  const file = new File(['x'], 'modified.bin');
  upload(uploadModifiedFile, { params: { slotGUID } }, file, { signal }).catch(() => null);
  return sent.at(-1)?.headers['X-Recodery-Upload'];
}

// promise 4.resume.reload
test('the next draft names the uploads that were canceled, and no others', async () => {
  modify();
  sent[0]?.lose();
  await saveDraft({ slotGUID, draft });
  expect(drafts.map(({ canceled }) => canceled)).toEqual([undefined]);
  const cancel = new AbortController();
  const name = modify(cancel.signal);
  expect(name).toMatch(/^[\da-f]{32}$/);
  expect(modify()).not.toBe(name);
  sent[1]?.complete();
  cancel.abort();
  await saveDraft({ slotGUID, draft });
  expect(drafts.at(-1)?.canceled).toEqual([name]);
  // the page is closed before this arrives, and the next one saves it
  keepUnsaved({ slotGUID, draft });
  await saveUnsaved(slotGUID);
  expect(drafts.at(-1)?.canceled).toContain(name);
  forgetUnsaved(slotGUID);
});

/** Sends a read file, and returns its request with its key. */
async function decode(file: File, act: (request: Waiting) => void): Promise<string | undefined> {
  const ended = upload(uploadReadFile, { query: {} }, file).catch((thrown: unknown) => thrown);
  const request = sent.at(-1);
  if (request === undefined) throw new Error('nothing was sent');
  act(request);
  await ended;
  return request.headers['Idempotency-Key'];
}

test('a file that was not sent completely has a new key when it is sent again', async () => {
  const file = new File(['x'], 'read.tfc');
  const first = await decode(file, (request) => request.lose());
  const second = await decode(file, (request) => {
    request.complete();
    request.lose();
  });
  // the server may have all of the second one: a later interruption does not change that
  const third = await decode(file, (request) => request.lose());
  const fourth = await decode(file, (request) => request.refuse(429, 'IDEMPOTENCY_KEY_IN_USE'));
  const fifth = await decode(file, (request) => request.refuse(429, 'TOO_MANY_UPLOADS'));
  const sixth = await decode(file, (request) => request.lose());
  expect(second).not.toBe(first);
  expect([third, fourth, fifth, sixth]).toEqual([second, second, second, second]);
});

test('a file that was refused has a new key when it is sent again', async () => {
  const file = new File(['x'], 'read.tfc');
  const refused = await decode(file, (request) => request.refuse(429, 'TOO_MANY_UPLOADS'));
  const broken = await decode(file, (request) => request.refuse(500, 'GENERIC_ERROR'));
  const again = await decode(file, (request) => request.lose());
  expect(broken).not.toBe(refused);
  expect(again).toBe(broken);
});

test('an error response that was cut off ends the upload', async () => {
  for (const [status, code] of [
    [429, 'API_ERROR_THROTTLING'],
    [400, 'GENERIC_ERROR'],
  ] as const) {
    const ended = upload(uploadReadFile, { query: {} }, new File(['x'], 'read.tfc'));
    sent.at(-1)?.refuse(status, '{"errorCode":"API_ER');
    await expect(ended).rejects.toMatchObject({ code });
  }
});

test('a lost upload is called a failure of the network', async () => {
  const file = new File(['x'], 'read.tfc');
  const ended = upload(uploadReadFile, { query: {} }, file).catch((thrown: unknown) => thrown);
  sent[0]?.lose();
  expect(await ended).toEqual(new UploadFailed(false));
});
