/** JSON from strangers: limits its nesting and the number of its values before anything is parsed. */

/** The limits of a text. Parsing takes time and memory for each level and each value, not only for each byte. */
export interface JsonLimits {
  /** Levels of arrays and objects in each other. */
  readonly nesting: number;
  /** Values, counted by the characters that begin or separate them. */
  readonly values: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openArray = 0x5b;
const openObject = 0x7b;
const closeArray = 0x5d;
const closeObject = 0x7d;

/**
 * Follows a JSON text that arrives in pieces. `isWithin` returns false as soon as the pieces so far exceed a limit. It
 * does not check that they are JSON.
 */
export function followJson({ nesting, values }: JsonLimits): {
  isWithin(piece: Uint8Array): boolean;
} {
  let depth = 0;
  let count = 1;
  let isInString = false;
  let isEscaped = false;
  /** The place after a string, or the end of the piece. A string without escapes is skipped at native speed. */
  const followString = (piece: Uint8Array, from: number): number => {
    const end = piece.indexOf(quote, from);
    const stop = end < 0 ? piece.length : end;
    if (!isEscaped && !piece.subarray(from, stop).includes(backslash)) {
      isInString = end < 0;
      return isInString ? stop : stop + 1;
    }
    for (let at = from; at < piece.length; at += 1) {
      if (isEscaped) isEscaped = false;
      else if (piece[at] === backslash) isEscaped = true;
      else if (piece[at] === quote) {
        isInString = false;
        return at + 1;
      }
    }
    return piece.length;
  };
  return {
    isWithin(piece) {
      for (let at = 0; at < piece.length; ) {
        if (isInString) {
          at = followString(piece, at);
          continue;
        }
        const byte = piece[at];
        at += 1;
        if (byte === quote) isInString = true;
        else if (byte === comma) count += 1;
        else if (byte === openArray || byte === openObject) {
          depth += 1;
          count += 1;
        } else if (byte === closeArray || byte === closeObject) depth -= 1;
        if (depth > nesting || count > values) return false;
      }
      return true;
    },
  };
}

/** The value of a JSON text; undefined if it exceeds the limits, or is not JSON. */
export function parseBoundedJson(bytes: Buffer, limits: JsonLimits): unknown {
  if (!followJson(limits).isWithin(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
