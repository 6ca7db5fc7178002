/** The state in which a page opens: what the server allows, and what is resumed. */
import { engineDefinitions } from '@recodery/contract/features/engines';
import { type ServerResponse } from 'node:http';
import { Refusal } from '@recodery/contract/refusal';
import { type Job, job } from '@recodery/contract/features/jobs/jobs';
import { QueryClient } from '@tanstack/react-query';
import type { Workflow } from '@recodery/contract/families/registry';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { beginSession, expireSession } from '../../../src/api/session-id.ts';
import { call } from '../../../src/api/call.ts';
import { entranceQuery } from '../../../src/features/recoding/flow/entrance.ts';
import { draftCalls, keepUnsaved } from '../../../src/features/recoding/flow/drafts/save-draft.ts';
import { familyPages } from '../families/family-pages.ts';
import { serveBrowser } from '../../api/browser.ts';
import { encodedResult, failed, guid, kessv2Result, operation, succeeded } from '../results.ts';

const entry = {
  isAutoSendEnabled: false,
  autoSendDefaultAction: 'Encode',
  defaultAutoSendAction: 'Encode',
  isAutoSendNotificationPrivateByDefault: true,
  canUseReCod: true,
  canUseUtility: false,
  engine: { name: 'built-in', kind: 'built-in', offers: engineDefinitions['built-in'].offers },
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
  const { saveKept } = draftCalls(call);
  const asked = entranceQuery(familyPages[id], {}, { named, remembered, isChosen: true, saveKept });
  return client.fetchQuery({ ...asked, retry: false });
}

const draftPath = `/api/slots/${kessv2Result.kessv2SlotGUID}/draft`;
const draft = {
  slotGUID: kessv2Result.kessv2SlotGUID,
  files: [],
  removed: null,
  willCorrectCVN: true,
  willSkipChecksum: false,
  version: 1,
  changes: [],
};

/** A decode that has succeeded, and the draft of its slot. */
function putDecoded(decode: string): void {
  answers.set(`/api/async-operations/${decode}`, [200, succeeded(kessv2Result, { guid: decode })]);
  answers.set(draftPath, [200, draft]);
}

function fullQuota(...details: unknown[]): void {
  answers.set('/api/kessv2', [429, { errorCode: 'API_ERROR_THROTTLING', details }]);
}

/** The job of a decode that failed: only its read file is known. */
function jobOf(fileName: string, decodeOperationGUID: string | null = null): Job {
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
    decodeOperationGUID,
    isDecoding: false,
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
    expect(await enter(null, 'kess3')).toEqual({ entry: null, resumed: null, notFound: null });
  });

  // promise 4.entry.throttled-empty
  test("without an operation of the user's own keeps the page open", async () => {
    fullQuota();
    expect(await enter()).toEqual({ entry: null, resumed: null, notFound: null });
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
    beginSession('session-1');
    answers.set('/api/kessv2', [200, entry]);
    keepUnsaved({ slotGUID, draft: change, canceled: [] });
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

  test.each([
    [9, ['PUT', 'GET']],
    [11, ['GET']],
  ])(
    'is kept for ten minutes if the session had expired: %i minutes',
    async (minutes, requests) => {
      answers.set(`PUT ${draftPath}`, [204, '']);
      expireSession('session-1');
      keepUnsaved({ slotGUID, draft: change, canceled: [] });
      beginSession('session-2');
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
      await enterDecoded().finally(() => vi.useRealTimers());
      expect(drafts).toEqual(requests);
    },
  );
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

  test('resumes the operation in its address, regardless of what else is running', async () => {
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
    expect(await enter(guid(2))).toMatchObject({
      resumed: null,
      notFound: { opensAt: null, isDeleted: false },
    });
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

  // promise 4.resume.encode
  test('finds the read of an encode that another program started', async () => {
    answers.set('/api/kessv2', [200, entry]);
    putDecoded(guid(1));
    const encode = { guid: guid(2), asyncOperationType: 'KESSv2Encode' } as const;
    for (const contextData of [null, '{"mine":1}']) {
      const taken = succeeded(encodedResult, { ...encode, contextData });
      answers.set(`/api/async-operations/${guid(2)}`, [200, taken]);
      answers.set(`/api/jobs/${guid(50)}`, [200, jobOf('golf.tfc', guid(1))]);
      const { resumed, notFound } = await enter(guid(2));
      expect(resumed?.slot?.read.operationGUID).toBe(guid(1));
      expect(notFound).toBeNull();
    }
  });

  // promise 4.resume.encode
  test('of an encode has the files that its job has encoded, and opens even if the job cannot be read', async () => {
    answers.set('/api/kessv2', [200, entry]);
    putDecoded(guid(1));
    const contextData = `decodeOperationGUID=${guid(1)}`;
    const encode = { guid: guid(2), asyncOperationType: 'KESSv2Encode', contextData } as const;
    answers.set(`/api/async-operations/${guid(2)}`, [200, succeeded(encodedResult, encode)]);
    const job = jobOf('golf.tfc', guid(1));
    const [read] = job.files;
    const files = [read, { ...read, role: 'encoded', madeFrom: [guid(80), guid(81)] }];
    answers.set(`/api/jobs/${guid(50)}`, [200, { ...job, files }]);
    expect((await enter(guid(2))).resumed?.slot?.encoded).toEqual([guid(80), guid(81)]);
    answers.set(`/api/jobs/${guid(50)}`, [503, 'SERVICE_UNAVAILABLE']);
    expect((await enter(guid(2))).resumed?.slot?.encoded).toEqual([]);
  });

  test('reports that the job of a successful operation was deleted', async () => {
    answers.set('/api/kessv2', [200, entry]);
    const gone = { resumed: null, notFound: { opensAt: null, isDeleted: true } };
    answers.set(`/api/async-operations/${guid(1)}`, [200, succeeded(kessv2Result)]);
    expect(await enter(guid(1))).toMatchObject(gone);
    const encode = { guid: guid(2), asyncOperationType: 'KESSv2Encode' } as const;
    const taken = succeeded(encodedResult, encode);
    answers.set(`/api/async-operations/${guid(2)}`, [200, taken]);
    expect(await enter(guid(2))).toMatchObject(gone);
    expect(await enter(null, 'kessv2', guid(2))).toMatchObject({ resumed: null, notFound: null });
    const named = { ...encode, contextData: `decodeOperationGUID=${guid(1)}` };
    answers.set(`/api/async-operations/${guid(2)}`, [200, succeeded(encodedResult, named)]);
    expect(await enter(guid(2))).toMatchObject(gone);
    answers.set(draftPath, [200, draft]);
    answers.delete(`/api/async-operations/${guid(1)}`);
    putDecoded(guid(3));
    expect(await enter(guid(2), 'kessv2', guid(3))).toMatchObject(gone);
  });

  test('shows the error of a failed encode even after its job was deleted', async () => {
    answers.set('/api/kessv2', [200, entry]);
    const encode = { guid: guid(2), asyncOperationType: 'KESSv2Encode' } as const;
    answers.set(`/api/async-operations/${guid(2)}`, [200, failed('WRONG_SIZE', encode)]);
    const { resumed, notFound } = await enter(guid(2));
    expect(resumed).toMatchObject({ slot: null, operation: { guid: guid(2) } });
    expect(notFound).toBeNull();
  });

  test('is not shown while the job of an encode without a context cannot be read', async () => {
    answers.set('/api/kessv2', [200, entry]);
    const encode = { guid: guid(2), asyncOperationType: 'KESSv2Encode' } as const;
    answers.set(`/api/async-operations/${guid(2)}`, [200, succeeded(encodedResult, encode)]);
    answers.set(`/api/jobs/${guid(50)}`, [503, 'SERVICE_UNAVAILABLE']);
    expect(await refusalOf(enter(guid(2)))).toBe('SERVICE_UNAVAILABLE');
  });

  test('is not shown while its draft cannot be read: an empty one would overwrite it', async () => {
    answers.set('/api/kessv2', [200, entry]);
    putDecoded(guid(1));
    answers.set(draftPath, [503, 'SERVICE_UNAVAILABLE']);
    expect(await refusalOf(enter(guid(1)))).toBe('SERVICE_UNAVAILABLE');
  });
});
