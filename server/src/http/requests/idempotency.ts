/** Idempotent requests: what a route that starts work passes to the store of keys, and what the store does with it. */
import { idempotencyHeader } from '@recodery/contract/headers';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../organisations/caller.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { ExpectedUpload, UploadContent } from '../file-transfer.ts';

/** Stores the response to a request in the transaction that starts its work. Does nothing without a key. */
export type KeepAnswer = (trx: Db, answer: unknown) => Promise<void>;

/** A request that starts work. */
export interface IdempotentRequest {
  readonly caller: Caller;
  /** The header's value. */
  readonly key: string | readonly string[] | undefined;
  /** Verb, path and query. */
  readonly target: string;
  /** The JSON form of the content, equal for equal content; called only if the request is not handled again. */
  readContent(): Promise<unknown>;
}

/**
 * Handles a request at most once for its caller and key, and returns the first response again. `handle` must call
 * `keep` with the content and the response.
 * @throws {Refusal} BAD_REQUEST (a malformed key), IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_KEY_REUSED, and what `handle`
 * throws
 */
export type HandleIdempotent = <T>(
  request: IdempotentRequest,
  handle: (keep: (trx: Db, content: unknown, answer: T) => Promise<void>) => Promise<T>,
) => Promise<T>;

/** A request whose caller and input were checked. `upload` is null for a call with a JSON body. */
export interface IdempotentCall {
  readonly request: FastifyRequest;
  readonly caller: Caller;
  readonly body: unknown;
  readonly upload: ExpectedUpload | null;
}

/** The content of a form: its text fields and its file's bytes, not the file's name or the boundary. */
function contentOf({ fields, sha256 }: UploadContent): unknown {
  return { fields, sha256 };
}

/** Handles a call at most once. `handle` gets the upload through which the call must read its body. */
export async function answerIdempotently(
  handleIdempotent: HandleIdempotent,
  { request, caller, body, upload }: IdempotentCall,
  handle: (upload: ExpectedUpload | null, keep: KeepAnswer) => Promise<unknown>,
): Promise<unknown> {
  let content: unknown = body;
  const watched: ExpectedUpload | null = upload && {
    ...upload,
    async receive(known) {
      const received = await upload.receive(known);
      content = contentOf(received);
      return received;
    },
  };
  return handleIdempotent(
    {
      caller,
      key: request.headers[idempotencyHeader.toLowerCase()],
      target: `${request.method} ${request.url}`,
      readContent: async () => (upload === null ? body : contentOf(await upload.digest())),
    },
    (keep) => handle(watched, (trx, answer) => keep(trx, content, answer)),
  );
}
