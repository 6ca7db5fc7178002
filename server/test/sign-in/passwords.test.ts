/** The product's own hash of a password, made in a process of its own: those of tests cost less. */
import { execFile } from 'node:child_process';
import { scryptSync } from 'node:crypto';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hashPassword, isPassword } from '../../src/sign-in/provider/passwords/passwords.ts';

const hashing = import.meta.resolve('../../src/sign-in/provider/passwords/passwords.ts');

test('a password is hashed at the cost that its hash states', async () => {
  const code = `import { hashPassword } from ${JSON.stringify(hashing)};
    console.log(await hashPassword('correct horse'));`;
  const words = ['--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const [kind, N, r, p, salt = '', hash] = stdout.trim().split('$');
  expect([kind, N, r, p]).toEqual(['scrypt', '32768', '8', '3']);
  const options = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 27 };
  const expected = scryptSync('correct horse', Buffer.from(salt, 'base64url'), 32, options);
  expect(hash).toBe(expected.toString('base64url'));
});

test('tests hash a password at a lower cost, and state the same', async () => {
  const kept = await hashPassword('correct horse');
  const [, , , , salt = '', hash] = kept.split('$');
  const cheap = scryptSync('correct horse', Buffer.from(salt, 'base64url'), 32, { N: 1024, r: 8 });
  expect(hash).toBe(cheap.toString('base64url'));
  expect(await isPassword('correct horse', kept)).toBe(true);
  expect(await isPassword('other horse', kept)).toBe(false);
});
