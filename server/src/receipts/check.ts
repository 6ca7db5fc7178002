/** Checks receipts against the keys and the records of this installation. */
import type {
  ReceiptCheck,
  ReceiptContent,
  SignedReceipt,
} from '@recodery/contract/features/receipts';
import { readCode } from '@recodery/contract/receipt-code';
import type { Db } from '../postgres/tables/schema.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { checkSignature, type SignatureCheck, writeCompact } from './jws.ts';
import { listReceiptKeys } from './receipt-keys.ts';
import { findByCode, findByEncodedFile, type StoredReceipt } from './receipts.ts';

export interface CheckDependencies {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'listKeys' | 'getKey'>;
}

/** The input of a check. The receipt itself has priority, then its code, then the encoded file's hash. */
export interface PresentedReceipt {
  readonly receipt?: SignedReceipt | undefined;
  readonly code?: string | undefined;
  /** 64 hexadecimal digits. */
  readonly sha256?: string | undefined;
}

/** The result of a check. */
export interface CheckedReceipt {
  readonly check: ReceiptCheck;
  /** Null unless it was found. */
  readonly content: ReceiptContent | null;
}

const unknown: CheckedReceipt = { check: 'unknown', content: null };

/**
 * Checks a receipt. It must be recorded here, even if its signature is right: a stolen key can sign receipts, but does
 * not record them.
 */
export async function checkPresented(
  deps: CheckDependencies,
  { receipt, code, sha256 }: PresentedReceipt,
): Promise<CheckedReceipt> {
  if (receipt !== undefined) {
    const signature = await check(deps, receipt);
    if (signature.check !== 'signed') return { check: signature.check, content: null };
    const stored = await findByCode(deps.db, signature.content.code);
    const isRecorded = stored !== null && writeCompact(stored.receipt) === writeCompact(receipt);
    return isRecorded ? { check: 'found', content: signature.content } : unknown;
  }
  const stored = await find(deps.db, code, sha256);
  if (stored === null) return unknown;
  const signature = await check(deps, stored.receipt);
  // it was changed in the database
  if (signature.check !== 'signed') return { check: 'altered', content: null };
  return { check: 'found', content: signature.content };
}

async function find(db: Db, typed = '', sha256?: string): Promise<StoredReceipt | null> {
  const code = readCode(typed);
  if (code !== null) return findByCode(db, code);
  if (typed.trim() !== '' || sha256 === undefined) return null;
  return findByEncodedFile(db, sha256);
}

async function check(deps: CheckDependencies, receipt: SignedReceipt): Promise<SignatureCheck> {
  return checkSignature(receipt, await listReceiptKeys(deps.secrets));
}
