/** The small pages call routes of the contract without loading it: their addresses are those of the routes. */
import { pathOf } from '@recodery/contract/api';
import { checkReceipt } from '@recodery/contract/features/receipts';
import { validateSsoToken } from '@recodery/contract/features/session';
import { expect, test } from 'vitest';
import { trade } from '../src/app/sign-in/exchange-token.ts';
import { checkGiven } from '../src/app/check-receipt/check.ts';
import { serveBrowser } from './api/browser.ts';

const calls: string[] = [];
serveBrowser((request, response) => {
  calls.push(`${request.method} ${request.url}`);
  response.writeHead(500).end();
});

test('the sign-in exchanges its token at the route of the contract', async () => {
  calls.length = 0;
  await trade('token/1');
  const { verb } = validateSsoToken;
  expect(calls).toEqual([`${verb} ${pathOf(validateSsoToken, { token: 'token/1' })}`]);
});

test('the check of a receipt asks the route of the contract', async () => {
  calls.length = 0;
  const given = { file: null, receipt: null, code: '7K3M-9QXD-02HF-VT5B' };
  await checkGiven(given, { onProgress: () => undefined, signal: new AbortController().signal });
  expect(calls).toEqual([`${checkReceipt.verb} ${checkReceipt.path}`]);
});
