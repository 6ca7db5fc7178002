/** Hashes and checks the passwords of the embedded sign-in provider. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { longestPassword } from './password-rules.ts';

// OWASP's equivalent of N = 2^17, r = 8, p = 1 with a quarter of the memory: 32 MiB.
const cost = { N: 2 ** 15, r: 8, p: 3 } as const;
const saltBytes = 16;
const hashBytes = 32;

function derive(password: string, salt: Buffer, wanted: typeof cost | Cost): Promise<Buffer> {
  const options = { ...wanted, maxmem: 256 * wanted.N * wanted.r };
  return new Promise((resolve, reject) => {
    // NFKC: the same characters typed on a different keyboard are the same password.
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** The stored form of a password: `scrypt$N$r$p$salt$hash`, salt and hash as base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return write(salt, await derive(password, salt, cost));
}

function write(salt: Buffer, hash: Buffer): string {
  const { N, r, p } = cost;
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

// Belongs to no account: a check against it takes as long as a check against a real one.
const decoy = write(randomBytes(saltBytes), randomBytes(hashBytes));

/**
 * Whether a password matches its hash. With `kept` null (no such account, or one without a password) and for a password
 * that is too long, the result is false after the same time, so that response times do not reveal which accounts exist.
 */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const [kind, N, r, p, salt = '', hash = ''] = (kept ?? decoy).split('$');
  if (kind !== 'scrypt') throw new Error('unknown kind of password hash');
  const right = Buffer.from(hash, 'base64url');
  const wanted: Cost = { N: Number(N), r: Number(r), p: Number(p) };
  const start = password.slice(0, longestPassword);
  const given = await derive(start, Buffer.from(salt, 'base64url'), wanted);
  return timingSafeEqual(given, right) && kept !== null && start === password;
}
