/** What journeys of notifications look at: the bell and its list. */
import type { Notification } from '@recodery/contract/features/notifications';
import type { Page } from '@playwright/test';
import { call, read } from '../../calls.ts';

/** All notifications: journeys of a worker share one product, which soon has more than a page or the badge shows. */
export const listAddress = '/api/async-operation-notifications/?count=1000';
export const sample = 'samples/kessv2/read-9000.tfc';

export function bellOf(page: Page) {
  return page.getByRole('banner').getByRole('button', { name: /^Notifications/ });
}

export async function latest(page: Page): Promise<Notification> {
  const [first] = await read<Notification[]>(page, '/api/async-operation-notifications/?count=1');
  if (first === undefined) throw new Error('there is no notification');
  return first;
}

/** The notifications that the badge counts. */
export function readNew(page: Page): Promise<Notification[]> {
  return read<Notification[]>(page, `${listAddress}&new=true`);
}

/** Marks as seen what earlier journeys left. */
export async function seeAll(page: Page): Promise<void> {
  for (const { guid, isSent } of await readNew(page)) {
    const mark = `mark-as-interacted/${isSent ? 'sender' : 'receiver'}`;
    await call(page, 'POST', `/api/async-operation-notifications/${guid}/${mark}`);
  }
}
