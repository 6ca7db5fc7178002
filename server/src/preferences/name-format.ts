/** Reads what files are named with from a request: name formats, and the time zone of the times in names. */
import { Refusal } from '@recodery/contract/refusal';
import { readFileNameFormat } from '@recodery/contract/file-names';
import { isTimeZone } from '@recodery/contract/time-zones';

/**
 * A format as it is stored; null for an empty one, which means the default.
 * @throws {Refusal} BAD_REQUEST for unknown placeholders, and for text that would be changed or lost in a file name
 */
export function readNameFormat(text: string | null | undefined): string | null {
  const { format, fault } = readFileNameFormat(text ?? '');
  if (fault !== null) throw new Refusal('BAD_REQUEST');
  return format || null;
}

/**
 * A time zone as it is stored; null for none.
 * @throws {Refusal} BAD_REQUEST for a name that this machine does not know
 */
export function readTimeZone(text: string | null | undefined): string | null {
  const name = text?.trim() || null;
  if (name !== null && !isTimeZone(name)) throw new Refusal('BAD_REQUEST');
  return name;
}
