/**
 * The passwords that appear most often in breaches, as a list that works offline: `common-passwords.bin` contains the
 * first six bytes of the SHA-256 of each, sorted. They are lower-case, have at least eight characters, and come from the
 * ranked list of @zxcvbn-ts/language-common 4.1.3 (MIT), which is itself compiled from published breaches.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of a hash: with twenty thousand entries, one other password in ten thousand million is refused as well. */
const width = 6;

let loaded: Buffer | undefined;

/** The sorted hashes; read with the first password that is set. */
function readList(): Buffer {
  loaded ??= readFileSync(join(import.meta.dirname, 'common-passwords.bin'));
  return loaded;
}

/** Whether a password is on the list, in any case. */
export function isBreached(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase();
  const wanted = createHash('sha256').update(folded).digest().subarray(0, width);
  const list = readList();
  let [low, high] = [0, list.length / width];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = list.subarray(middle * width, (middle + 1) * width).compare(wanted);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
