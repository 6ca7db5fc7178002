/** Downloads files: from an address of the server, or from a call that returns a file. */
import type { InputOf, Route } from '@recodery/contract/api';
import { send } from '../call.ts';

function clickLink(address: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = address;
  // With an empty name the server's name is used. With the attribute, a refused ticket does not replace the page with
  // its code word.
  link.download = fileName;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Navigates the browser to a file; the server sends every file as an attachment, so the page stays open. */
export function startDownload(url: string): void {
  clickLink(url, '');
}

/** The name in a `Content-Disposition` header (RFC 6266), the one in UTF-8 first; null if it has none. */
function fileNameIn(header: string | null): string | null {
  const encoded = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(header ?? '')?.[1];
  if (encoded !== undefined && /^(?:[^%]|%[0-9a-f]{2})+$/i.test(encoded)) {
    return decodeURIComponent(encoded);
  }
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header ?? '');
  return plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? null;
}

/** Milliseconds for which a fetched file stays in memory after its download has started. */
const keepFor = 60_000;

/**
 * Calls a route that returns a file only with the session's header, and saves the file under the server's name. Rejects
 * with a `Refusal`, or with the error that `fetch` throws when the connection breaks or `signal` aborts.
 */
export async function saveFile<R extends Route>(
  route: R,
  input: InputOf<R>,
  signal?: AbortSignal,
): Promise<void> {
  const response = await send(route, input, { signal, isDownload: true });
  saveBlob(await response.blob(), fileNameIn(response.headers.get('Content-Disposition')) ?? '');
}

function saveBlob(blob: Blob, fileName: string): void {
  const address = URL.createObjectURL(blob);
  clickLink(address, fileName);
  setTimeout(() => URL.revokeObjectURL(address), keepFor);
}

/** Saves a text that the page has created as a file with this name. */
export function saveText(text: string, fileName: string): void {
  saveBlob(new Blob([text], { type: 'text/plain;charset=utf-8' }), fileName);
}

/** Saves a text that the page has created as a CSV file with this name. */
export function saveCsv(text: string, fileName: string): void {
  saveBlob(new Blob([text], { type: 'text/csv;charset=utf-8' }), fileName);
}
