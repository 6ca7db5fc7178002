/** Where a signed-in browser is redirected: only within this site. */
import { describe, expect, test } from 'vitest';
import { safeReturnPath } from '../../src/sign-in/cookies.ts';

describe('a return path', () => {
  test.each(['/', '/kessv2?groupCode=G-1', '/a/b/?c=%2F%2Fd#e', '/Größe'])('can be %j', (place) => {
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
  ])('is the home page instead of %j', (place) => {
    expect(safeReturnPath(place)).toBe('/');
  });
});
