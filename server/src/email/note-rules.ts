/** Cleans a note that a user has typed: the text is kept, but it cannot do anything except be read. */

/**
 * Invisible characters: direction changes, zero-width characters, soft hyphens, tags. Joiners and variation selectors
 * are kept, because emoji and some scripts need them.
 */
const unseen =
  /[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]--[\p{Join_Control}\p{Variation_Selector}]]/gv;
/** Control characters other than tab and line break. */
const controls = /[^\P{Cc}\t\n]/gu;

/** The note as it is stored: plain lines without invisible characters; null when nothing is left. */
export function cleanNote(note: string | null): string | null {
  const cleaned = (note ?? '')
    .replace(/\r\n?|\u0085|\u2028|\u2029/gu, '\n')
    .replace(controls, '')
    .replace(unseen, '')
    .trim();
  return cleaned === '' ? null : cleaned;
}

/** An invisible character that splits text which an email client would otherwise turn into a link. */
const parting = '\u200b';

// Characters that a browser reads as the dot of a host name (UTS 46).
const dots = String.raw`.\u2024\u3002\ufe52\uff0e\uff61`;
/** A dot before a possible part of a host name; not before numbers alone, as in dates and displacements. */
const dotOfName = new RegExp(`[${dots}](?=\\p{N}*[\\p{L}\\p{M}\\p{Cf}_])`, 'gu');
/** Four numbers or more: an IP address, or a version, which stays readable when it is split. */
const numbers = new RegExp(`\\p{N}+(?:[${dots}]\\p{N}+){3,}`, 'gu');
const anyDot = new RegExp(`[${dots}]`, 'gu');
/** The colon of a scheme (`javascript:`, `tel:`, `https:`): after a word, with text directly after it. */
const colon = /(?<=\p{L}[\p{L}\p{N}+.-]{0,30}):(?=\S)/gu;
/** The start of a host name: `//host`, `\\host`. */
const slash = /[/\\\uff0f\uff3c](?=[/\\\uff0f\uff3c])/gu;
const at = /[@\ufe6b\uff20]/gu;

/**
 * Separates a character from both neighbors: some programs check the text before it, some the text after it. A Chinese
 * line cannot begin with a period, so nothing is inserted before a full-width one.
 */
function part(sign: string): string {
  return /[\u3002\uff0e\uff61]/u.test(sign) ? sign + parting : parting + sign + parting;
}

/** The note as an email shows it: every character stays, but no email client detects a link in it. */
export function defuseLinks(note: string): string {
  return note
    .replace(colon, part)
    .replace(slash, part)
    .replace(at, part)
    .replace(dotOfName, part)
    .replace(numbers, (address) => address.replace(anyDot, part))
    .replace(/\u200b{2,}/gu, parting);
}
