/** Reads the name, address and client of a connection. */
import { isDouble } from '@recodery/contract/features/demo-doubles';
import { builtInEngine } from '@recodery/contract/features/engines';
import { isLoopback } from '../config/config.ts';

/**
 * Whether an operator can give a connection the name: 1 to 64 visible characters, and not the name of the portal's own
 * engine, nor of a double of the demo, because pages state that a double sends nothing to the maker.
 */
export function isConnectionName(name: string): boolean {
  return (
    name !== builtInEngine &&
    !isDouble(name) &&
    /^(?!\s)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]{1,64}(?<!\s)$/u.test(name)
  );
}

/** Whether a text can identify this portal at a vendor. */
export function isClient(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text);
}

/** Why an address cannot be a service's: `NOT_SAFE`: others could read the secret on its way. */
export type UrlFault = 'NOT_SAFE' | 'INVALID';

/** The address of a service without a final slash, or why it cannot be one. */
export function readServiceUrl(text: string): { readonly url: string } | UrlFault {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === null || !isSafe) return 'NOT_SAFE';
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    return 'INVALID';
  return { url: url.href.replace(/\/+$/, '') };
}
