/**
 * Calls of a client that continues through outages: it repeats requests that were temporarily refused or got no
 * response.
 */
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Operation,
  operation as operationSchema,
} from '@recodery/contract/features/operations';
import type { Answer, Client } from '../fixtures/client.ts';
import { until } from './until.ts';

/** Refusals that mean "try again later". */
const temporary: readonly string[] = [
  'SERVICE_UNAVAILABLE',
  'TOO_MANY_UPLOADS',
  'API_ERROR_THROTTLING',
  'IDEMPOTENCY_KEY_IN_USE',
];

function isTemporary({ status, text }: Answer): boolean {
  return status >= 400 && temporary.some((code) => text.includes(code));
}

/** Whether a request got no complete response: the connection was refused or lost. */
function isLost(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'AbortError');
}

/** Counts how often calls were repeated. */
export interface Repeats {
  refused: number;
  lost: number;
}

/**
 * Repeats a call until it gets a response, and returns it. @throws when the response has an unexpected status
 */
export async function patiently(
  repeats: Repeats,
  expected: number,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await until('an answer', async () => {
    const one = await call().catch((error: unknown) => {
      if (!isLost(error)) throw error;
      return null;
    });
    if (one === null) repeats.lost += 1;
    else if (isTemporary(one)) repeats.refused += 1;
    else return one;
    await wait(200);
    return null;
  });
  if (answer.status !== expected)
    throw new Error(`the answer is ${answer.status} ${answer.text.slice(0, 300)}`);
  return answer;
}

/** The record of an operation. @throws when the portal no longer knows it */
export async function readOperation(
  client: Client,
  repeats: Repeats,
  guid: string,
): Promise<Operation> {
  const path = `/api/async-operations/${guid}`;
  return operationSchema.parse((await patiently(repeats, 200, () => client.get(path))).json);
}

/** The record of an operation when it has finished, by polling. */
export function followOperation(
  client: Client,
  repeats: Repeats,
  guid: string,
): Promise<Operation> {
  return until(`operation ${guid} finishes`, async () => {
    const record = await readOperation(client, repeats, guid);
    if (record.isCompleted) return record;
    await wait(100);
    return null;
  });
}
