/** Nothing but hexadecimal digits: two for each byte, without addresses. */

import { byteAt, digitAt, forEachLine, isHex } from './lines.ts';
import type { Records } from './records.ts';
import type { TextFormat } from './text-format.ts';
import { DamagedLine } from './damaged-line.ts';

function read(text: Uint8Array, records: Records): void {
  records.begin(0, 1);
  forEachLine(text, (from, to, line) => {
    for (let at = from; at < to; at += 1) {
      if (text[at] === 0x20 || text[at] === 0x09) continue;
      if (digitAt(text, at) === -1) throw new DamagedLine('digits', line);
      // A digit alone belongs to no byte: something is missing in this line.
      if (!isHex(text, at, Math.min(at + 2, to)) || at + 1 === to)
        throw new DamagedLine('length', line);
      records.push(byteAt(text, at, line));
      at += 1;
    }
  });
}

export const plainHex: TextFormat = {
  kind: 'hex-dump',
  name: 'plain-hex',
  hasAddresses: false,
  matches: ({ text }) => /^[\da-f\s]{32,}$/i.test(text),
  read,
};
