/** Uploads that end without a response: which the server must not keep, and which are sent again with the same key. */
import { portalRoutes } from '@recodery/contract/family-routes/registry';
import { Refusal } from '@recodery/contract/refusal';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { call } from '../../src/api/call.ts';
import { UploadFailed } from '../../src/api/lost-requests.ts';
import { upload } from '../../src/api/files/upload.ts';
import { canceling } from '../../src/features/recoding/flow/cancel-uploads.ts';
import { LivePages } from '../../src/features/recoding/flow/live-pages.ts';
import { keepUnsaved } from '../../src/features/recoding/flow/drafts/save-draft.ts';
import { noUploads } from '../../src/features/recoding/flow/uploads.ts';
import { beBrowser } from './browser.ts';
import { callsTo } from './calls-to.ts';
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
/** The other calls: verb and address, and the body. */
let called: { asked: string; body: unknown }[];
beforeAll(() => {
  beBrowser('http://127.0.0.1:9');
  keepSessionId('session-1');
  vi.stubGlobal('XMLHttpRequest', Waiting);
  vi.stubGlobal(
    'fetch',
    async (address: string, { method, body }: { method: string; body: string }) => {
      called.push({ asked: `${method} ${address}`, body: JSON.parse(body) });
      return new Response(null, { status: 204 });
    },
  );
  return () => vi.unstubAllGlobals();
});
beforeEach(() => {
  sent = [];
  called = [];
});

const slotGUID = '00000000-0000-7000-8000-000000000001';
const slotPath = `/api/slots/${slotGUID}`;
const draft = { files: {}, removed: null, willCorrectCVN: false, willSkipChecksum: false };

// promise 4.resume.reload
test('the server is told which uploads were canceled, and no others', async () => {
  const pages = new LivePages(call);
  const uploads = noUploads('C-1', canceling(call).cancel);
  const modify = (attempt: number): string | undefined => {
    const file = new File(['x'], 'modified.bin');
    const ended = uploads.run(attempt, (signal) =>
      uploads.sendImage({ slotGUID, part: 'modified', file }, signal, (name) =>
        upload(uploadModifiedFile, { params: { slotGUID } }, file, { signal, name }),
      ),
    );
    ended.catch(() => null);
    return sent.at(-1)?.headers['X-Recodery-Upload'];
  };
  modify(1);
  sent[0]?.lose();
  const name = modify(2);
  expect(name).toMatch(/^[\da-f]{32}$/);
  expect(modify(3)).not.toBe(name);
  sent[1]?.complete();
  uploads.abort(2);
  const canceled = (upload: string | undefined) => ({
    asked: `POST ${slotPath}/cancel-upload`,
    body: { upload },
  });
  await expect.poll(() => called).toEqual([canceled(name)]);
  // the page is closed before this arrives, and the next one sends it again
  keepUnsaved({ slotGUID, draft, canceled: ['upload-4'] });
  await pages.saveKept(slotGUID);
  expect(called.slice(1)).toEqual([
    canceled('upload-4'),
    { asked: `PUT ${slotPath}/draft`, body: draft },
  ]);
});

test('a file that is sent again with the same key has the same name, by which it can be canceled', async () => {
  const uploads = noUploads('C-1', canceling(call).cancel);
  const file = new File(['x'], 'modified.bin');
  const send = (attempt: number): Promise<unknown> =>
    uploads
      .run(attempt, (signal) =>
        uploads.sendImage({ slotGUID, part: 'modified', file }, signal, (name) =>
          upload(uploadModifiedFile, { params: { slotGUID } }, file, { signal, name }),
        ),
      )
      .catch(() => null);
  const ended = send(1);
  sent[0]?.complete();
  sent[0]?.lose();
  await ended;
  const again = send(2);
  const [first, second] = sent.map(({ headers }) => headers);
  expect(second?.['Idempotency-Key']).toBe(first?.['Idempotency-Key']);
  expect(second?.['X-Recodery-Upload']).toBe(first?.['X-Recodery-Upload']);
  uploads.abort(2);
  await again;
  // the server refuses the canceled name
  void send(3);
  expect(sent[2]?.headers['X-Recodery-Upload']).not.toBe(first?.['X-Recodery-Upload']);
});

test('the server is told again that an upload was canceled until it has answered', async () => {
  const answers = [new TypeError('Failed to fetch'), new Refusal('SERVICE_UNAVAILABLE'), null];
  const told: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { cancel, saved, unsaved } = canceling(
    callsTo(async (_route, { params, body }) => {
      told.push({ params, body });
      const answer = answers[told.length - 1];
      if (answer) throw answer;
    }),
    () => promise,
  );
  cancel({ slotGUID, name: 'upload-1' });
  await expect(saved(slotGUID)).rejects.toThrow('Failed to fetch');
  expect(unsaved(slotGUID)).toEqual(['upload-1']);
  expect(unsaved('another slot')).toEqual([]);
  resolve();
  await expect.poll(() => unsaved(slotGUID)).toEqual([]);
  expect(told).toEqual(Array(3).fill({ params: { slotGUID }, body: { upload: 'upload-1' } }));
  await saved(slotGUID);
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
