/** Finds blocks that describe their own checksums. */

import { readNumber } from '../checksum/numbers.ts';
import { isInside } from '../checksum/ranges.ts';
import type { ChecksumRule, Range } from '../checksum/scheme.ts';
import type { FoundPart } from './found-part.ts';
import type { BlocksPart } from './language.ts';
import { findAll } from './pattern.ts';

/** More structures than any control unit has. */
const mostStructures = 200;

/** A block that contains a structure: its place, and the address of the image's first byte. */
interface Block {
  readonly at: number;
  readonly base: number;
}

/** The block whose header describes the structure at this place; null if no header does. */
function blockOf(part: BlocksPart, image: Uint8Array, structure: number): Block | null {
  const { structures, header, endMark, addressMask } = part;
  const number = (at: number) => Number(readNumber(image, at, 'u32le') ?? 0n);
  for (let index = 0; index < structures.most; index += 1) {
    const at = structure - structures.from - index * structures.stride;
    const length = number(at + header.length);
    const count = number(at + header.count);
    const isHeader =
      isInside({ at, length: structures.from }, image.length) &&
      isInside({ at, length }, image.length) &&
      count > index &&
      count <= structures.most;
    if (!isHeader || readNumber(image, at + length - 4, 'u32le') !== endMark) continue;
    const address = (number(at + header.lastAddress) & addressMask) >>> 0;
    return { at, base: address - (at + length - 4) };
  }
  return null;
}

/** The bytes that a structure covers; null if they are not in the image. */
function rangeOf(part: BlocksPart, image: Uint8Array, at: number, { base }: Block): Range | null {
  const offsetAt = (place: number): number => {
    const address = Number(readNumber(image, at + place, 'u32le') ?? 0n);
    return ((address & part.addressMask) >>> 0) - base;
  };
  const from = offsetAt(part.structure.first);
  const range = { at: from, length: offsetAt(part.structure.last) + 1 - from };
  return range.length >= 8 && range.length % 4 === 0 && isInside(range, image.length)
    ? range
    : null;
}

/** The rule of a structure; null if its algorithm is not known, or its bytes are not in the image. */
function ruleOf(
  part: BlocksPart,
  image: Uint8Array,
  at: number,
  block: Block,
): ChecksumRule | null {
  const known = part.algorithms[image[at + part.structure.algorithm] ?? -1];
  const range = rangeOf(part, image, at, block);
  if (known === undefined || range === null) return null;
  // never used: a scheme with blocks is only verified
  const free = { at: range.at + range.length - 4, length: 4 } as const;
  return {
    name: `${part.name} 0x${at.toString(16)}`,
    ranges: [range],
    algorithm: known.algorithm,
    result: { kind: 'target', value: known.target, free },
  };
}

/** The structures of all blocks. Those about other memory, or with another algorithm, are skipped, and counted. */
export function findBlocks(part: BlocksPart, image: Uint8Array): FoundPart {
  const places = findAll(part.marks, image, mostStructures);
  if (places.length > mostStructures) return { state: 'absent' };
  const found = places.flatMap((mark) => {
    const at = mark - part.marks.at;
    const block = blockOf(part, image, at);
    return block === null ? [] : [ruleOf(part, image, at, block)];
  });
  const rules = found.filter((rule) => rule !== null);
  if (found.length === 0) return { state: 'absent' };
  const skipped = places.length - rules.length;
  return rules.length === 0 ? { state: 'unclear' } : { state: 'rules', rules, fixed: [], skipped };
}
