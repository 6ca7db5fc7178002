/** Hides in a service's own text what a report about it must not contain, as far as it can be recognized. */

/** VINs, email addresses and IPv4 addresses, whomever they belong to. */
const recognizable = [
  /(?<![\p{L}\p{N}])(?=[A-Z]*\d)[A-Z\d]{17}(?![\p{L}\p{N}])/giu,
  /[^\s<>"'(),:;]+@[^\s<>"'(),:;]+/gu,
  /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/gu,
];

/** Characters of a word that is hidden only where it is not part of another: it may be a small number. */
const short = 4;

function patternOf(word: string): RegExp {
  const text = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const isShort = word.length <= short;
  // a status is no identifier
  return new RegExp(isShort ? `(?<![\\p{L}\\p{N}]|HTTP )${text}(?![\\p{L}\\p{N}])` : text, 'giu');
}

/** The text with `***` in place of these words, in any case, and of what is recognizable. */
export function hideKnown(text: string, words: Iterable<string>): string {
  // a word may be a part of a longer one
  const longestFirst = [...new Set(words)]
    .filter((word) => word.trim() !== '')
    .sort((one, other) => other.length - one.length);
  return [...longestFirst.map(patternOf), ...recognizable].reduce(
    (left, pattern) => left.replace(pattern, '***'),
    text,
  );
}
