/**
 * The messages between the pool and an engine, as bytes on plain pipes: the length of a JSON text in four bytes, then
 * the text. A pipe without Node's own protocol never delivers a file handle or a socket to the pool.
 */

/** Bytes of the number before each message. */
export const lengthBytes = 4;
/** Bytes of the longest message. */
export const longestFrame = 2 * 2 ** 20;

/** Bytes have no form of their own in JSON. */
interface PackedBytes {
  readonly base64: string;
}

function pack(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  // the holder's own value: a Buffer is given as an object
  const own = this[key];
  if (!(own instanceof Uint8Array)) return value;
  return { base64: Buffer.from(own).toString('base64') } satisfies PackedBytes;
}

/** A message as bytes. @throws when it is too long */
export function packMessage(message: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(message, pack));
  if (text.length > longestFrame) throw new Error('a message of an engine is too long');
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text]);
}

/** The value of a message that the pool has packed. */
export function unpackTask(text: Buffer): unknown {
  return JSON.parse(text.toString('utf8'), (_key, value: unknown) => {
    const isPacked = typeof value === 'object' && value !== null && 'base64' in value;
    return isPacked ? new Uint8Array(Buffer.from(String(value.base64), 'base64')) : value;
  });
}

/**
 * Puts together the messages that arrive in pieces. `push` returns the texts that are complete; null as soon as one is
 * too long.
 */
export function createAssembler(): { push(piece: Buffer): readonly Buffer[] | null } {
  let pieces: Buffer[] = [];
  let size = 0;
  const join = (): Buffer => {
    const all = Buffer.concat(pieces, size);
    pieces = [all];
    return all;
  };
  /** Bytes that must have arrived before there is anything to do. */
  let needed = lengthBytes;
  return {
    push(piece) {
      pieces.push(piece);
      size += piece.length;
      const texts: Buffer[] = [];
      while (size >= needed) {
        const all = join();
        const length = all.readUInt32BE(0);
        if (length > longestFrame) return null;
        needed = lengthBytes + length;
        if (size < needed) break;
        texts.push(all.subarray(lengthBytes, needed));
        pieces = [all.subarray(needed)];
        size -= needed;
        needed = lengthBytes;
      }
      return texts;
    },
  };
}
