/** Reads the JSON of a credential that a browser sends (WebAuthn Level 3); what it contains is verified later. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** A response of either kind; null: it is no such JSON. */
export function readCredential(
  text: string,
): (RegistrationResponseJSON & AuthenticationResponseJSON) | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { id } = value as { readonly id?: unknown };
  // an id that a text column cannot store was never issued
  const isKnowable = typeof id === 'string' && /^[\w-]{1,2000}$/.test(id);
  return isKnowable ? (value as RegistrationResponseJSON & AuthenticationResponseJSON) : null;
}
