/** Which greeting an hour of the day calls for. */
import type { TextKey } from '../i18n/texts.ts';

/** @param hour the browser's hour, 0 to 23 */
export function greetingFor(
  hour: number,
): TextKey & ('home.goodMorning' | 'home.goodAfternoon' | 'home.goodEvening') {
  if (hour >= 5 && hour < 12) return 'home.goodMorning';
  return hour >= 12 && hour < 18 ? 'home.goodAfternoon' : 'home.goodEvening';
}
