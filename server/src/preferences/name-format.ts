/** Valid name formats of encoded files: the format must produce a valid name on every file system. */
import { Refusal } from '@recodery/contract/errors';
import { fillFileNameFormat, hasKnownPlacesOnly } from '@recodery/contract/preferences';
import { makeFileNameSafe } from '../http/safe-file-name.ts';

/** The shortest possible names: the format's own text must be valid with any name. */
const shortest = { automatic: 'd', readFile: 'r' } as const;

/**
 * A format as it is stored; null for an empty one, which means the default.
 * @throws {Refusal} BAD_REQUEST for unknown placeholders, and for text that would be changed or lost in a file name
 */
export function readNameFormat(text: string | null | undefined): string | null {
  const format = text?.normalize('NFC').replace(/\s+/gu, ' ').trim() ?? '';
  if (format === '') return null;
  const stem = fillFileNameFormat(format, shortest);
  if (!hasKnownPlacesOnly(format) || makeFileNameSafe(stem, '') !== stem) {
    throw new Refusal('BAD_REQUEST');
  }
  return format;
}
