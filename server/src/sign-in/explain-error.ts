/** Explains why a provider could not be used. */
import { ResponseBodyError } from 'openid-client';

/** An error with its causes, such as the name of a host that is unknown, or the provider's own words. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ResponseBodyError) {
    const { error: code, error_description: about, status } = error;
    return about === undefined
      ? `${code}, status ${status}`
      : `${code}, status ${status}: ${about}`;
  }
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${explainError(cause)}` : error.message;
}
