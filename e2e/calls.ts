/** API calls in a page's own session: for setup that needs many of them, or for data that the page does not show. */
import { readFile as readBytes } from 'node:fs/promises';
import { basename } from 'node:path';
import { sessionHeader } from '@recodery/contract/headers';
import type { Operation } from '@recodery/contract/features/operations';
import { type APIResponse, expect, type Page } from '@playwright/test';

async function sessionOf(page: Page): Promise<string> {
  const id = await page.evaluate(() => localStorage.getItem('LLC'));
  if (id === null) throw new Error('no one is signed in on this page');
  return id;
}

/** Calls the API as the page's user; a body is sent as JSON. The response may be a refusal. */
export async function call(
  page: Page,
  method: 'DELETE' | 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<APIResponse> {
  const headers = { [sessionHeader]: await sessionOf(page) };
  return page.request.fetch(path, {
    method,
    headers,
    ...(body === undefined ? {} : { data: body }),
  });
}

/** The response of a GET, as JSON. */
export async function read<T>(page: Page, path: string): Promise<T> {
  const answer = await call(page, 'GET', path);
  expect(answer.status(), path).toBe(200);
  return (await answer.json()) as T;
}

/** Creates a record of the administration, as its form does, and returns it. */
export async function create<T>(page: Page, resource: string, values: object): Promise<T> {
  const answer = await call(page, 'POST', `/api/admin/${resource}`, values);
  expect(answer.ok(), `${resource} ${await answer.text()}`).toBe(true);
  return (await answer.json()) as T;
}

/** Starts an operation with a JSON body and waits until it finishes. */
export async function runOperation(page: Page, path: string, body: unknown): Promise<Operation> {
  return ended(page, await call(page, 'POST', path, body));
}

/**
 * Decodes a read file, of KESSv2 by default, without the page: an operation that no page follows. Returns it when it has
 * finished.
 */
export async function decodeUnwatched(
  page: Page,
  file: string,
  path = '/api/kessv2/upload-read-file',
): Promise<Operation> {
  const readFile = {
    name: basename(file),
    mimeType: 'application/octet-stream',
    buffer: await readBytes(file),
  };
  const headers = { [sessionHeader]: await sessionOf(page) };
  return ended(page, await page.request.post(path, { headers, multipart: { readFile } }));
}

/** Waits until the operation that a response reports has finished, and returns it. */
async function ended(page: Page, answer: APIResponse): Promise<Operation> {
  expect(answer.status(), answer.url()).toBe(202);
  const { guid } = (await answer.json()) as Operation;
  let operation: Operation | null = null;
  await expect
    .poll(
      async () => {
        operation = await read<Operation>(page, `/api/async-operations/${guid}`);
        return operation.isCompleted;
      },
      // the audit has no configuration with a longer time
      { intervals: [50], timeout: 240_000 },
    )
    .toBe(true);
  if (operation === null) throw new Error('nothing was answered');
  return operation;
}

/** Ends the session from outside the page, as another browser would. */
export async function revokeSession(page: Page): Promise<void> {
  const answer = await call(page, 'POST', `/api/auth/session/${await sessionOf(page)}/logout`);
  expect(answer.ok(), 'logout').toBe(true);
}
