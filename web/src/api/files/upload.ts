/**
 * Uploads one file to a route of the contract, with progress and cancel; `fetch` does not report upload progress, hence
 * XMLHttpRequest.
 */
import type { AnswerOf, InputOf, Route } from '@recodery/contract/api';
import { sessionHeader, tabHeader, uploadHeader } from '@recodery/contract/headers';
import { addressOf, answerOf, contentOf, headersOf, renewSession } from '../call.ts';
import { reportLostRequest, UploadFailed } from '../lost-requests.ts';
import { refusalOf } from '../read-refusal.ts';
import { newKey, withRequestKey } from '../request-keys.ts';
import { readSessionId } from '../session-id.ts';
import { tabName } from '../tab.ts';

export interface UploadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the fraction sent so far, 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** The name by which the server is told that the upload was canceled; absent: it never is. */
  readonly name?: string | undefined;
  /** Headers in addition to those of the route. */
  readonly headers?: Readonly<Record<string, string>>;
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
export async function upload<R extends Route>(
  route: R,
  input: InputOf<R>,
  file: File,
  options: UploadOptions = {},
): Promise<AnswerOf<R>> {
  const asked = { content: contentOf(route, input), file };
  const text = await withRequestKey(route, asked, (headers) =>
    sendFile(route, { input, file, headers: { ...options.headers, ...headers } }, options),
  );
  return answerOf(route, text);
}

/** The content of an upload. */
interface Sent<R extends Route> {
  readonly input: InputOf<R>;
  readonly file: File;
  /** Headers in addition to those of the route. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends an upload. Resolves to the text of the response. */
function sendFile<R extends Route>(
  route: R,
  { input, file, headers }: Sent<R>,
  { signal, onProgress, name = newKey() }: UploadOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const sessionId = readSessionId();
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    let isSent = false;
    request.open(route.verb, addressOf(route, input));
    const own = { [uploadHeader]: name, [tabHeader]: tabName() };
    const all = { ...headersOf(route, sessionId), ...headers, ...own };
    for (const [header, value] of Object.entries(all)) request.setRequestHeader(header, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) onProgress?.(event.loaded / event.total);
    };
    request.upload.onload = () => {
      isSent = true;
    };
    request.onload = () => {
      renewSession(request.getResponseHeader(sessionHeader));
      const { status, responseText } = request;
      if (status < 200 || status > 299) reject(refusalOf(status, responseText, sessionId));
      else resolve(responseText);
    };
    request.onerror = () => {
      reportLostRequest();
      reject(new UploadFailed(isSent));
    };
    request.onabort = () => reject(signal?.reason ?? new UploadFailed(isSent));
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort);
    request.send(bodyOf(route, input, file));
  });
}
