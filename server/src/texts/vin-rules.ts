/** Keeps a vehicle's number out of what others read: names and notes in mails, public pages, notifications and logs. */

/** What stands where a number stood. */
const hidden = '…';

/** A word of fewer letters than this, though the read calls it so, is nobody's number. */
const shortest = 6;

/**
 * What has the shape of a vehicle's number and stands as a word of its own: 17 letters and digits without I, O and Q,
 * of which the last four are digits (ISO 3779), and among the first three, which name the maker, a letter. So neither
 * a date with its time in milliseconds (17 digits) nor a hash nor the groups of a GUID are taken for one.
 */
const shape = /(?<![\p{L}\p{N}])(?=\p{N}{0,2}\p{L})[A-HJ-NPR-Z0-9]{13}[0-9]{4}(?![\p{L}\p{N}])/giu;

/** The number that a read has told, wherever it stands, in any case, also divided into groups. */
function knownNumber(vin: string): RegExp | null {
  const letters = vin.match(/[\p{L}\p{N}]/gu) ?? [];
  return letters.length < shortest ? null : new RegExp(letters.join(String.raw`[\s._-]?`), 'giu');
}

/** A text without any vehicle's number: neither the one that the read has told, if it is known, nor what looks like one. */
export function hideVin(text: string, vin: string | null): string {
  const known = vin === null ? null : knownNumber(vin);
  const bare = known === null ? text : text.replace(known, hidden);
  return bare.replace(shape, hidden);
}
