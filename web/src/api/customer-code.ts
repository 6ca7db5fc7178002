/** The customer code that this tab believes to work under; uploads and encodes send it along, so that a switch in another tab is noticed. */

let current: string | null = null;

/** Remembers the customer code of the session as this tab has seen it. */
export function rememberCustomerCode(code: string): void {
  current = code;
}

/** The customer code of the session as this tab has seen it, or null before that. */
export function believedCustomerCode(): string | null {
  return current;
}
