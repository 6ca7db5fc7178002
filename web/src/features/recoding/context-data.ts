/** What an encode carries along of its own, so that a page that is loaded anew finds the read again. */

const field = 'decodeOperationGUID';

/** The context of an encode: the operation that decoded its read. */
export function writeContext(decodeOperationGUID: string): string {
  return new URLSearchParams({ [field]: decodeOperationGUID }).toString();
}

/** The operation that decoded the read, or null where the context is another program's. */
export function readContext(contextData: string | null): string | null {
  return new URLSearchParams(contextData ?? '').get(field);
}
