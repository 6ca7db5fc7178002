/** What can go wrong with a request to a service: it refuses the request, or does not respond as it should. */

/** The service refuses a request. The same request would be refused again. */
export class RequestRefused extends Error {
  /** The HTTP status; null: the refusal is not one of HTTP. */
  readonly status: number | null;
  constructor(word: string, status: number | null = null) {
    super(word);
    this.status = status;
  }
}

/** The service refuses to issue a token for the credentials, so that it would refuse every other request as well. */
export class CredentialsRefused extends RequestRefused {}

/** What is known of a response that is not usable. */
export interface Unavailability {
  /** The HTTP status; null: there was no response, or it was successful. */
  readonly status?: number | null;
  /** What the service says, without the status; by default the whole message. */
  readonly word?: string;
  /** Milliseconds that the service asks to wait; null: not specified. */
  readonly retryAfterMs?: number | null;
}

/** The service is not responding correctly; the message describes how. The same request may succeed later. */
export class ServiceUnavailable extends Error {
  readonly status: number | null;
  readonly word: string;
  readonly retryAfterMs: number | null;
  constructor(reason: string, { status, word, retryAfterMs }: Unavailability = {}) {
    super(reason);
    this.status = status ?? null;
    this.word = word ?? reason;
    this.retryAfterMs = retryAfterMs ?? null;
  }
}

/**
 * The response is not one of this API. Something in between may have caused it for a while, so that an engine retries;
 * for a person at a command line, the address is more likely wrong.
 */
export class UnexpectedResponse extends ServiceUnavailable {}

/**
 * The service returns 401 where it should issue or accept a new token. This may be temporary, or the credentials are
 * wrong.
 */
export class TokenRefused extends UnexpectedResponse {}
