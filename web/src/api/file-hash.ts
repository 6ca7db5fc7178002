/** The SHA-256 of a file (FIPS 180-4), without uploading it. Browsers offer their own only over HTTPS, and only for a whole file in memory. */

/** Bytes that are read at once. */
const chunkBytes = 4 * 1024 * 1024;
const blockBytes = 64;

/** The first 32 bits of the fractional parts of the roots of the first primes: 8 square roots, 64 cube roots. */
const [start, constants] = fractions();

function fractions(): readonly [Int32Array, Int32Array] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  const bits = (root: number): number => (root % 1) * 2 ** 32;
  return [
    Int32Array.from(primes.slice(0, 8), (prime) => bits(Math.sqrt(prime))),
    Int32Array.from(primes, (prime) => bits(Math.cbrt(prime))),
  ];
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Adds the whole blocks of `bytes` to the state. */
function addBlocks(state: Int32Array, words: Int32Array, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + blockBytes <= bytes.length; at += blockBytes) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const early = words[i - 15] ?? 0;
      const late = words[i - 2] ?? 0;
      const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      words[i] = (words[i - 16] ?? 0) + low + (words[i - 7] ?? 0) + high;
    }
    addWords(state, words);
  }
}

function addWords(state: Int32Array, words: Int32Array): void {
  // not destructured: an iterator for each block takes most of the time
  let a = state[0] ?? 0;
  let b = state[1] ?? 0;
  let c = state[2] ?? 0;
  let d = state[3] ?? 0;
  let e = state[4] ?? 0;
  let f = state[5] ?? 0;
  let g = state[6] ?? 0;
  let h = state[7] ?? 0;
  for (let i = 0; i < 64; i += 1) {
    const mixed = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + mixed + ((e & f) ^ (~e & g)) + (constants[i] ?? 0) + (words[i] ?? 0)) | 0;
    const other = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + other) | 0;
  }
  const sums = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i += 1) state[i] = (state[i] ?? 0) + (sums[i] ?? 0);
}

/** The last bytes of a file with what SHA-256 appends: a one bit, zeros, and the length in bits. */
function lastBlocks(rest: Uint8Array, size: number): Uint8Array {
  const blocks = new Uint8Array(rest.length + 9 <= blockBytes ? blockBytes : 2 * blockBytes);
  blocks.set(rest);
  blocks[rest.length] = 0x80;
  new DataView(blocks.buffer).setBigUint64(blocks.length - 8, BigInt(size) * 8n);
  return blocks;
}

export interface HashOptions {
  /** Called with the share that is read, from 0 to 1, as long as there is more. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
}

/** The SHA-256 as 64 hexadecimal digits. @throws when the file cannot be read, or with the signal's reason */
export async function hashFile(
  file: Pick<Blob, 'size' | 'slice'>,
  { onProgress, signal }: HashOptions = {},
): Promise<string> {
  const state = start.slice();
  const words = new Int32Array(64);
  for (let at = 0; ; at += chunkBytes) {
    const chunk = new Uint8Array(await file.slice(at, at + chunkBytes).arrayBuffer());
    signal?.throwIfAborted();
    addBlocks(state, words, chunk);
    if (at + chunkBytes > file.size) {
      const rest = chunk.subarray(chunk.length - (chunk.length % blockBytes));
      addBlocks(state, words, lastBlocks(rest, file.size));
      break;
    }
    onProgress?.((at + chunkBytes) / file.size);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
