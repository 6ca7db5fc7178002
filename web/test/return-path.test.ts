/** After sign-in, the browser goes only to a path of this site. */
import { expect, test } from 'vitest';
import { safePath } from '../src/app/sign-in/return-path.ts';

// promise 2.routes.loggedin-goes-back
test.each([
  ['/kessv2', '/kessv2'],
  ['/kess3?mode=utility', '/kess3?mode=utility'],
  ['/', '/'],
])('%s is kept', (path, expected) => {
  expect(safePath(path)).toBe(expected);
});

// promise 2.routes.loggedin-goes-back
test.each([
  null,
  '',
  'kessv2',
  '//evil.test',
  '/\\evil.test',
  '\\/evil.test',
  '/\t/evil.test',
  '/\n//evil.test',
  'https://evil.test/',
  'javascript:alert(1)',
  '/login?from=/login',
  '/loggedin',
])('%j leads to the home page', (path) => {
  expect(safePath(path)).toBe('/');
});
