/** Texts in a CSV file that no spreadsheet interprets as a formula. */

/**
 * A text that every spreadsheet treats as text. An apostrophe disarms characters that begin a formula: at the start
 * and, because other locales use other separators, after every possible separator. This includes the full-width forms.
 * Line ends and other control characters become spaces.
 */
export function disarm(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').replace(/(^|[;,|"])(?=\s*[=+\-@＝＋－＠])/gu, "$1'");
}
