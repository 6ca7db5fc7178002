/** Describes why a service cannot be reached, and what to do. */

/** Where the problem is. */
export type NetworkFault = 'name' | 'refused' | 'certificate' | 'time' | 'other';

export interface DescribedFault {
  readonly fault: NetworkFault;
  readonly text: string;
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ALTNAME|ERR_TLS|ERR_SSL/;

/** The fault of a request to an address that failed without a response. */
export function describeNetworkFault(error: unknown, { hostname, host }: URL): DescribedFault {
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_NODATA')
    return { fault: 'name', text: `the name ${hostname} is not found (${code})` };
  if (code === 'ECONNREFUSED')
    return { fault: 'refused', text: `the connection to ${host} is refused (${code})` };
  if (code === 'CERT_HAS_EXPIRED')
    return {
      fault: 'certificate',
      text: `the certificate of ${host} has expired (${code}); its operator must renew it`,
    };
  if (code !== null && certificateCodes.test(code))
    return { fault: 'certificate', text: `the certificate of ${host} is not accepted (${code})` };
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return { fault: 'time', text: `${host} does not respond (${code})` };
  return { fault: 'other', text: `the connection to ${host} failed (${code ?? 'unknown reason'})` };
}

/** The system's or the TLS library's code, at any depth of the causes. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // a name with several addresses: the error of the first
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}
