/** The accounts under which engine processes run. */
import { expect, test } from 'vitest';
import {
  chooseAccount,
  noIsolation,
  releaseAccount,
} from '../../../src/engine/built-in/isolation.ts';
import type { EngineAccount } from '../../../src/engine/built-in/sandbox-command.ts';

const isolation = { ...noIsolation, hasOwnAccount: true };

test('no two engines of this process share an account', async () => {
  const accounts: (EngineAccount | null)[] = [];
  for (let count = 0; count < 500; count += 1) accounts.push(await chooseAccount(isolation));
  expect(new Set(accounts.map((account) => account?.uid)).size).toBe(500);
  for (const account of accounts) releaseAccount(account);
});

test('an account is free again after its engine has ended', async () => {
  for (let count = 0; count < 10_000; count += 1) releaseAccount(await chooseAccount(isolation));
  expect(await chooseAccount(noIsolation)).toBeNull();
});
