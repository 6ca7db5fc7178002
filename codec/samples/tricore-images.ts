/** Images with one block of a TriCore control unit (EDC17, MED17); its checksums are computed here, not by the product. */

const block = { at: 0x20000, length: 0x10000 } as const;
const base = 0x80000000;
const start = 0xfadecafe;
const polynomial = 0xedb88320;

/** The ranges of the block's structures, as offsets, with the number of the algorithm. */
export const structures = [
  { first: 0x20200, last: 0x203ff, algorithm: 1 },
  { first: 0x20400, last: 0x2f7ff, algorithm: 0 },
] as const;

function crcStep(register: number): number {
  return register & 1 ? (register >>> 1) ^ polynomial : register >>> 1;
}

/** The register that becomes this one in 32 steps. */
function stepsBefore(register: number): number {
  let before = register;
  for (let step = 0; step < 32; step += 1) {
    const wasOdd = before >>> 31 === 1;
    before = wasOdd ? ((before ^ polynomial) << 1) | 1 : before << 1;
  }
  return before >>> 0;
}

/** Makes the last number of each range such that the range has its target. */
function makeRight(view: DataView): void {
  const [sum, crc] = structures;
  let total = start;
  for (let at: number = sum.first; at < sum.last - 3; at += 4) {
    total = (total + view.getUint32(at, true)) >>> 0;
  }
  view.setUint32(sum.last - 3, 0xcafeaffe - total, true);
  let register = start;
  for (let at: number = crc.first; at < crc.last - 3; at += 1) {
    register ^= view.getUint8(at);
    for (let bit = 0; bit < 8; bit += 1) register = crcStep(register) >>> 0;
  }
  view.setUint32(crc.last - 3, (register ^ stepsBefore(0x35015001)) >>> 0, true);
}

/** An image with right checksums. */
export function generateTriCore(size = 0x200000): Uint8Array {
  const image = Uint8Array.from({ length: size }, (_, at) => (at * 13 + (at >> 9)) & 0xff);
  const view = new DataView(image.buffer);
  const put = (at: number, value: number) => view.setUint32(block.at + at, value >>> 0, true);
  put(0, 0x60);
  put(4, block.length);
  put(12, base + block.at + block.length - 4);
  put(0x2c, structures.length);
  for (const [index, { first, last, algorithm }] of structures.entries()) {
    const at = 0x34 + 32 * index;
    // the second one by the address that is not cached
    const own = index === 0 ? base : 0xa0000000;
    for (const [place, value] of [0x60, own + first, own + last, start, 0xcafeaffe].entries()) {
      put(at + 4 * place, value);
    }
    put(at + 28, algorithm);
  }
  put(block.length - 4, 0xdeadbeef);
  makeRight(view);
  return image;
}
