/**
 * The code of a receipt and the roles of its files, for both sides and without schemas: the small page for checking
 * uses them.
 */

/** Crockford's base 32: digits and capital letters without I, L, O and U. */
export const codeAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Characters of a code without its hyphens: 80 random bits. */
export const codeLength = 16;
const groupLength = 4;

/** The roles of the files that go into an encoded file. */
export const receiptRoles = ['decoded', 'modified', 'original'] as const;
export const encodedFileRole = 'encoded';

/** Writes a code in groups of four: `7K3M-9QXD-02HF-VT5B`. */
export function groupCode(code: string): string {
  return code.replace(new RegExp(`.{${groupLength}}(?!$)`, 'g'), '$&-');
}

/**
 * The address of a receipt's public page in a language such as `de-DE`, on the portal's host; its route is
 * `receipts.receiptPage`.
 */
export function receiptPath(code: string, language: string): string {
  return `/receipts/${code}?language=${language}`;
}

/**
 * Reads a code as someone has typed it: in any case, with or without spaces and hyphens, O for 0, I and L for 1.
 * Returns it in groups; null if it is not a code.
 */
export function readCode(text: string): string | null {
  const code = text
    .toUpperCase()
    .replace(/[\s\-‐‑–_.]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  const isCode = code.length === codeLength && [...code].every((one) => codeAlphabet.includes(one));
  return isCode ? groupCode(code) : null;
}
