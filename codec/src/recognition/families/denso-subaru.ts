/** Denso control units of Subaru with an SH7055 or SH7058: the id of the calibration, and a table of sums. */

import { type EcuFamily, fieldAt, kibibytes, type Scanned } from '../ecu-family.ts';

interface Layout {
  /** Offsets where the id can be. */
  readonly ids: readonly number[];
  readonly table: number;
}

const layouts: ReadonlyMap<number, Layout> = new Map([
  [kibibytes(512), { ids: [0x2000], table: 0x7fb80 }],
  [kibibytes(1024), { ids: [0x2000, 0x2004], table: 0xffb80 }],
]);
const calibrationId = /^[A-Z][0-9A-Z]{3}\d{3}[A-Z]$/;
const entries = 17;
const entryBytes = 12;
const target = 0x5aa5a55a;

/** `none`: it is no table of ranges. `wrong`: a sum differs, or the table is switched off. */
function judgeTable({ view, image }: Scanned, table: number): 'right' | 'wrong' | 'none' {
  let isRight = true;
  let words = 0;
  for (let at = table; at < table + entries * entryBytes; at += entryBytes) {
    const start = view.getUint32(at);
    const end = view.getUint32(at + 4);
    const difference = view.getUint32(at + 8);
    const isOff = start === 0 && end === 0 && difference === target;
    if (isOff) {
      isRight = false;
      continue;
    }
    const isRange = start < end && end < image.length && start % 4 === 0 && end % 4 === 3;
    words += isRange ? (end + 1 - start) / 4 : 0;
    // the ranges of a real table cover the image at most once
    if (!isRange || words * 4 > image.length) return 'none';
    let sum = difference;
    for (let place = start; place < end; place += 4) sum = (sum + view.getUint32(place)) >>> 0;
    if (sum !== target) isRight = false;
  }
  return isRight ? 'right' : 'wrong';
}

export const densoSubaru: EcuFamily = {
  id: 'denso-subaru',
  isValidated: false,
  find(scanned) {
    const layout = layouts.get(scanned.image.length);
    if (layout === undefined) return null;
    const [id = null, ...others] = layout.ids
      .map((offset) => fieldAt(scanned, 'software', { offset, length: 8 }, calibrationId))
      .filter((field) => field !== null);
    if (id === null || others.length > 0) return null;
    const table = judgeTable(scanned, layout.table);
    return table === 'none'
      ? null
      : { name: 'Denso Subaru', fields: [id], isProven: table === 'right' };
  },
};
