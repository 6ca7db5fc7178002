/** Owns the table receipt: the signed receipt of each encoded file, which outlives the file. */
import type { SignedReceipt } from '@recodery/contract/features/receipts';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { readCompact, writeCompact } from './jws.ts';

/** A receipt with the rows that it belongs to; they can be deleted before it. */
export interface StoredReceipt {
  readonly operationGuid: string;
  readonly organisationId: string;
  readonly fileGuid: string;
  /** In groups. */
  readonly code: string;
  readonly receipt: SignedReceipt;
  readonly issuedOn: Date;
}

/** A receipt to record; the database sets the time. */
export interface NewReceipt extends Omit<StoredReceipt, 'issuedOn' | 'organisationId'> {
  readonly organisationId: OrganisationId;
  readonly slotGuid: string;
  /** Of the encoded file, 64 hexadecimal digits. */
  readonly encodedSha256: string;
}

/** The statement that records a receipt. */
export function receiptInsert(trx: Db, receipt: NewReceipt) {
  return trx.insertInto('receipt').values({
    operation_guid: receipt.operationGuid,
    organisation_guid: receipt.organisationId,
    slot_guid: receipt.slotGuid,
    file_guid: receipt.fileGuid,
    code: receipt.code,
    encoded_sha256: receipt.encodedSha256,
    receipt: writeCompact(receipt.receipt),
  });
}

function receipts(db: Db) {
  return db
    .selectFrom('receipt')
    .select(['operation_guid as operationGuid', 'organisation_guid as organisationId'])
    .select(['file_guid as fileGuid', 'code', 'receipt', 'issued_on as issuedOn'])
    .orderBy('issued_on', 'desc')
    .orderBy('operation_guid', 'desc');
}

type Row = Omit<StoredReceipt, 'receipt'> & { readonly receipt: string };

function readRow(row: Row | undefined): StoredReceipt | null {
  return row === undefined ? null : { ...row, receipt: readCompact(row.receipt) };
}

/** The receipt with that code, in groups; anyone who knows the code may read it. */
export async function findByCode(db: Db, code: string): Promise<StoredReceipt | null> {
  return readRow(await receipts(db).where('code', '=', code).executeTakeFirst());
}

/**
 * The newest receipt of an encoded file, by its hash; anyone who has the file may read it. Other files are not looked up:
 * their hashes are not secret.
 */
export async function findByEncodedFile(db: Db, sha256: string): Promise<StoredReceipt | null> {
  return readRow(
    await receipts(db).where('encoded_sha256', '=', sha256).limit(1).executeTakeFirst(),
  );
}

/** The receipts of a slot of the organisation, newest first. */
export async function listSlotReceipts(
  db: Db,
  organisationId: OrganisationId,
  slotGuid: string,
): Promise<readonly StoredReceipt[]> {
  const rows = await receipts(db)
    .where('organisation_guid', '=', organisationId)
    .where('slot_guid', '=', slotGuid)
    .execute();
  return rows.map((row) => ({ ...row, receipt: readCompact(row.receipt) }));
}

/** The newest receipts of all organisations, for a check of the installation. */
export async function listNewestReceipts(db: Db, count: number): Promise<readonly StoredReceipt[]> {
  const rows = await receipts(db).limit(count).execute();
  return rows.map((row) => ({ ...row, receipt: readCompact(row.receipt) }));
}
