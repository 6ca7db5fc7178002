/** Which messages were closed in this browser: one cookie each, which expires after an hour. */
import { messageSeenSeconds } from '@recodery/contract/features/messages';

const nameOf = (guid: string): string => `recodery.seen.${guid}`;

/** Whether the message was closed within the last hour, in any tab. */
export function wasSeen(guid: string): boolean {
  return document.cookie.split('; ').includes(`${nameOf(guid)}=1`);
}

/** Hides the message for an hour. */
export function rememberSeen(guid: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${nameOf(guid)}=1; Max-Age=${messageSeenSeconds}; Path=/; SameSite=Lax${secure}`;
}
