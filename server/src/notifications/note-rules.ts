/** What becomes of a note that somebody has typed: it stays his text, and can do nothing but be read. */

/** Characters that turn the direction of whatever follows them; single marks, which turn nothing else, may stay. */
const turningCharacters = /[\u202a-\u202e\u2066-\u2069]/gu;
/** Control characters other than tab and line break. */
const controls = /[^\P{Cc}\t\n]/gu;

/** The note as it is kept: plain lines without control characters; null when nothing is left. */
export function cleanNote(note: string | null): string | null {
  const cleaned = (note ?? '')
    .replace(/\r\n?|\u0085|\u2028|\u2029/gu, '\n')
    .replace(controls, '')
    .replace(turningCharacters, '')
    .trim();
  return cleaned === '' ? null : cleaned;
}

/** No visible character: it parts what a mail program would otherwise take for an address and make a link of. */
const parting = '\u200b';

/** The note as a mail shows it: every character stays, but no mail program finds an address in it. */
export function defuseLinks(note: string): string {
  return note
    .replace(/:(?=\/\/)/g, `:${parting}`)
    .replace(/\.(?=[\p{L}\p{N}_-]*\p{L})/gu, `${parting}.`)
    .replace(/@/g, `@${parting}`)
    .replace(/\b(mailto|tel|sms|javascript|data):/gi, `$1${parting}:`);
}
