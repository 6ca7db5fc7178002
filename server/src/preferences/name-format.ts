/** Reads the name format of encoded files from a request. */
import { Refusal } from '@recodery/contract/refusal';
import { readFileNameFormat } from '@recodery/contract/file-names';

/**
 * A format as it is stored; null for an empty one, which means the default.
 * @throws {Refusal} BAD_REQUEST for unknown placeholders, and for text that would be changed or lost in a file name
 */
export function readNameFormat(text: string | null | undefined): string | null {
  const { format, fault } = readFileNameFormat(text ?? '');
  if (fault !== null) throw new Refusal('BAD_REQUEST');
  return format || null;
}
