/** The text function of the current language, for tests without a page. */
import { currentTexts, type TextOf } from '../../src/i18n/texts.ts';

export const t: TextOf = (key, values) => currentTexts()(key, values);
