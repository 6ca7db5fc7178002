/** Passwords that appear in breaches are refused against a list that works offline. */
import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isBreached } from '../../src/sign-in/provider/passwords/common-passwords.ts';
import { findPasswordFault } from '../../src/sign-in/provider/passwords/password-rules.ts';
import { refusePassword } from '../../src/sign-in/provider/passwords/refuse-password.ts';

/** On the list, and made of no word that the rules know. */
const onlyOnTheList = ['dimazarya', 'DimaZarya', '12071984'];

// promise 6.passwords.breached
test('refuses a breached password in any case, which no rule would refuse', () => {
  for (const password of onlyOnTheList) {
    expect.soft(findPasswordFault(password, []), password).toBeNull();
    expect.soft(refusePassword(password, []), password).toBe('PASSWORD_TOO_COMMON');
  }
  expect(refusePassword('a wing without wheels', [])).toBeNull();
  expect(isBreached('')).toBe(false);
});

test('has at least the 3,000 most common passwords that are long enough', () => {
  const list = '../../src/sign-in/provider/passwords/common-passwords.bin';
  // six bytes of the hash of each
  const count = statSync(new URL(list, import.meta.url)).size / 6;
  expect(count).toBeGreaterThanOrEqual(3000);
  expect(Number.isInteger(count)).toBe(true);
});
