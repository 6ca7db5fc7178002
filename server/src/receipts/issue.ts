/** Issues the receipt of an encoded file, in the transaction that ends its encode. */
import { randomBytes } from 'node:crypto';
import { codeAlphabet, codeLength, groupCode, receiptRoles } from '@recodery/contract/receipt-code';
import type { Family } from '@recodery/contract/families/registry';
import type { Correction } from '@recodery/contract/results';
import type { ReceiptContent, ReceiptFile } from '@recodery/contract/features/receipts';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import type { StoredFile } from '../slots/files/stored-files.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { signReceipt } from './jws.ts';
import { receiptKeyPurpose } from './receipt-keys.ts';
import { receiptInsert } from './receipts.ts';

/** The encode. All files have already been recorded. */
export interface EncodedJob {
  readonly operationGuid: string;
  readonly organisationId: OrganisationId;
  readonly slotGuid: string;
  readonly family: Family;
  readonly slaveSerialNumber: string | null;
  readonly protocolId: number | null;
  readonly readChecksums: 'right' | 'wrong' | null;
  /** The decoded, modified and original files. */
  readonly sources: readonly Pick<StoredFile, 'role' | 'component' | 'size' | 'sha256'>[];
  /** The time of the transaction. */
  readonly encodedOn: Date;
  /** Whether a double of the demo encoded it. */
  readonly isDouble?: boolean;
  /** The checksums that were corrected in modified files. */
  readonly corrections?: readonly Correction[];
  readonly encodedFile: { readonly guid: string; readonly size: number; readonly sha256: string };
}

/** A receipt before its encode has finished. */
export interface OpenReceipt {
  /** In groups. */
  readonly code: string;
  /** Signs it, and returns the statement that records it; `trx` is the transaction that ends the operation. */
  issue(trx: Db, job: EncodedJob): Promise<ReturnType<typeof receiptInsert>>;
}

export interface IssueDependencies {
  readonly secrets: Pick<Secrets, 'getCurrentKey'>;
  /** The portal's public address. */
  readonly publicUrl: string;
  /** The name of a protocol; null: it is unknown. */
  nameProtocol(id: number): string | null;
}

/** Opens a receipt. Fetches the key before the transaction, which would otherwise wait for a second connection. */
export async function openReceipt(deps: IssueDependencies): Promise<OpenReceipt> {
  const { key } = await deps.secrets.getCurrentKey(receiptKeyPurpose);
  const code = groupCode(
    Array.from(randomBytes(codeLength), (byte) => codeAlphabet[byte % codeAlphabet.length]).join(
      '',
    ),
  );
  return {
    code,
    async issue(trx, job) {
      const { operationGuid, organisationId, slotGuid, encodedFile } = job;
      const { guid: fileGuid, sha256: encodedSha256 } = encodedFile;
      const receipt = await signReceipt(key, describeJob(deps, code, job));
      const row = { operationGuid, organisationId, slotGuid, fileGuid, encodedSha256 };
      return receiptInsert(trx, { ...row, code, receipt });
    },
  };
}

function describeJob(
  { publicUrl, nameProtocol }: IssueDependencies,
  code: string,
  job: EncodedJob,
): ReceiptContent {
  const { family, slaveSerialNumber, protocolId, readChecksums, encodedOn, sources, encodedFile } =
    job;
  const { corrections = [], isDouble = false } = job;
  const { size, sha256 } = encodedFile;
  const files = describeSources(sources);
  return {
    type: 'recodery-receipt',
    version: 1,
    code,
    portal: publicUrl,
    encodedOn: encodedOn.toISOString(),
    family,
    slave: slaveSerialNumber,
    protocol: protocolId === null ? null : { id: protocolId, name: nameProtocol(protocolId) },
    readChecksums,
    files: [...files, { role: 'encoded', component: null, size, sha256 }],
    ...(isDouble ? { isDouble } : {}),
    ...(corrections.length === 0 ? {} : { corrections: [...corrections] }),
  };
}

/** The files that were encoded, in the order in which they were made. */
function describeSources(sources: EncodedJob['sources']): readonly ReceiptFile[] {
  return receiptRoles.flatMap((role) =>
    sources
      .filter((file) => file.role === role)
      .map(({ component, size, sha256 }) => ({ role, component, size, sha256 })),
  );
}
