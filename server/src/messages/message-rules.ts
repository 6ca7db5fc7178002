/** What the text of a message can be. Pure. */
import { longestMessage } from '@recodery/contract/features/messages';

/** The text without line breaks and repeated spaces; null if it cannot be shown in banners and terminals. */
export function readMessageText(written: string): string | null {
  const text = written.toWellFormed().replace(/\s+/gu, ' ').trim();
  if (text === '' || text.length > longestMessage) return null;
  return /[\p{Cc}\p{Bidi_Control}]/u.test(text) ? null : text;
}

/** Whether a message is shown at all; without a start it is shown at once. */
export function isPeriod(from: Date | null, to: Date | null, now: Date): boolean {
  return to === null || to > (from ?? now);
}
