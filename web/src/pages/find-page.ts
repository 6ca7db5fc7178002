/**
 * Finds the page that opens a file dropped on the home page, or the reason why none does. Loaded with the first file.
 */
import { Refusal } from '@recodery/contract/errors';
import type { Workflow } from '@recodery/contract/families/registry';
import type { Recognised } from '@recodery/contract/recognise';
import type { Entries } from '@recodery/contract/session';
import type { Fault } from '../features/recoding/fault.ts';
import { handOver } from '../features/recoding/flow/hand-over.ts';
import { pageOf, recogniseFile, refusedFile } from '../features/recoding/flow/recognise-read.ts';

/** Why no page opens a file of this kind. */
export function faultOfUnopened(recognised: Recognised): Fault {
  switch (recognised.outcome) {
    case 'container':
      return { kind: 'misplaced', code: 'INVALID_FILE', what: 'encoded-file' };
    case 'archive':
      return refusedFile('FILE_IS_ZIP_ARCHIVE', { detail: recognised.archive });
    case 'text-transfer':
      return refusedFile('FILE_CORRUPTED');
    case 'empty':
      return refusedFile('FILE_EMPTY');
    case 'unknown':
      return refusedFile('INVALID_FILE');
  }
}

/** Leaves the file for the page that opens it and returns that page; otherwise returns why there is none. */
export async function findPage(
  file: File,
  entries: Entries,
): Promise<{ readonly page: Workflow } | { readonly fault: Fault }> {
  const recognised = await recogniseFile(file);
  const page = pageOf(recognised);
  if (page === null) return { fault: faultOfUnopened(recognised) };
  const refusal = entries[page];
  if (refusal !== null) return { fault: { kind: 'refused', thrown: new Refusal(refusal) } };
  handOver(page, file);
  return { page };
}
