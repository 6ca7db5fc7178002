/**
 * Passes a chosen file to the page that opens it: a `File` does not fit in a URL, so it stays in memory until that page
 * is mounted.
 */
import type { Workflow } from '@recodery/contract/families/registry';

let waiting: { readonly page: Workflow; readonly file: File } | null = null;

/** Leaves a file for a page; the caller then navigates there. */
export function passFile(page: Workflow, file: File): void {
  waiting = { page, file };
}

/** The file that was left for a page; returned only once. */
export function takePassedFile(page: Workflow): File | null {
  if (waiting?.page !== page) return null;
  const { file } = waiting;
  waiting = null;
  return file;
}
