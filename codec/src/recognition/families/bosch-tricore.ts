/** Bosch control units with a TriCore processor (EDC17, MED17, MEVD17, ME17, MD1, MG1): a chain of described blocks. */

import type { RecognizedField } from '@recodery/contract/families/recognition';
import { type EcuFamily, fieldAt, onlyMatch, type Scanned } from '../ecu-family.ts';

/** Blocks start at multiples of it. */
const alignment = 0x400;
const endMark = 0xdeadbeef;
const longestHeader = 0x40;
const variant = /\d\d\/1\/((?:EDC17|MED17|MEVD17|ME17|MD1|MG1)[\w.]{0,16})\//g;
const number = /^\d{10}$/;
/** A constant of the processor that has the place of a number in files of one make. */
const notSoftware = '1037555072';

const programs = [0x40, 0x50, 0xa0, 0xb0];
const calibrations = [0x60];

interface Block {
  /** The low byte of its id. */
  readonly type: number;
  readonly software: RecognizedField | null;
}

function readBlock(scanned: Scanned, at: number): Block | null {
  const { image, view } = scanned;
  const type = image[at] ?? 0;
  if (type === 0 || (type & 0xf) !== 0 || at + longestHeader > image.length) return null;
  const size = view.getUint32(at + 4, true);
  const last = at + size - 4;
  if (size < longestHeader || last + 4 > image.length) return null;
  if (view.getUint32(last, true) !== endMark) return null;
  // the address of its last word: the image may start anywhere in the memory
  if (((view.getUint32(at + 0xc, true) - last) & (alignment - 1)) !== 0) return null;
  const found = fieldAt(scanned, 'software', { offset: at + 0x1a, length: 10 }, number);
  return { type, software: found?.value === notSoftware ? null : found };
}

/** The number of all blocks of these types; null if there is none, or if they contradict. */
function numberOf(blocks: readonly Block[], types: readonly number[]): RecognizedField | null {
  const found = blocks.filter(({ type }) => types.includes(type)).map(({ software }) => software);
  const [first = null, ...others] = found.filter((one) => one !== null);
  return others.every((one) => one.value === first?.value) ? first : null;
}

/** The number that both of its places in images of BMW contain. */
function findHardware(scanned: Scanned): RecognizedField | null {
  const read = (offset: number) =>
    fieldAt(scanned, 'hardware', { offset, length: 10 }, /^02[68]1\d{6}$/);
  const first = read(0xfd00);
  return first !== null && first.value === read(0xfe33)?.value ? first : null;
}

export const boschTricore: EcuFamily = {
  id: 'bosch-tricore',
  isValidated: false,
  find(scanned) {
    const described = onlyMatch(scanned.text.find(variant));
    if (described === null) return null;
    const blocks: Block[] = [];
    for (let at = 0; at < scanned.image.length; at += alignment) {
      const block = readBlock(scanned, at);
      if (block !== null) blocks.push(block);
    }
    const calibration = numberOf(blocks, calibrations);
    const program = numberOf(blocks, programs);
    return {
      name: `Bosch ${described.groups[0]}`,
      fields: [
        findHardware(scanned),
        calibration ?? program,
        calibration && program && { ...program, name: 'program' },
      ],
    };
  },
};
