/** Takes a stream apart: first a line, then portions of known lengths. */
import { Refusal } from '@recodery/contract/refusal';

export class Portions {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);
  /** Bytes that may still arrive. */
  #left = Number.POSITIVE_INFINITY;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  /** From here on, the stream has at most `bytes` bytes; reading more of it throws the refusal FILE_TOO_LARGE. */
  limit(bytes: number): void {
    this.#left = bytes - this.#rest.byteLength;
  }

  /** The next bytes, or null at the end of the stream. */
  async #next(): Promise<Uint8Array | null> {
    const held = this.#rest;
    if (held.byteLength > 0) {
      this.#rest = new Uint8Array(0);
      return held;
    }
    const { done, value } = await this.#pieces.next();
    if (done === true) return null;
    this.#left -= value.byteLength;
    if (this.#left < 0) throw new Refusal('FILE_TOO_LARGE');
    return value;
  }

  /** The bytes up to a line feed, without it; null: there is none within `longest` bytes. */
  async line(longest: number): Promise<Uint8Array | null> {
    const pieces: Uint8Array[] = [];
    for (let size = 0; size <= longest; ) {
      const piece = await this.#next();
      if (piece === null) return null;
      const end = piece.indexOf(0x0a);
      // a copy: the memory of a piece may be used again for the next one
      pieces.push(piece.slice(0, end === -1 ? undefined : end));
      size += pieces.at(-1)?.byteLength ?? 0;
      if (end === -1) continue;
      this.#rest = piece.subarray(end + 1);
      return size <= longest ? Buffer.concat(pieces) : null;
    }
    return null;
  }

  /** The next `bytes` bytes, or fewer at the end of the stream. The next call needs all of them to have been read. */
  async *take(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      const piece = await this.#next();
      if (piece === null) return;
      const taken = piece.subarray(0, left);
      this.#rest = piece.subarray(taken.byteLength);
      left -= taken.byteLength;
      yield taken;
    }
  }

  /** Reads to the end of the stream; returns whether there was anything left. */
  async drain(): Promise<boolean> {
    let isLeft = false;
    for (let piece = await this.#next(); piece !== null; piece = await this.#next())
      isLeft ||= piece.byteLength > 0;
    return isLeft;
  }
}
