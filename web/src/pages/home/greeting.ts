/** The greeting for an hour of the day. */
import type { TextKey } from '../../i18n/texts.ts';

/** @param hour the browser's hour, 0 to 23 */
export function greetingFor(
  hour: number,
): TextKey & ('home.hello' | 'home.goodMorning' | 'home.goodAfternoon' | 'home.goodEvening') {
  // between midnight and five neither "good evening" nor "good morning" fits
  if (hour < 5) return 'home.hello';
  if (hour < 12) return 'home.goodMorning';
  return hour < 18 ? 'home.goodAfternoon' : 'home.goodEvening';
}
