/** What may be the name format of encoded files: it must give a name as it stands, on every file system. */
import { Refusal } from '@recodery/contract/errors';
import { fillFileNameFormat, hasKnownPlacesOnly } from '@recodery/contract/preferences';
import { makeFileNameSafe } from '../http/safe-file-name.ts';

/** Names as short as they can be: what the format adds of its own must be right with any. */
const shortest = { automatic: 'd', readFile: 'r' } as const;

/**
 * A format as it is kept; null for an empty one, which means the default.
 * @throws {Refusal} BAD_REQUEST for unknown places, and for whatever would be changed or lost in a file's name
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
