/** TI-TXT: `@` and an address start a section, lines of bytes follow, `q` ends the file. It has no checksums. */

import { byteAt, forEachLine, numberAt } from './lines.ts';
import type { Records } from './records.ts';
import type { TextFormat } from './text-format.ts';
import { DamagedLine } from './damaged-line.ts';

const at = 0x40;
const blank = 0x20;

/** Adds a line of bytes, two digits each, separated by blanks; returns their number. */
function addLine(
  text: Uint8Array,
  [from, to]: readonly [number, number],
  line: number,
  records: Records,
): number {
  let count = 0;
  for (let place = from; place < to; place += 1) {
    if (text[place] === blank) continue;
    records.push(byteAt(text, place, line));
    count += 1;
    place += 1;
    if (place + 1 < to && text[place + 1] !== blank) throw new DamagedLine('length', line);
  }
  return count;
}

function read(text: Uint8Array, records: Records): void {
  let address: number | null = null;
  let hasEnded = false;
  let last = 1;
  forEachLine(text, (from, to, line) => {
    last = line;
    if (hasEnded) throw new DamagedLine('after-end', line);
    const isEnd = to - from === 1 && (text[from] === 0x71 || text[from] === 0x51);
    if (isEnd) {
      hasEnded = true;
    } else if (text[from] === at) {
      address = numberAt(text, from + 1, to, line);
    } else if (address === null) {
      throw new DamagedLine('address', line);
    } else {
      records.begin(address, line);
      address += addLine(text, [from, to], line, records);
      if (address > 2 ** 32) throw new DamagedLine('address', line);
    }
  });
  if (!hasEnded) throw new DamagedLine('no-end', last);
}

export const tiTxt: TextFormat = {
  kind: 'ti-txt',
  name: 'ti-txt',
  hasAddresses: true,
  matches: ({ lines: [first = '', second = ''] }) =>
    /^@[\da-f]{1,8}$/i.test(first) && /^(?:[\da-f]{2}(?: +[\da-f]{2})*|q|@[\da-f]+)$/i.test(second),
  read,
};
