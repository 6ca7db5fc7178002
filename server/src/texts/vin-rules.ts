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

/** The VIN from the read, anywhere in a text, in any case, also divided into groups. */
function knownNumber(vin: string | null): RegExp | null {
  const letters = vin?.slice(0, 4 * longest).match(/[\p{L}\p{N}]/gu) ?? [];
  const isNumber =
    letters.length >= shortest &&
    letters.length <= longest &&
    letters.some((letter) => /\p{N}/u.test(letter));
  // a separator between two characters is neither of them: there is only one way to match, and it is short
  return isNumber ? new RegExp(letters.join(String.raw`[^\p{L}\p{N}]?`), 'giu') : null;
}

/**
 * Creates the function that removes VINs from texts: the one from the read, if known, and anything that looks like one.
 */
export function vinHider(vin: string | null): (text: string) => string {
  const known = knownNumber(vin);
  return (text) => {
    const bare = known === null ? text : text.replace(known, hidden);
    return bare.replace(shape, hidden);
  };
}
