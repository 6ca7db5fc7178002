/** Recognizes logos, and reads that of an organisation from a PNG or SVG file, in the form that the directory uses. */
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';

/** Maximum bytes of a logo. */
const mostBytes = 256 * 1024;
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** The file is not a valid logo; the message explains why. */
export class LogoRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LogoRefused';
  }
}

/** Finds `<svg` after at most an XML declaration and comments; linear in the length of the text. */
const svgStart = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*<svg[\s>]/;

/** The media type of a picture by its first 4096 bytes; null when it is neither PNG nor SVG. */
export function pictureTypeOf(bytes: Buffer): 'image/png' | 'image/svg+xml' | null {
  if (bytes.subarray(0, pngSignature.length).equals(pngSignature)) return 'image/png';
  return svgStart.test(bytes.toString('utf8', 0, 4096)) ? 'image/svg+xml' : null;
}

/** Loads a logo as a data URL. @throws {LogoRefused} */
export async function loadLogo(path: string): Promise<string> {
  const name = basename(path);
  const facts = await stat(path).catch(() => null);
  if (facts === null || !facts.isFile()) throw new LogoRefused(`could not read the logo ${name}`);
  if (facts.size > mostBytes) throw new LogoRefused(`the logo ${name} is larger than 256 KiB`);
  const bytes = await readFile(path);
  const mediaType = pictureTypeOf(bytes);
  if (mediaType === null) throw new LogoRefused(`the logo ${name} is neither PNG nor SVG`);
  return `data:${mediaType};base64,${bytes.toString('base64')}`;
}
