/** The source text of an array of bytes: `0x12, 0x34, …`, with or without a declaration in C around it. */

import { digitAt } from './lines.ts';
import type { Records } from './records.ts';
import type { TextFormat } from './text-format.ts';
import { DamagedLine } from './damaged-line.ts';

const slash = 0x2f;
const asterisk = 0x2a;
const lineFeed = 0x0a;
const zero = 0x30;
const comma = 0x2c;
const open = 0x7b;
const close = 0x7d;

/** A position in a source text. */
class Source {
  at = 0;
  line = 1;
  readonly #text: Uint8Array;

  constructor(text: Uint8Array) {
    this.#text = text;
  }

  peek(): number | undefined {
    return this.#text[this.at];
  }

  /** Goes past blanks, line ends and comments. */
  skip(): void {
    for (;;) {
      const byte = this.peek();
      if (byte === slash && this.#text[this.at + 1] === slash) {
        while (this.peek() !== undefined && this.peek() !== lineFeed) this.at += 1;
      } else if (byte === slash && this.#text[this.at + 1] === asterisk) {
        this.#skipComment();
      } else if (
        byte === 0x20 ||
        (byte !== undefined && byte >= 0x09 && byte <= 0x0d) ||
        byte === 0x1a
      ) {
        this.step();
      } else {
        return;
      }
    }
  }

  #skipComment(): void {
    const start = this.line;
    this.at += 2;
    while (!(this.peek() === asterisk && this.#text[this.at + 1] === slash)) {
      if (this.peek() === undefined) throw new DamagedLine('no-end', start);
      this.step();
    }
    this.at += 2;
  }

  step(): void {
    if (this.peek() === lineFeed) this.line += 1;
    this.at += 1;
  }

  /** The next item: `0x` and one or two digits. */
  item(): number {
    const marker = this.#text[this.at + 1];
    if (this.peek() !== zero || (marker !== 0x78 && marker !== 0x58)) {
      throw new DamagedLine('items', this.line);
    }
    this.at += 2;
    const first = this.at;
    let value = 0;
    while (digitAt(this.#text, this.at) !== -1 && this.at - first < 3) {
      value = value * 16 + digitAt(this.#text, this.at);
      this.at += 1;
    }
    const isByte = this.at > first && this.at - first <= 2;
    if (!isByte) throw new DamagedLine('items', this.line);
    if (this.peek() === 0x75 || this.peek() === 0x55) this.at += 1;
    return value;
  }
}

/** Whether more than one array is in the text. */
function checkRest(source: Source): void {
  for (; source.peek() !== undefined; source.step()) {
    if (source.peek() === open) throw new DamagedLine('after-end', source.line);
  }
}

function read(text: Uint8Array, records: Records): void {
  const source = new Source(text);
  source.skip();
  const isDeclared = source.peek() !== zero;
  while (isDeclared && source.peek() !== open) {
    if (source.peek() === undefined) throw new DamagedLine('items', source.line);
    source.step();
    source.skip();
  }
  if (isDeclared) source.step();
  records.begin(0, source.line);
  for (;;) {
    source.skip();
    if (source.peek() === close || source.peek() === undefined) break;
    records.push(source.item());
    source.skip();
    if (source.peek() === comma) source.step();
    else if (source.peek() !== close && source.peek() !== undefined) {
      throw new DamagedLine('items', source.line);
    }
  }
  if (isDeclared && source.peek() === undefined) throw new DamagedLine('no-end', source.line);
  checkRest(source);
}

export const cArray: TextFormat = {
  kind: 'c-array',
  name: 'c-array',
  hasAddresses: false,
  matches: ({ text }) =>
    /(?:^|\{)\s*(?:0x[\da-f]{1,8}u?\s*,\s*){8}/i.test(text.replaceAll(/\/\*.*?\*\/|\/\/.*/gs, '')),
  read,
};
