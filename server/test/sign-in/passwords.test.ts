/** The product's own hashes of passwords, made in a process of its own: those of tests cost less. */
import { execFile } from 'node:child_process';
import { scryptSync } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hashPassword, isPassword } from '../../src/sign-in/provider/passwords/passwords.ts';

const hashing = import.meta.resolve('../../src/sign-in/provider/passwords/passwords.ts');

/** Runs code that the product's hashing is given to, in a new process; returns what it prints. */
async function run(code: string, ...given: readonly string[]): Promise<string> {
  const whole = `
    import crypto from 'node:crypto';
    import { syncBuiltinESMExports } from 'node:module';
    const { scrypt } = crypto;
    const costs = [];
    crypto.scrypt = (password, salt, length, { N, r, p, maxmem }, answer) => {
      costs.push([N, r, p].join());
      scrypt(password, salt, length, { N, r, p, maxmem }, answer);
    };
    syncBuiltinESMExports();
    const { hashPassword, isPassword } = await import(${JSON.stringify(hashing)});
    ${code}`;
  const words = ['--input-type=module', '--eval', whole, ...given];
  return (await promisify(execFile)(process.execPath, words)).stdout.trim();
}

/** A stored hash at a chosen cost. */
function hashAt(N: number, r: number, p: number): string {
  const salt = Buffer.from('a salt');
  const hash = scryptSync('correct horse', salt, 32, { N, r, p, maxmem: 2 ** 27 });
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

test('a password is hashed at the cost that its hash states', async () => {
  const stored = await run("console.log(await hashPassword('correct horse'))");
  const [kind, N, r, p, salt = '', hash] = stored.split('$');
  expect([kind, N, r, p]).toEqual(['scrypt', '32768', '8', '3']);
  const options = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 27 };
  const expected = scryptSync('correct horse', Buffer.from(salt, 'base64url'), 32, options);
  expect(hash).toBe(expected.toString('base64url'));
});

test('a password is checked at the cost that its hash states', async () => {
  const stored = [hashAt(2 ** 13, 8, 3), hashAt(2 ** 15, 4, 3), hashAt(2 ** 15, 8, 1)];
  const code = `for (const stored of process.argv.slice(1))
    console.log(await isPassword('correct horse', stored), await isPassword('other horse', stored));`;
  expect((await run(code, ...stored)).split('\n')).toEqual(stored.map(() => 'true false'));
});

test('an unknown account costs as much as a known one', async () => {
  const code = `const stored = await hashPassword('correct horse');
    for (const kept of [stored, null]) await isPassword('other horse', kept);
    console.log(costs.join(' '));`;
  expect(await run(code)).toBe('32768,8,3 32768,8,3 32768,8,3');
});

test('tests hash a password at a lower cost, which depends on the stated one', async () => {
  const kept = await hashPassword('correct horse');
  const [, , , , salt = '', hash] = kept.split('$');
  const options = { N: 256, r: 8, p: 3 };
  const cheap = scryptSync('correct horse', Buffer.from(salt, 'base64url'), 32, options);
  expect(hash).toBe(cheap.toString('base64url'));
  expect(await isPassword('correct horse', kept)).toBe(true);
  expect(await isPassword('other horse', kept)).toBe(false);
  const others = ['$16384$8$3$', '$32768$4$3$', '$32768$8$1$'];
  for (const other of others)
    expect(await isPassword('correct horse', kept.replace('$32768$8$3$', other))).toBe(false);
});
