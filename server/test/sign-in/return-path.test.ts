/** Where a signed-in browser is sent: nowhere but into this site. */
import { describe, expect, test } from 'vitest';
import { safeReturnPath } from '../../src/sign-in/cookies.ts';

describe('a place to return to', () => {
  test.each(['/', '/kessv2?groupCode=G-1', '/a/b/?c=%2F%2Fd#e', '/Größe'])('may be %j', (place) => {
    expect(safeReturnPath(place)).toBe(place);
  });

  test.each([
    undefined,
    '',
    'kessv2',
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '/..//evil.test',
    '/.//evil.test',
    '/a//evil.test',
    '/a?b=//evil.test',
    '/a\\evil.test',
    '/\t/evil.test',
    '/\r\nset-cookie: a=b',
    `/${'x'.repeat(512)}`,
  ])('is the beginning instead of %j', (place) => {
    expect(safeReturnPath(place)).toBe('/');
  });
});
