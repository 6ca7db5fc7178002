/** Keeps a vehicle's number out of what others read: names and notes in mails, public pages, notifications and logs. */

/** What stands where a number stood. */
const hidden = '…';

/**
 * A word of fewer letters than this, though the read calls it so, is nobody's number, nor is one of more: whoever seals
 * a read may write anything there, and what is looked for must stay small.
 */
const shortest = 6;
const longest = 32;

/**
 * What has the shape of a vehicle's number and stands as a word of its own: 17 letters and digits without I, O and Q,
 * of which the last four are digits (ISO 3779), and among the first three, which name the maker, a letter. So neither
 * a date with its time in milliseconds (17 digits) nor a hash nor the groups of a GUID are taken for one.
 */
const shape = /(?<![\p{L}\p{N}])(?=\p{N}{0,2}\p{L})[A-HJ-NPR-Z0-9]{13}[0-9]{4}(?![\p{L}\p{N}])/giu;

/** The number that a read has told, wherever it stands, in any case, also divided into groups. */
function knownNumber(vin: string | null): RegExp | null {
  const letters = vin?.slice(0, 4 * longest).match(/[\p{L}\p{N}]/gu) ?? [];
  const isNumber =
    letters.length >= shortest &&
    letters.length <= longest &&
    letters.some((letter) => /\p{N}/u.test(letter));
  // a sign between two letters is neither of them: there is but one way to match, and it is short
  return isNumber ? new RegExp(letters.join(String.raw`[^\p{L}\p{N}]?`), 'giu') : null;
}

/** What takes vehicles' numbers out of texts: the one that a read has told, if it is known, and what looks like one. */
export function vinHider(vin: string | null): (text: string) => string {
  const known = knownNumber(vin);
  return (text) => {
    const bare = known === null ? text : text.replace(known, hidden);
    return bare.replace(shape, hidden);
  };
}
