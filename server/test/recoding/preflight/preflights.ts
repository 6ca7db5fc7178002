/** Requests pre-flights and finds their checks. */
import {
  type PreflightAnswer,
  type PreflightCheck,
  preflightAnswer,
} from '@recodery/contract/features/recoding/preflight';
import { expect } from 'vitest';
import type { Client } from '../../fixtures/client.ts';

/** The pre-flight of a slot. */
export async function checkSlot(
  client: Client,
  family: string,
  slot: string,
): Promise<PreflightAnswer> {
  const answer = await client.get(`/api/${family}/slots/${slot}/preflight`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return preflightAnswer.parse(answer.json);
}

/** The check with this id in a response, for one part if several have it. */
export function checkIn<Id extends PreflightCheck['id']>(
  { checks }: PreflightAnswer,
  id: Id,
  part?: string,
): Extract<PreflightCheck, { id: Id }> {
  const found = checks.filter(
    (each): each is Extract<PreflightCheck, { id: Id }> =>
      each.id === id && (part === undefined || each.part === part),
  );
  expect(found).toHaveLength(1);
  return found[0] as Extract<PreflightCheck, { id: Id }>;
}

/** The ids of the checks with a status. */
export function idsWith({ checks }: PreflightAnswer, status: PreflightCheck['status']): string[] {
  return checks.filter((each) => each.status === status).map(({ id }) => id);
}

/** The image with one bit changed at each of these offsets. */
export function flip(bytes: Uint8Array, ...offsets: readonly number[]): Uint8Array {
  const changed = new Uint8Array(bytes);
  for (const at of offsets) changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}
