/** What journeys of notifications look at: the bell and its list. */
import type { Notification } from '@recodery/contract/features/notifications';
import type { Page } from '@playwright/test';
import { call, read } from '../../calls.ts';

/** The maximum that the badge counts. */
export const listAddress = '/api/async-operation-notifications/?count=99';
export const sample = 'samples/kessv2/read-9000.tfc';

export function bellOf(page: Page) {
  return page.getByRole('banner').getByRole('button', { name: /^Notifications/ });
}

export async function latest(page: Page): Promise<Notification> {
  const [first] = await read<Notification[]>(page, '/api/async-operation-notifications/?count=1');
  if (first === undefined) throw new Error('there is no notification');
  return first;
}

/** Whether the badge counts a notification. */
export function isNew(one: Notification): boolean {
  return (one.isSent ? one.senderInteractedOn : one.receiverInteractedOn) === null;
}

/** Marks as seen what earlier journeys left: those of a worker share one product, and its users. */
export async function seeAll(page: Page): Promise<void> {
  const all = await read<Notification[]>(page, listAddress);
  for (const { guid, isSent } of all.filter(isNew)) {
    const mark = `mark-as-interacted/${isSent ? 'sender' : 'receiver'}`;
    await call(page, 'POST', `/api/async-operation-notifications/${guid}/${mark}`);
  }
}
