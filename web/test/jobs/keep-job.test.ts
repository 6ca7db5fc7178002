/** Whether a job is kept: changes in quick succession reach the server in their order. */
import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepJob } from '../../src/features/jobs/jobs.ts';
import { beBrowser } from '../api/browser.ts';

const slotGUID = '00000000-0000-7000-8000-000000000001';

/** The requests that wait for a response. */
let waiting: { readonly isKept: boolean; readonly respond: (status: number) => void }[];

beforeEach(() => {
  waiting = [];
  beBrowser('http://127.0.0.1:9');
  vi.stubGlobal('fetch', (_address: string, { body }: { body: string }) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const respond = (status: number): void => resolve(new Response(null, { status }));
    waiting.push({ isKept: JSON.parse(body).isKept, respond });
    return promise;
  });
});
afterEach(() => vi.unstubAllGlobals());

test.each([204, 500])(
  'a second change waits for the response to the first, status %i, and is shown until then',
  async (status) => {
    const queries = new QueryClient();
    const keep = new MutationObserver(queries, keepJob(queries, slotGUID));
    const first = keep.mutate(false).catch(() => {});
    const second = keep.mutate(true);
    const shown = { isPending: true, variables: true };
    expect(keep.getCurrentResult()).toMatchObject({ ...shown, isPaused: true });
    await expect.poll(() => waiting).toHaveLength(1);
    waiting[0]?.respond(status);
    await first;
    expect(keep.getCurrentResult()).toMatchObject(shown);
    await expect.poll(() => waiting).toHaveLength(2);
    waiting[1]?.respond(204);
    await second;
    expect(waiting.map(({ isKept }) => isKept)).toEqual([false, true]);
  },
);
