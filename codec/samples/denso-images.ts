/** Images with the table of Subaru's Denso control units; its numbers are computed here, not by the product. */

const target = 0x5aa5a55a;

/** The table's place in an image of this size. */
export const tableOf = (size: number): number => size - 0x480;

function sumBetween(view: DataView, first: number, last: number): number {
  let sum = 0;
  for (let at = first; at < last; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}

/** Makes every entry right that is not switched off. */
export function makeDensoRight(image: Uint8Array): void {
  const view = new DataView(image.buffer);
  const table = tableOf(image.length);
  for (let at = table; at < table + 17 * 12; at += 12) {
    const [first, last] = [view.getUint32(at), view.getUint32(at + 4)];
    const isOff = first === 0 && last === 0;
    view.setUint32(at + 8, isOff ? target : target - sumBetween(view, first, last));
  }
}

/** An image with right checksums; the last `off` entries are switched off. */
export function generateDenso(size: number, off = 0): Uint8Array {
  const image = Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 7)) & 0xff);
  const view = new DataView(image.buffer);
  for (let index = 0; index < 17; index += 1) {
    const at = tableOf(size) + 12 * index;
    const isOff = index >= 17 - off;
    view.setUint32(at, isOff ? 0 : 0x2000 + index * 0x4000);
    view.setUint32(at + 4, isOff ? 0 : 0x2000 + index * 0x4000 + 0x3fff);
  }
  makeDensoRight(image);
  return image;
}
