/** A page that was opened while the quota was full asks what it may do until the server has answered. */
import { engineDefinitions } from '@recodery/contract/features/engines';
// the page loads it when it resumes an operation, which takes real time
import '@recodery/contract/features/jobs/jobs';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draftCalls } from '../../../src/features/recoding/flow/drafts/save-draft.ts';
import { call } from '../../../src/api/call.ts';
import { entranceQuery } from '../../../src/features/recoding/flow/entrance.ts';
import { type ScriptedPortal, scriptedPortal } from '../../api/scripted-portal.ts';
import { familyPages } from '../families/family-pages.ts';
import { guid, operation } from '../results.ts';

const path = '/api/kessv2';
const running = `/api/async-operations/${guid(7)}`;
const entry = {
  isAutoSendEnabled: true,
  autoSendDefaultAction: 'Encode',
  defaultAutoSendAction: 'Encode',
  isAutoSendNotificationPrivateByDefault: true,
  canUseReCod: true,
  canUseUtility: false,
  engine: { name: 'built-in', kind: 'built-in', offers: engineDefinitions['built-in'].offers },
  foreignFileMasters: [],
  kessv2ActiveFileSlotCreationResult: null,
};
const fullQuota = (...details: unknown[]): Response =>
  Response.json({ errorCode: 'API_ERROR_THROTTLING', details }, { status: 429 });

let portal: ScriptedPortal;
let queries: QueryClient;
let close: () => void;

/** Opens the page of an operation, and shows what the page has. */
async function open() {
  const { saveKept } = draftCalls(call);
  const wanted = { named: guid(7), remembered: null, isChosen: true, saveKept };
  const observer = new QueryObserver(queries, entranceQuery(familyPages.kessv2, {}, wanted));
  close = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  return () => observer.getCurrentResult();
}

beforeEach(async () => {
  portal = await scriptedPortal(true);
  queries = new QueryClient();
  portal.answer(running, operation({ guid: guid(7) }));
});
afterEach(() => {
  close();
  queries.clear();
  portal.stop();
});

test('the rights are requested every 5 s until they are known, also after a refusal', async () => {
  portal.answer(path, fullQuota(operation({ guid: guid(7) })));
  const shown = await open();
  expect(shown().data).toMatchObject({ entry: null, resumed: { operation: { guid: guid(7) } } });
  await vi.advanceTimersByTimeAsync(5000);
  portal.answer(path, fullQuota());
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown().data).toMatchObject({ entry: null, resumed: { operation: { guid: guid(7) } } });
  portal.answer(path, entry);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(portal.askedAt(path)).toEqual([0, 5, 10, 15]);
  expect(shown().data?.entry?.isAutoSendEnabled).toBe(true);
});

test('the rights are not requested again after a refusal that does not pass', async () => {
  portal.answer(path, fullQuota(operation({ guid: guid(7) })));
  const shown = await open();
  portal.answer(path, Response.json({ errorCode: 'USER_NO_RIGHTS' }, { status: 403 }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(portal.askedAt(path)).toEqual([0, 5]);
  expect(shown().data).toMatchObject({ resumed: { operation: { guid: guid(7) } } });
});

test('an open page keeps what it resumed, and requests nothing but the rights', async () => {
  portal.answer(path, fullQuota(operation({ guid: guid(7) })));
  const shown = await open();
  portal.answer(running, 404);
  portal.answer(path, entry);
  await vi.advanceTimersByTimeAsync(5000);
  expect(portal.askedAt(running)).toEqual([0]);
  expect(shown().data).toMatchObject({
    entry: { isAutoSendEnabled: true },
    resumed: { operation: { guid: guid(7) } },
    notFound: null,
  });
});
