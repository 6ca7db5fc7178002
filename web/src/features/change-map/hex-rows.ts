/** A row of the hex view: the bytes of both files as text, in runs of equal and of changed ones. */

/** Bytes in a row that are all equal or all changed, as text. */
export interface HexRun {
  readonly text: string;
  readonly isChanged: boolean;
}

/** The bytes of a file; null: not loaded, or beyond its end. */
export type ByteAt = (offset: number) => number | null;

/** A file's bytes, and its size. */
export interface HexSide {
  readonly byteAt: ByteAt;
  readonly size: number;
}

function textOf(side: HexSide, offset: number): string {
  if (offset >= side.size) return '  ';
  const byte = side.byteAt(offset);
  return byte === null ? '··' : byte.toString(16).toUpperCase().padStart(2, '0');
}

/** Whether a byte differs. A byte that only one file has differs; one that is not loaded does not. */
function isChangedAt(one: HexSide, other: HexSide, offset: number): boolean {
  if (offset >= one.size || offset >= other.size) return offset < one.size || offset < other.size;
  const [before, after] = [one.byteAt(offset), other.byteAt(offset)];
  return before !== null && after !== null && before !== after;
}

/** The runs of a row of `count` bytes, for one of the two files. */
export function runsOf(side: HexSide, other: HexSide, offset: number, count: number): HexRun[] {
  const runs: { text: string; isChanged: boolean }[] = [];
  for (let at = offset; at < offset + count; at += 1) {
    const isChanged = at < side.size && isChangedAt(side, other, at);
    const last = runs.at(-1);
    const text = textOf(side, at);
    // the space between two bytes is marked if both changed
    if (last?.isChanged === isChanged) last.text += ` ${text}`;
    else {
      if (last !== undefined) {
        if (isChanged) last.text += ' ';
        else runs.push({ text: ' ', isChanged: false });
      }
      const open = runs.at(-1);
      if (open?.isChanged === isChanged) open.text += text;
      else runs.push({ text, isChanged });
    }
  }
  return runs;
}

/** The printable ASCII characters of a row; everything else is a dot. */
export function charactersOf(side: HexSide, offset: number, count: number): string {
  let text = '';
  for (let at = offset; at < Math.min(offset + count, side.size); at += 1) {
    const byte = side.byteAt(at);
    text += byte !== null && byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
  }
  return text;
}
