/** What can go wrong with a call to a portal: it is refused permanently, or the connection is temporarily broken. */

/** The portal has refused a call. Repeating it would change nothing. */
export class CallRefused extends Error {
  override readonly name: string = 'CallRefused';
  /** 0 when the call was not even sent. */
  readonly status: number;
  /** The code of the response, such as `FILE_EMPTY`. */
  readonly code: string;
  constructor(status: number, code: string) {
    super(status === 0 ? code : `${code} (status ${status})`);
    this.status = status;
    this.code = code;
  }
}

/** The portal has refused the client application itself, so that every other call would fail as well. */
export class CredentialsRefused extends CallRefused {
  override readonly name = 'CredentialsRefused';
}

/** The portal did not respond in time, or asked to wait for longer than the caller is willing to. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

/** One attempt failed for a temporary reason. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
  /** How long the portal asks to wait; null: not specified. */
  readonly afterSeconds: number | null;
  /** True when the portal works and asks this one call to wait, such as for an open slot. */
  readonly isBusy: boolean;
  constructor(reason: string, isBusy = false, afterSeconds: number | null = null) {
    super(reason);
    this.isBusy = isBusy;
    this.afterSeconds = afterSeconds;
  }
}

/** A network error in one short phrase, such as `ECONNREFUSED`. */
export function describeLineFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof SyntaxError) return 'the response is not JSON';
  if (error.name === 'TimeoutError') return 'no response in time';
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error) return (cause as NodeJS.ErrnoException).code ?? cause.message;
  return error.message;
}

/** The seconds of a `Retry-After` header, which is a number or a date; null when there is none. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const time = Date.parse(header);
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - now) / 1000));
}
