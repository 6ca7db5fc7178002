/**
 * Distinguishes automatic calls of a page (streams, polling) from actions of its user: only the latter keep a session
 * alive.
 */
import { listMessages } from '@recodery/contract/features/messages';
import { listNotifications } from '@recodery/contract/features/notifications';
import { getOperation, listOperations, openEvents } from '@recodery/contract/features/operations';
import { getServiceStatus } from '@recodery/contract/features/service-status';

const passivePatterns = [
  openEvents,
  getOperation,
  listOperations,
  getServiceStatus,
  listNotifications,
  listMessages,
].map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`));

/** True for a call that the page makes automatically. `url` is path and query. */
export function isPassive(method: string, url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return method === 'GET' && passivePatterns.some((pattern) => pattern.test(path));
}
