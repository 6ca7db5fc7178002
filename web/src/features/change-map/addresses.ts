/** Addresses in an image, as users write and read them: hexadecimal. */

/** Digits of the addresses in an image of `size` bytes. */
function digitsOf(size: number): number {
  return Math.max(4, (Math.max(1, size) - 1).toString(16).length);
}

/** The digits of an address without prefix: `05A10`. */
export function bareAddress(offset: number, size: number): string {
  return offset.toString(16).toUpperCase().padStart(digitsOf(size), '0');
}

/** An address: `0x05A10`. */
export function addressText(offset: number, size: number): string {
  return `0x${bareAddress(offset, size)}`;
}

/** The offset that a user entered, hexadecimal with or without `0x`; null if it is invalid or beyond the image. */
export function readAddress(text: string, size: number): number | null {
  const [, digits] = /^\s*(?:0x|\$)?([0-9a-f]{1,8})h?\s*$/i.exec(text) ?? [];
  const offset = digits === undefined ? size : Number.parseInt(digits, 16);
  return offset < size ? offset : null;
}
