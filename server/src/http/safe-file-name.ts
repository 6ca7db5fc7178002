/** Makes a client's file name safe for every file system, email and page. */

/** Maximum characters of a safe name, including its extension. */
export const fileNameLength = 120;
// Most file systems allow 255 bytes; this leaves room for a prefix or suffix.
const fileNameBytes = 230;
const extensionLength = 16;

// Control characters, direction marks and overrides, invisible characters, line and paragraph separators.
const invisible =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\ufffe\uffff]/gu;
const forbidden = /[<>:"|?*]/g;
const reserved = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

function fits(letters: readonly string[]): boolean {
  return letters.length <= fileNameLength && Buffer.byteLength(letters.join('')) <= fileNameBytes;
}

/** Cuts the stem, not the extension. */
function shorten(name: string): string {
  if (fits([...name])) return name;
  const dot = name.lastIndexOf('.');
  const hasExtension = dot > 0 && name.length - dot <= extensionLength;
  const extension = hasExtension ? name.slice(dot) : '';
  return cutToFit(hasExtension ? name.slice(0, dot) : name, extension);
}

/** The stem with that end, cut so that both fit into a name. Counts code points, so that no character is split. */
export function cutToFit(stem: string, end: string): string {
  const letters = [...stem];
  while (!fits([...letters, ...end])) letters.pop();
  const isCut = letters.join('').length < stem.length;
  return (isCut ? letters.join('').trimEnd() : stem) + end;
}

/**
 * A name without path, control characters, direction marks, reserved Windows names or characters, of at most {@link
 * fileNameLength} characters and never empty (then `fallback`).
 */
export function makeFileNameSafe(name: string, fallback = 'file'): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const bare = last
    .toWellFormed()
    .normalize('NFC')
    .replace(invisible, '')
    .replace(forbidden, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  const free = reserved.test(bare) ? `_${bare}` : bare;
  return shorten(free).replace(/[. ]+$/, '') || fallback;
}
