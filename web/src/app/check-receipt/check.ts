/** Computes the hash of a file in the browser, and asks the portal about its receipt. The file is never sent. */
import { readCode } from '@recodery/contract/receipt-code';
import type { checkReceipt, SignedReceipt } from '@recodery/contract/features/receipts';
import type { BodyOf } from '@recodery/contract/api';
import { type HashOptions, hashFile } from '../../api/files/file-hash.ts';
import {
  judgeReceipt,
  readReceipt,
  type ReceiptAnswer,
  type ReceiptVerdict,
  verdicts,
} from './verdict.ts';

/** The user's input. */
export interface Given {
  readonly file: File | null;
  /** A receipt as a file. */
  readonly receipt: File | null;
  /** As typed by the user. */
  readonly code: string;
}

/** Maximum bytes of a receipt: larger JSON files are something else. */
const mostReceiptBytes = 65_536;

/** Whether a file is probably a receipt. */
export function isReceiptFile({ name, size }: Pick<File, 'name' | 'size'>): boolean {
  return /\.json$/i.test(name) && size <= mostReceiptBytes;
}

/** The portal's response, or why there is none. */
async function ask(body: BodyOf<typeof checkReceipt>): Promise<ReceiptAnswer | ReceiptVerdict> {
  const answer = await fetch('/api/receipts/check', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    cache: 'no-store',
  }).catch(() => null);
  if (answer?.status === 429) return verdicts.busy;
  if (answer?.ok !== true) return verdicts.offline;
  return (await answer.json()) as ReceiptAnswer;
}

/** Checks the user's input. Never rejects; ignore the result of an aborted check. */
export async function checkGiven(
  { file, receipt, code }: Given,
  options: HashOptions,
): Promise<ReceiptVerdict> {
  const typed = code.trim() === '' ? null : readCode(code);
  if (receipt === null && code.trim() !== '' && typed === null) return verdicts.wrongCode;
  if (file === null && receipt === null && typed === null) return verdicts.nothing;
  const read = await Promise.all([file && hashFile(file, options), receipt?.text() ?? null]).catch(
    () => null,
  );
  if (read === null) return verdicts.unreadable;
  const [sha256, text] = read;
  let signed: SignedReceipt | null = null;
  if (text !== null) {
    signed = readReceipt(text);
    if (signed === null) return verdicts.altered;
  }
  const hasReceipt = signed !== null || typed !== null;
  const answer = await ask(
    signed !== null
      ? { receipt: signed }
      : typed !== null
        ? { code: typed }
        : { sha256: sha256 ?? '' },
  );
  return 'tone' in answer ? answer : judgeReceipt(answer, sha256, hasReceipt);
}
