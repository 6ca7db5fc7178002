/** Reports requests that ended without a response from the server, so that the connection is checked immediately. */

/** The network failed during an upload; the server did not refuse it. */
export class UploadFailed extends Error {
  /** Whether the browser had sent the whole file: only then can the server have handled it. */
  readonly isSent: boolean;

  constructor(isSent: boolean) {
    super('The upload received no response.');
    this.name = 'UploadFailed';
    this.isSent = isSent;
  }
}

const listeners = new Set<() => void>();

/** Calls `listener` after each request without a response. Returns the function that unsubscribes. */
export function onLostRequest(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reports that the network failed during a request. Not called for requests that the page aborted. */
export function reportLostRequest(): void {
  for (const listener of listeners) listener();
}
