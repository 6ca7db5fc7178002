/** The state in which a page opens: what the server allows, and what is resumed. */
import { offersByKind } from '@recodery/contract/features/engines';
import { type ServerResponse } from 'node:http';
import { Refusal } from '@recodery/contract/errors';
import { type Job, job } from '@recodery/contract/features/jobs';
import { QueryClient } from '@tanstack/react-query';
import type { Workflow } from '@recodery/contract/families/registry';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { entranceQuery } from '../../src/features/recoding/flow/entrance.ts';
import { keepUnsaved } from '../../src/features/recoding/flow/save-draft.ts';
import { familyPages } from './family-pages.ts';
import { serveBrowser } from '../api/browser.ts';
import { failed, guid, kessv2Result, operation, succeeded } from './results.ts';

const entry = {
  isAutoSendEnabled: false,
  autoSendDefaultAction: 'Encode',
  defaultAutoSendAction: 'Encode',
  isAutoSendNotificationPrivateByDefault: true,
  canUseReCod: true,
  canUseUtility: false,
  engine: { name: 'built-in', kind: 'built-in', offers: offersByKind['built-in'] },
  foreignFileMasters: [],
  kessv2ActiveFileSlotCreationResult: null,
};

const answers = new Map<string, readonly [status: number, body: unknown]>();
/** The requests for drafts, in order. */
const drafts: string[] = [];

serveBrowser((request, response: ServerResponse) => {
  const { method = '', url = '' } = request;
  if (url === draftPath) drafts.push(method);
  const [status, body] = answers.get(`${method} ${url}`) ?? answers.get(url) ?? [404, 'NOT_FOUND'];
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
});
beforeEach(() => {
  answers.clear();
  drafts.length = 0;
});

/** Opens a page, KESSv2's by default, with an operation in its address or without. */
function enter(
  named: string | null = null,
  id: Workflow = 'kessv2',
  remembered: string | null = null,
) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const asked = entranceQuery(familyPages[id], {}, { named, remembered });
  return client.fetchQuery({ ...asked, retry: false });
}

const draftPath = `/api/slots/${kessv2Result.kessv2SlotGUID}/draft`;
const draft = { files: [], removed: null, willCorrectCVN: true, willSkipChecksum: false };

/** A decode that has succeeded, and the draft of its slot. */
function putDecoded(decode: string): void {
  answers.set(`/api/async-operations/${decode}`, [200, succeeded(kessv2Result, { guid: decode })]);
  answers.set(draftPath, [200, draft]);
}

function fullQuota(...details: unknown[]): void {
  answers.set('/api/kessv2', [429, { errorCode: 'API_ERROR_THROTTLING', details }]);
}

/** The job of a decode that failed: nothing is known but its read file. */
function jobOf(fileName: string): Job {
  const unknown = {
    slaveSerialNumber: null,
    vin: null,
    protocolID: null,
    protocolName: null,
    engine: null,
    hardware: null,
    software: null,
    note: null,
    mode: null,
    decodeOperationGUID: null,
    notedBy: null,
    notedOn: null,
  };
  const createdOn = '2026-11-21T10:00:00.000Z';
  const userDisplayName = 'Anna';
  const read: Job['files'][number] = {
    fileGUID: guid(60),
    role: 'read',
    component: null,
    part: null,
    name: fileName,
    size: 4096,
    sha256: '0'.repeat(64),
    createdOn,
    userDisplayName,
    isThere: true,
    firstDownloadedOn: null,
    madeFrom: [],
    sentTo: null,
    sentOn: null,
  };
  return job.parse({
    ...unknown,
    slotGUID: guid(50),
    family: 'kessv2',
    workflow: 'kessv2',
    fileName,
    createdOn,
    userDisplayName,
    isKept: false,
    encodedFiles: 0,
    groupCode: 'G-10',
    information: {},
    expiresOn: createdOn,
    files: [read],
    restoreKit: { state: 'impossible', reason: 'NOT_DECODED', fileGUID: null, fileName: null },
    otherJobs: [],
  });
}

async function refusalOf(pending: Promise<unknown>): Promise<string> {
  const thrown: unknown = await pending.catch((reason: unknown) => reason);
  return thrown instanceof Refusal ? thrown.code : 'no refusal';
}

describe('a full quota', () => {
  // promise 4.entry.throttled
  test('with pending operations resumes the first', async () => {
    fullQuota(operation({ guid: guid(7) }), operation({ guid: guid(8) }));
    const { entry: allowed, resumed } = await enter();
    expect(allowed).toBeNull();
    expect(resumed?.operation.guid).toBe(guid(7));
  });

  test('of recoding and utility together gives each page its own', async () => {
    const kess3 = { asyncOperationType: 'KESS3Decode' } as const;
    const details = [
      operation({ ...kess3, guid: guid(7), isUtility: true }),
      operation({ ...kess3, guid: guid(8) }),
    ];
    const full = [429, { errorCode: 'API_ERROR_THROTTLING', details }] as const;
    answers.set('/api/kess3?mode=recod', full);
    answers.set('/api/kess3?mode=utility', full);
    expect((await enter(null, 'kess3')).resumed?.operation.guid).toBe(guid(8));
    expect((await enter(null, 'kess3-utility')).resumed?.operation.guid).toBe(guid(7));
    details.pop();
    expect(await refusalOf(enter(null, 'kess3'))).toBe('API_ERROR_THROTTLING');
  });

  // promise 4.entry.throttled-empty
  test("without an operation of the user's own is reported", async () => {
    fullQuota();
    expect(await refusalOf(enter())).toBe('API_ERROR_THROTTLING');
  });
});

describe('a change that was being saved when the page was closed', () => {
  const slotGUID = kessv2Result.kessv2SlotGUID;
  const change = { files: {}, removed: [], willCorrectCVN: true, willSkipChecksum: false };
  const enterDecoded = () => {
    putDecoded(guid(9));
    return enter(guid(9));
  };
  beforeEach(() => {
    sessionStorage.clear();
    answers.set('/api/kessv2', [200, entry]);
    keepUnsaved({ slotGUID, draft: change });
  });

  // promise 4.resume.reload
  test('is saved before the draft is read, once', async () => {
    answers.set(`PUT ${draftPath}`, [204, '']);
    await enterDecoded();
    await enterDecoded();
    expect(drafts).toEqual(['PUT', 'GET', 'GET']);
  });

  test('is kept while it cannot be saved', async () => {
    answers.set(`PUT ${draftPath}`, [500, 'GENERIC_ERROR']);
    expect(await refusalOf(enterDecoded())).toBe('GENERIC_ERROR');
    answers.set(`PUT ${draftPath}`, [204, '']);
    await enterDecoded();
    expect(drafts).toEqual(['PUT', 'PUT', 'GET']);
  });

  test('is discarded if the server refuses it', async () => {
    answers.set(`PUT ${draftPath}`, [404, 'NOT_FOUND']);
    await enterDecoded();
    await enterDecoded();
    expect(drafts).toEqual(['PUT', 'GET', 'GET']);
  });

  test('is discarded after a minute: another tab may have changed the draft', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    await enterDecoded().finally(() => vi.useRealTimers());
    expect(drafts).toEqual(['GET']);
  });
});

describe('the page', () => {
  test('that cannot be entered shows the reason', async () => {
    answers.set('/api/kessv2', [403, 'USER_NO_RIGHTS']);
    expect(await refusalOf(enter())).toBe('USER_NO_RIGHTS');
  });

  test('resumes what the server reports as running', async () => {
    const running = operation({ guid: guid(9) });
    answers.set('/api/kessv2', [200, { ...entry, kessv2ActiveFileSlotCreationResult: running }]);
    expect((await enter(guid(1))).resumed?.operation.guid).toBe(guid(9));
  });

  test('resumes the operation in its address, whatever else is running', async () => {
    const running = operation({ guid: guid(9) });
    answers.set('/api/kessv2', [200, { ...entry, kessv2ActiveFileSlotCreationResult: running }]);
    putDecoded(guid(1));
    const { resumed, notFound } = await enter(guid(1));
    expect(resumed?.operation.guid).toBe(guid(1));
    expect(resumed?.slot?.read.slotGUID).toBe(kessv2Result.kessv2SlotGUID);
    expect(resumed?.slot?.draft).toEqual(draft);
    expect(notFound).toBeNull();
  });

  test('otherwise resumes what it showed when the user last left it', async () => {
    answers.set('/api/kessv2', [200, entry]);
    putDecoded(guid(1));
    expect((await enter(null, 'kessv2', guid(1))).resumed?.operation.guid).toBe(guid(1));
    expect((await enter(null, 'kessv2', guid(2))).resumed).toBeNull();
  });

  test('reports that the operation in its address does not exist, or on which page it is', async () => {
    answers.set('/api/kessv2', [200, entry]);
    expect(await enter(guid(2))).toMatchObject({ resumed: null, notFound: { opensAt: null } });
    const others = operation({ guid: guid(3), asyncOperationType: 'KTAGDecode' });
    answers.set(`/api/async-operations/${guid(3)}`, [200, others]);
    expect(await enter(guid(3))).toMatchObject({ resumed: null, notFound: { opensAt: 'ktag' } });
  });

  // promise 4.resume.reload
  test('has the name of the read file of a decode that failed, and opens without it if the job cannot be read', async () => {
    answers.set('/api/kessv2', [200, entry]);
    answers.set(`/api/async-operations/${guid(1)}`, [
      200,
      failed('FILE_CORRUPTED', { guid: guid(1) }),
    ]);
    expect((await enter(guid(1))).resumed).toMatchObject({ readFile: null, slot: null });
    answers.set(`/api/jobs/${guid(50)}`, [200, jobOf('golf.tfc')]);
    const { resumed } = await enter(guid(1));
    expect(resumed?.readFile).toEqual({ name: 'golf.tfc', size: 4096 });
  });

  test('is not shown while its draft cannot be read: an empty one would overwrite it', async () => {
    answers.set('/api/kessv2', [200, entry]);
    putDecoded(guid(1));
    answers.set(draftPath, [503, 'SERVICE_UNAVAILABLE']);
    expect(await refusalOf(enter(guid(1)))).toBe('SERVICE_UNAVAILABLE');
  });
});
