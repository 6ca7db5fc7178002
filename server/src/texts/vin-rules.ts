/** Hides VINs in texts for other readers: names and notes in emails, public pages, notifications and logs. */

/** The replacement for a VIN. */
const hidden = '…';

/**
 * Words shorter than this are not treated as a VIN, and neither are longer ones, even if the read calls them so: the
 * creator of a read can write anything there, and the search term must stay small.
 */
const shortest = 6;
const longest = 32;

/**
 * The shape of a VIN as a separate word: 17 letters and digits without I, O and Q, whose last four are digits (ISO
 * 3779), with a letter among the first three, which identify the manufacturer. This excludes dates with milliseconds
 * (17 digits), hashes and the groups of a GUID.
 */
const shape = /(?<![\p{L}\p{N}])(?=\p{N}{0,2}\p{L})[A-HJ-NPR-Z0-9]{13}[0-9]{4}(?![\p{L}\p{N}])/giu;

/** The letters and digits of the VIN from the read; null if it is too short or too long for one. */
function lettersOf(vin: string | null): readonly string[] | null {
  const letters = vin?.slice(0, 4 * longest).match(/[\p{L}\p{N}]/gu) ?? [];
  const isNumber =
    letters.length >= shortest &&
    letters.length <= longest &&
    letters.some((letter) => /\p{N}/u.test(letter));
  return isNumber ? letters : null;
}

/** The letters and digits of a text without their case. */
function fold(text: string): string {
  const bare = text.replaceAll(/[^\p{L}\p{N}]/gu, '');
  // both: some letters have only one of them in common
  return bare.toUpperCase().toLowerCase();
}

/** These letters and digits, anywhere in a text, in any case, also divided into groups. */
function patternOf(letters: readonly string[]): RegExp {
  // a separator between two characters is neither of them: there is only one way to match, and it is short
  return new RegExp(letters.join(String.raw`[^\p{L}\p{N}]?`), 'giu');
}

/**
 * Creates the function that removes VINs from texts: the one from the read, if known, and anything that looks like one.
 */
export function vinHider(vin: string | null): (text: string) => string {
  const letters = lettersOf(vin);
  const folded = letters && fold(letters.join(''));
  // letters of other alphabets have rules that `fold` does not know
  const isPlain = letters?.every((letter) => letter < '\u0080') ?? true;
  let known: RegExp | null = null;
  return (text) => {
    // few texts contain it, and compiling the pattern takes milliseconds
    const hasKnown =
      letters !== null && folded !== null && (!isPlain || fold(text).includes(folded));
    const bare = hasKnown ? text.replace((known ??= patternOf(letters)), hidden) : text;
    return bare.replace(shape, hidden);
  };
}
