/**
 * Takes the member `data` out of a JSON object while it arrives: the Base64 of a file is decoded piece by piece, so that a
 * large one is neither kept as a text nor parsed. The rest is small, and is parsed as usual.
 */
import { followJson, type JsonLimits } from '../config/bounded-json.ts';

/** Bytes of the rest: a name, and what a service adds. */
const longestRest = 64 * 1024;
const restLimits: JsonLimits = { nesting: 32, values: 10_000 };
const wantedName = 'data';

const quote = 0x22;
const backslash = 0x5c;
const open = '{['.split('').map((character) => character.charCodeAt(0));
const close = '}]'.split('').map((character) => character.charCodeAt(0));
const colon = 0x3a;
const comma = 0x2c;

/** Why an answer cannot be used: it is too long, or `data` is not Base64, or occurs twice. */
export type FileFault = 'too large' | 'no file';

/** Decodes Base64 that arrives in pieces, with the escapes of a JSON string; null as soon as it is not Base64. */
function createDecoder(mostBytes: number) {
  const pieces: Buffer[] = [];
  let size = 0;
  let rest = '';
  let isPadded = false;
  return {
    push(text: string): FileFault | null {
      // an escape may be divided: what could be its beginning waits for the next piece
      const all = rest + text;
      const cut = /\\(?:u[\da-fA-F]{0,3})?$/.exec(all)?.index ?? all.length;
      const plain = all
        .slice(0, cut)
        .replace(/\\(?:u00([\da-fA-F]{2})|(\/))/g, (_, code?: string) =>
          code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16)),
        );
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(plain) || (isPadded && plain !== '')) return 'no file';
      const whole = plain.length - (plain.length % 4);
      isPadded = plain.slice(0, whole).endsWith('=');
      const piece = Buffer.from(plain.slice(0, whole), 'base64');
      rest = plain.slice(whole) + all.slice(cut);
      if (isPadded && rest !== '') return 'no file';
      size += piece.length;
      if (size > mostBytes) return 'too large';
      pieces.push(piece);
      return null;
    },
    /** The bytes; null if the text has ended within a group of four. */
    end: (): Buffer | null => (rest === '' ? Buffer.concat(pieces, size) : null),
  };
}

/** Follows a JSON object up to the first byte of the text of its member `data`. */
function createFollower() {
  let depth = 0;
  let state: 'between' | 'text' | 'data' = 'between';
  let isEscaped = false;
  /** The last text of the outer object before a value, as it is written. */
  let name = '';
  let isName = false;
  const followText = (byte: number): void => {
    if (byte === quote && !isEscaped) state = 'between';
    else if (isName && name.length <= wantedName.length) name += String.fromCharCode(byte);
    isEscaped = byte === backslash && !isEscaped;
  };
  const followMark = (byte: number): void => {
    if (byte === quote) {
      const isWanted = depth === 1 && !isName && name.toLowerCase() === wantedName;
      state = isWanted ? 'data' : 'text';
      if (isName) name = '';
    } else if (open.includes(byte)) {
      depth += 1;
      isName = depth === 1;
    } else if (close.includes(byte)) depth -= 1;
    else if (byte === colon && depth === 1) isName = false;
    else if (byte === comma && depth === 1) {
      isName = true;
      name = '';
    }
  };
  return {
    isInData: (): boolean => state === 'data',
    /** The closing quote of `data` comes next. */
    leaveData(): void {
      state = 'text';
    },
    /** Follows bytes outside of `data`; returns the place after them. */
    follow(piece: Uint8Array, from: number): number {
      for (let at = from; at < piece.length; at += 1) {
        const byte = piece[at] ?? 0;
        if (state === 'text') followText(byte);
        else followMark(byte);
        if (state === 'data') return at + 1;
      }
      return piece.length;
    },
  };
}

/** An answer without the text of its `data`. */
export interface FileAnswer {
  /** JSON, in which `data` is empty. */
  readonly rest: string;
  /** Null: there is no `data`, or it is not Base64. */
  readonly data: Buffer | null;
}

export interface FileAnswerReader {
  /** Takes a piece; returns why the answer cannot be used, or null. */
  push(piece: Uint8Array): FileFault | null;
  end(): FileAnswer;
}

/** Reads an answer with a file of up to `mostBytes`. */
export function createFileAnswerReader(mostBytes: number): FileAnswerReader {
  const json = followJson(restLimits);
  const follower = createFollower();
  const rest: Buffer[] = [];
  let restSize = 0;
  let data: ReturnType<typeof createDecoder> | null = null;
  const keep = (piece: Uint8Array): FileFault | null => {
    restSize += piece.length;
    if (restSize > longestRest || !json.isWithin(piece)) return 'too large';
    // a part of a large piece would keep all of it
    rest.push(Buffer.from(piece));
    return null;
  };
  return {
    push(piece) {
      for (let at = 0; at < piece.length; ) {
        if (follower.isInData()) {
          const found = piece.indexOf(quote, at);
          const end = found < 0 ? piece.length : found;
          const text = Buffer.from(piece.subarray(at, end)).toString('latin1');
          const fault = data?.push(text) ?? null;
          if (fault !== null) return fault;
          at = end;
          if (found >= 0) follower.leaveData();
          continue;
        }
        const next = follower.follow(piece, at);
        const fault = keep(piece.subarray(at, next));
        if (fault !== null) return fault;
        at = next;
        if (!follower.isInData()) continue;
        if (data !== null) return 'no file';
        data = createDecoder(mostBytes);
      }
      return null;
    },
    end: () => ({
      rest: Buffer.concat(rest, restSize).toString('utf8'),
      data: data?.end() ?? null,
    }),
  };
}
