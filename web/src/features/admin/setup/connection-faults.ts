/** Compares how a request reached the server with what the browser knows about it; pure. */
import type { SeenConnection } from '@recodery/contract/admin/setup';

/** What does not match, with the words of its text; a setting or the proxy needs a change. */
export type ConnectionFault =
  | { readonly kind: 'origin'; readonly browser: string; readonly configured: string }
  | { readonly kind: 'proxy'; readonly proxy: string }
  | { readonly kind: 'protocol'; readonly browser: string; readonly server: string }
  | { readonly kind: 'host'; readonly browser: string; readonly server: string };

/** `origin`: that of the page in the browser, such as `https://portal.example.org`. */
export function faultsOfConnection(
  seen: SeenConnection,
  origin: string,
): readonly ConnectionFault[] {
  const { protocol, host } = new URL(origin);
  const faults: ConnectionFault[] = [];
  if (origin !== seen.publicUrl)
    faults.push({ kind: 'origin', browser: origin, configured: seen.publicUrl });
  // the other headers of a proxy are ignored as well, as long as it is not trusted
  if (seen.untrustedProxy !== null) {
    faults.push({ kind: 'proxy', proxy: seen.untrustedProxy });
    return faults;
  }
  const browser = protocol.replace(':', '');
  if (browser !== seen.protocol) faults.push({ kind: 'protocol', browser, server: seen.protocol });
  if (host !== seen.host) faults.push({ kind: 'host', browser: host, server: seen.host });
  return faults;
}
