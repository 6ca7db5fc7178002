/** Checks the address to which a client wants the end of its operation reported. */
import { Refusal } from '@recodery/contract/errors';

/** The address to store with an operation, or null for none. @throws {Refusal} BAD_REQUEST */
export async function checkCallbackURL(text: string | null): Promise<string | null> {
  if (text === null || text === '') return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Refusal('BAD_REQUEST');
  }
  return text;
}
