/**
 * Passes a chosen file to the page that opens it: a `File` does not fit in a URL, so it stays in memory until that page
 * is mounted.
 */
import type { Workflow } from '@recodery/contract/families/registry';
import { believedCustomerCode } from '../../../../api/customer-code.ts';

let waiting: {
  readonly page: Workflow;
  readonly file: File;
  readonly customerCode: string | null;
} | null = null;

/** Leaves a file for a page, under the current customer code; the caller then navigates there. */
export function passFile(page: Workflow, file: File): void {
  waiting = { page, file, customerCode: believedCustomerCode() };
}

/** The file that was left for a page; returned only once, and only under the customer code that it was left under. */
export function takePassedFile(page: Workflow): File | null {
  if (waiting?.page !== page) return null;
  const { file, customerCode } = waiting;
  waiting = null;
  return customerCode === believedCustomerCode() ? file : null;
}

/**
 * Forgets the file if the user has opened a page that it was not left for: its own page may have been refused, and
 * opened later it would upload the file unexpectedly.
 */
export function forgetPassedFile(pathname: string): void {
  if (waiting !== null && pathname !== `/${waiting.page}`) waiting = null;
}
