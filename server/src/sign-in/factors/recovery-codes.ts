/** Owns the table recovery_code: one-time codes for users who have lost their other factors. */
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../postgres/tables/schema.ts';

/** How many codes a user has. */
export const codeCount = 10;
// Crockford's digits without those that look alike; 16 of them are 80 bits
const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const codeLength = 16;

/** A code as it is shown: four groups of four. */
function newCode(): string {
  const code = [...randomBytes(codeLength)].map((byte) => digits[byte % digits.length]).join('');
  return code.replace(/(.{4})(?!$)/g, '$1-');
}

/** The code without separators, in lower case; null: it cannot be one. */
function readCode(typed: string): string | null {
  const code = typed.replace(/[\s-]/g, '').toLowerCase();
  return code.length === codeLength && [...code].every((digit) => digits.includes(digit))
    ? code
    : null;
}

/** Whether a text has the form of a recovery code. */
export const isRecoveryCode = (typed: string): boolean => readCode(typed) !== null;

// 80 random bits cannot be guessed from a fast hash
const hashOf = (accountGuid: string, code: string): Buffer =>
  createHash('sha256').update(`${accountGuid}\n${code}`).digest();

/** Replaces the codes of an account; returns the new ones, which cannot be read again. */
export async function renewCodes(trx: Db, accountGuid: string): Promise<readonly string[]> {
  await deleteCodes(trx, accountGuid);
  const codes = Array.from({ length: codeCount }, newCode);
  await trx
    .insertInto('recovery_code')
    .values(
      codes.map((code) => ({
        account_guid: accountGuid,
        code_hash: hashOf(accountGuid, code.replaceAll('-', '')),
      })),
    )
    .execute();
  return codes;
}

/** Deletes the codes of an account. */
export async function deleteCodes(trx: Db, accountGuid: string): Promise<void> {
  await trx.deleteFrom('recovery_code').where('account_guid', '=', accountGuid).execute();
}

/** Uses a code up; false if it is wrong or was used before. */
export async function spendCode(db: Db, accountGuid: string, typed: string): Promise<boolean> {
  const code = readCode(typed);
  if (code === null) return false;
  const spent = await db
    .updateTable('recovery_code')
    .set({ used_on: sql`now()` })
    .where('account_guid', '=', accountGuid)
    .where('code_hash', '=', hashOf(accountGuid, code))
    .where('used_on', 'is', null)
    .returning('account_guid')
    .executeTakeFirst();
  return spent !== undefined;
}

/** How many codes of an account were not used yet. */
export async function countCodes(db: Db, accountGuid: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_guid', '=', accountGuid)
    .where('used_on', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
