/**
 * The customer code that this tab assumes is current; uploads and encodes send it, so that the server detects a switch
 * in another tab.
 */

let current: string | null = null;

/** Stores the customer code of the session as this tab last saw it. */
export function rememberCustomerCode(code: string): void {
  current = code;
}

/** The customer code of the session as this tab last saw it, or null before that. */
export function believedCustomerCode(): string | null {
  return current;
}
