/** A workshop that encodes and sends: the shared steps of the tests of notifications, emails and the public page. */
import type { Slave } from '@recodery/codec/simulator/slave';
import type { Notification } from '@recodery/contract/features/notifications';
import type { Operation } from '@recodery/contract/features/operations';
import { expect } from 'vitest';
import type { Client } from '../fixtures/client.ts';
import { type RunningPortal, startTestPortal } from '../fixtures/running-portal.ts';
import { decode, sealImage, started } from '../journeys/families/kessv2-workflow.ts';

/** A VIN that no email, page, log or notification may show. */
export const vin = 'ZAR93900001234567';

/** The options of a send. */
export interface Info {
  readonly email?: string | null;
  readonly message?: string | null;
  readonly isPrivate?: boolean;
}

export interface Sending {
  readonly portal: RunningPortal;
  /** The sender, at Officina Demo. */
  readonly anna: Client;
  /** Works at Garage Rossi, which owns the slave. */
  readonly luca: Client;
  /** A competitor. */
  readonly mia: Client;
  readonly slave: Slave;
  readonly image: Uint8Array;
  /** The slot of a read that anna has decoded. */
  readonly slot: string;
  /** Encodes the decoded image again with these send options; returns the operation when it has finished. */
  send(info: Info | null): Promise<Operation>;
}

/** Starts a portal on which anna has decoded a read of Garage Rossi's slave. */
export async function startSending(
  environment: Readonly<Record<string, string>> = {},
): Promise<Sending> {
  const portal = await startTestPortal(environment);
  const [anna, luca, mia] = await Promise.all(
    ['anna', 'luca', 'mia'].map((name) => portal.signIn(`${name}@demo.test`)),
  );
  if (anna === undefined || luca === undefined || mia === undefined)
    throw new Error('a user is missing');
  const slave = await portal.getSlave('kessv2', 'KV2-000007');
  const image = new Uint8Array(4096).fill(7);
  const { kessv2SlotGUID: slot } = await decode(anna, sealImage(slave, 9000, image), 'golf.tfc');
  return {
    portal,
    anna,
    luca,
    mia,
    slave,
    image,
    slot,
    async send(notificationInfo) {
      const body = { kessv2FileSlotGUID: slot, notificationInfo };
      const answer = await anna.post('/api/kessv2/reencode-decoded-file', body);
      const operation = await anna.follow(started(answer));
      expect(operation.error).toBeNull();
      return operation;
    },
  };
}

/** The notifications that a user sees, the newest first. */
export async function listOf(client: Client, query = ''): Promise<Notification[]> {
  const answer = await client.get(`/api/async-operation-notifications/${query}`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json as Notification[];
}

/** The single notification of an operation, as a user sees it. */
export async function noticeOf(client: Client, { guid }: Pick<Operation, 'guid'>) {
  const found = (await listOf(client)).filter((one) => one.guid === guid);
  expect(found).toHaveLength(1);
  return found[0] as Notification;
}

/** The notifications on a user's stream from now on. Those of earlier operations may still be among them. */
export async function subscribeToNotices(client: Client): Promise<{
  /** The first notification of that operation that meets the condition; earlier ones are skipped. */
  of(
    operation: Pick<Operation, 'guid'>,
    isWanted?: (seen: Notification) => boolean,
  ): Promise<Notification>;
  stop(): void;
}> {
  const received: Notification[] = [];
  const listeners = new Set<(seen: Notification) => void>();
  const stop = await client.listen(({ name, record }) => {
    if (name !== 'notification') return;
    received.push(record as Notification);
    for (const look of listeners) look(record as Notification);
  });
  return {
    of({ guid }, isWanted = () => true) {
      const { promise, resolve } = Promise.withResolvers<Notification>();
      const look = (seen: Notification): void => {
        if (seen.guid === guid && isWanted(seen)) resolve(seen);
      };
      listeners.add(look);
      received.forEach(look);
      return promise.finally(() => listeners.delete(look));
    },
    stop,
  };
}
