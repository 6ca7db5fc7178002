/** What a file is by its content alone: erased, erased in parts, or compressed and encrypted. */

import { blockBytes, leastAgreement, type Reference } from './agreement.ts';
import { mostListed } from './finding.ts';
import type { Explained } from './candidate.ts';

const page = 4096;
/** Bits per byte: real firmware stays below, compressed and encrypted data above. */
const leastEntropy = 7.6;
const leastDense = 0.9;
/** Different values of a block that is repeated: a cipher repeats its blocks over erased areas. */
const leastValuesOfRepeated = 10;

function entropyOf(bytes: Uint8Array, counts: Uint32Array): number {
  counts.fill(0);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  let bits = 0;
  for (const count of counts) {
    if (count > 0) bits -= (count / bytes.length) * Math.log2(count / bytes.length);
  }
  return bits;
}

/** Whether a page is one block of 16 different bytes, over and over. */
function isRepeatedBlock(bytes: Uint8Array): boolean {
  for (let at = blockBytes; at < bytes.length; at += 1) {
    if (bytes[at] !== bytes[at - blockBytes]) return false;
  }
  return new Set(bytes.subarray(0, blockBytes)).size >= leastValuesOfRepeated;
}

/** Whether a file is compressed or encrypted. */
export function isDense(file: Uint8Array): boolean {
  const pages = Math.floor(file.length / page);
  const counts = new Uint32Array(256);
  let dense = 0;
  for (let index = 0; index < pages; index += 1) {
    const bytes = file.subarray(index * page, (index + 1) * page);
    if (entropyOf(bytes, counts) >= leastEntropy || isRepeatedBlock(bytes)) dense += 1;
    // most files are not: stop as soon as that is certain
    if (index + 1 - dense > (1 - leastDense) * pages) return false;
  }
  return pages > 0;
}

/** The value of every byte of a file; null if they differ. */
export function onlyValue(file: Uint8Array): number | null {
  const [first] = file;
  return first !== undefined && file.every((byte) => byte === first) ? first : null;
}

/** Informative blocks that must be erased. */
const leastErased = 0.02;

function isErased(file: Uint8Array, at: number): boolean {
  const first = file[at];
  if (first !== 0xff && first !== 0x00) return false;
  for (let index = at + 1; index < at + blockBytes; index += 1) {
    if (file[index] !== first) return false;
  }
  return true;
}

/** Explains a file of the right size in which parts are erased that the read has. */
export function explainErasedPart({ image, marks }: Reference, file: Uint8Array): Explained | null {
  if (file.length !== image.length) return null;
  const missing: { offset: number; length: number }[] = [];
  let erased = 0;
  let kept = 0;
  let equal = 0;
  for (let block = 0; block < marks.length; block += 1) {
    if (marks[block] === 0) continue;
    const at = block * blockBytes;
    if (isErased(file, at)) {
      erased += 1;
      const last = missing.at(-1);
      // blocks of one value between two erased ones are in the same part
      if (last && isOneErasedRun(file, last.offset + last.length, at)) {
        last.length = at + blockBytes - last.offset;
      } else {
        missing.push({ offset: at, length: blockBytes });
      }
      continue;
    }
    kept += 1;
    for (let index = at; index < at + blockBytes; index += 1) {
      if (file[index] === image[index]) equal += 1;
    }
  }
  const isErasedPart =
    erased >= leastErased * (erased + kept) && equal >= leastAgreement * kept * blockBytes;
  if (!isErasedPart || erased === 0) return null;
  const longest = missing.toSorted((a, b) => b.length - a.length).slice(0, mostListed);
  return {
    kind: 'erased-part',
    details: { missing: longest.toSorted((a, b) => a.offset - b.offset) },
    result: null,
    isOffered: false,
    isLossless: false,
  };
}

function isOneErasedRun(file: Uint8Array, from: number, to: number): boolean {
  const value = file[from - 1];
  for (let at = from; at <= to; at += 1) {
    if (file[at] !== value) return false;
  }
  return true;
}
