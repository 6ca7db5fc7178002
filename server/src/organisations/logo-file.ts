/** Reads an organisation's logo from a PNG or SVG file, in the form that the directory uses. */
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

/** The data URL of a picture; null when it is neither PNG nor SVG. */
function logoUrlOf(bytes: Buffer): string | null {
  const isPng = bytes.subarray(0, pngSignature.length).equals(pngSignature);
  const isSvg = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(
    bytes.toString('utf8', 0, 4096),
  );
  if (!isPng && !isSvg) return null;
  return `data:image/${isPng ? 'png' : 'svg+xml'};base64,${bytes.toString('base64')}`;
}

/** Loads a logo as a data URL. @throws {LogoRefused} */
export async function loadLogo(path: string): Promise<string> {
  const name = basename(path);
  const facts = await stat(path).catch(() => null);
  if (facts === null || !facts.isFile()) throw new LogoRefused(`could not read the logo ${name}`);
  if (facts.size > mostBytes) throw new LogoRefused(`the logo ${name} is larger than 256 KiB`);
  const url = logoUrlOf(await readFile(path));
  if (url === null) throw new LogoRefused(`the logo ${name} is neither PNG nor SVG`);
  return url;
}
