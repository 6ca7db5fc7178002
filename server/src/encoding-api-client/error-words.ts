/** Reads a vendor's description of an error: a text, a page, or JSON of an unknown shape. */

/** Characters of a vendor's message that are kept. */
const longestWords = 200;
/** Members that name an error, and members that explain it. */
const wordNames = ['errorName', 'errorCode', 'code', 'error', 'name', 'title', 'message', 'detail'];
const detailNames = ['detail', 'message', 'description', 'error_description'];

/** A vendor's description of an error, each part on one short line; empty if there is none. */
export interface ErrorWords {
  /** The name of the error. */
  readonly word: string;
  /** What the vendor adds. */
  readonly detail: string;
}

/** The JSON value of a text; undefined if it is not JSON. JSON.parse reports this only by throwing. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A member of a JSON object, by its name in any case; undefined when there is none. */
export function memberOf(json: unknown, name: string): unknown {
  if (typeof json !== 'object' || json === null) return undefined;
  const wanted = name.toLowerCase();
  return Object.entries(json).find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** The message in an error's body. An HTML page, such as a proxy's, has no name: its title is the detail. */
export function readBodyWords(body: string): ErrorWords {
  const json = parseJson(body);
  if (json !== undefined) return readErrorWords(json);
  if (!/^\s*</.test(body)) return { word: tidy(body), detail: '' };
  return { word: '', detail: tidy(/<title>([^<]*)/i.exec(body)?.[1] ?? '') };
}

/** The message of an error whose shape is not known: a text, or an object with a name and a detail. */
export function readErrorWords(error: unknown): ErrorWords {
  const text = textOf(error);
  if (text !== '') return { word: text, detail: '' };
  const nested = memberOf(error, 'error');
  if (typeof nested === 'object' && nested !== null) return readNamed(nested);
  return readNamed(error);
}

/** The message in one line: the name, then what the vendor adds. */
export function joinWords({ word, detail }: ErrorWords): string {
  return tidy([word, detail].filter((part) => part !== '').join(': '));
}

function readNamed(error: unknown): ErrorWords {
  const read = (names: readonly string[]): readonly string[] =>
    names.map((name) => textOf(memberOf(error, name))).filter((text) => text !== '');
  const listed = memberOf(error, 'errors');
  const word = read(wordNames)[0] ?? textOf(Array.isArray(listed) ? listed[0] : listed);
  return { word, detail: read(detailNames).find((text) => text !== word) ?? '' };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? tidy(String(value)) : '';
}

/** One line of visible characters, short enough to be shown. */
function tidy(text: string): string {
  const line = text
    .slice(0, 8 * longestWords)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ')
    .trim();
  return [...line].slice(0, longestWords).join('');
}
