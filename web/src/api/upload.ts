/**
 * Uploads one file to a route of the contract, with progress and cancel; `fetch` does not report upload progress, hence
 * XMLHttpRequest.
 */
import type { AnswerOf, InputOf, Route } from '@recodery/contract/api';
import { sessionHeader } from '@recodery/contract/headers';
import { addressOf, answerOf, headersOf, renewSession } from './call.ts';
import { refusalOf } from './read-refusal.ts';
import { readSessionId } from './session-id.ts';

/** The network failed during an upload; the server did not refuse it. */
export class UploadFailed extends Error {
  constructor() {
    super('The upload did not reach the server.');
    this.name = 'UploadFailed';
  }
}

export interface UploadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the share that the browser has sent, 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

function bodyOf(route: Route, input: InputOf<Route>, file: File): FormData {
  const form = new FormData();
  // Fields precede the file, since the server reads the body as a stream.
  for (const [name, value] of Object.entries(input.fields ?? {})) form.append(name, String(value));
  form.append(route.parts.file?.field ?? 'file', file, file.name);
  return form;
}

/**
 * Uploads `file` as the route's file part. Resolves to the response; rejects with a `Refusal`, with `UploadFailed` when
 * the network fails, or with the signal's reason when the upload was canceled.
 */
export function upload<R extends Route>(
  route: R,
  input: InputOf<R>,
  file: File,
  { signal, onProgress }: UploadOptions = {},
): Promise<AnswerOf<R>> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const sessionId = readSessionId();
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    request.open(route.verb, addressOf(route, input));
    for (const [name, value] of Object.entries(headersOf(route, sessionId))) {
      request.setRequestHeader(name, value);
    }
    request.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) onProgress?.(event.loaded / event.total);
    };
    request.onload = () => {
      renewSession(request.getResponseHeader(sessionHeader));
      const { status, responseText } = request;
      if (status < 200 || status > 299) reject(refusalOf(status, responseText, sessionId));
      else resolve(Promise.resolve(responseText).then((text) => answerOf(route, text)));
    };
    request.onerror = () => reject(new UploadFailed());
    request.onabort = () => reject(signal?.reason ?? new UploadFailed());
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    request.send(bodyOf(route, input, file));
  });
}
