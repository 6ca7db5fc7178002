/** Input of requests: what is refused before a handler sees it. */
import { requestAccessToken } from '@recodery/contract/features/clients';
import { expect, test } from 'vitest';
import { readBody } from '../../src/http/read-input.ts';

test('a body with more members than a call can have arguments is refused as any other', () => {
  const body: unknown = JSON.parse(`[${'0,'.repeat(200_000)}0]`);
  expect(() => readBody(requestAccessToken, body)).toThrow('BAD_REQUEST');
});
