/** What becomes of a note that somebody has typed: it stays his text, and can do nothing but be read. */

/**
 * Characters that nobody sees: those that turn the direction of a line, zero-width ones, soft hyphens, tags. Kept are
 * the joiners and what chooses how a sign is drawn, without which emoji and some scripts fall apart.
 */
const unseen =
  /[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]--[\p{Join_Control}\p{Variation_Selector}]]/gv;
/** Control characters other than tab and line break. */
const controls = /[^\P{Cc}\t\n]/gu;

/** The note as it is kept: plain lines without anything unseen; null when nothing is left. */
export function cleanNote(note: string | null): string | null {
  const cleaned = (note ?? '')
    .replace(/\r\n?|\u0085|\u2028|\u2029/gu, '\n')
    .replace(controls, '')
    .replace(unseen, '')
    .trim();
  return cleaned === '' ? null : cleaned;
}

/** No visible character: it parts what a mail program would otherwise take for an address and make a link of. */
const parting = '\u200b';

// Signs that a browser reads as the dot of a host's name (UTS 46).
const dots = String.raw`.\u2024\u3002\ufe52\uff0e\uff61`;
/** A dot in front of what may be part of a host's name; of numbers alone, as in dates and displacements, it is not. */
const dotOfName = new RegExp(`[${dots}](?=\\p{N}*[\\p{L}\\p{M}\\p{Cf}_])`, 'gu');
/** Four numbers or more: an address of the Internet, or a version, which reads the same when it is parted. */
const numbers = new RegExp(`\\p{N}+(?:[${dots}]\\p{N}+){3,}`, 'gu');
const anyDot = new RegExp(`[${dots}]`, 'gu');
/** What ends a scheme (`javascript:`, `tel:`, `https:`): behind a word, and something follows at once. */
const colon = /(?<=\p{L}[\p{L}\p{N}+.-]{0,30}):(?=\S)/gu;
/** What begins the name of a host: `//host`, `\\host`. */
const slash = /[/\\\uff0f\uff3c](?=[/\\\uff0f\uff3c])/gu;
const at = /[@\ufe6b\uff20]/gu;

/**
 * A sign that is parted from both its neighbours: some programs look for what stands before it, some for what stands
 * behind it. A line of Chinese does not begin with its full stop, so nothing is put before a wide one.
 */
function part(sign: string): string {
  return /[\u3002\uff0e\uff61]/u.test(sign) ? sign + parting : parting + sign + parting;
}

/** The note as a mail shows it: every character stays, but no mail program finds an address in it. */
export function defuseLinks(note: string): string {
  return note
    .replace(colon, part)
    .replace(slash, part)
    .replace(at, part)
    .replace(dotOfName, part)
    .replace(numbers, (address) => address.replace(anyDot, part))
    .replace(/\u200b{2,}/gu, parting);
}
