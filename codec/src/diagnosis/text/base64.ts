/** Base64 without anything around it: letters, digits, `+`, `/`, the padding `=`, and line ends. */

import { forEachLine } from './lines.ts';
import type { Records } from './records.ts';
import type { TextFormat } from './text-format.ts';
import { DamagedLine } from './damaged-line.ts';

const padding = 0x3d;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Int8Array(256).fill(-1);
for (let value = 0; value < alphabet.length; value += 1) values[alphabet.charCodeAt(value)] = value;

function read(text: Uint8Array, records: Records): void {
  let bits = 0;
  let count = 0;
  let padded = 0;
  let last = 1;
  records.begin(0, 1);
  forEachLine(text, (from, to, line) => {
    last = line;
    for (let at = from; at < to; at += 1) {
      const byte = text[at] ?? 0;
      const value = values[byte] ?? -1;
      if (byte === padding) padded += 1;
      else if (value === -1) throw new DamagedLine('digits', line);
      else if (padded > 0) throw new DamagedLine('after-end', line);
      else bits = ((bits << 6) | value) & 0xffffff;
      count += 1;
      if (byte !== padding && count % 4 === 0) {
        records.push(bits >>> 16);
        records.push((bits >>> 8) & 0xff);
        records.push(bits & 0xff);
      }
    }
  });
  if (count % 4 !== 0 || padded > 2) throw new DamagedLine('length', last);
  // What the padding leaves out must be 0: otherwise the end of the text was cut off.
  if (padded === 2) {
    if ((bits & 0xf) !== 0) throw new DamagedLine('length', last);
    records.push((bits >>> 4) & 0xff);
  } else if (padded === 1) {
    if ((bits & 0x3) !== 0) throw new DamagedLine('length', last);
    records.push((bits >>> 10) & 0xff);
    records.push((bits >>> 2) & 0xff);
  }
}

export const base64: TextFormat = {
  kind: 'base64',
  name: 'base64',
  hasAddresses: false,
  matches: ({ text }) => /^[A-Za-z\d+/=\s]{64,}$/.test(text) && !/[A-Za-z] +[A-Za-z]/.test(text),
  read,
};
