/** The link in an email. */
import { expect, test } from 'vitest';
import { writeShareLink } from '../../src/email/link-token.ts';

test.each([
  ['a letter', 'B-x_Q', 'B-x_Q'],
  ['an underscore', 'B-x_', 'B-x_'],
  ['a hyphen', 'B-x-', 'B-x%2D'],
])(
  'a link whose token ends in %s ends in a character that email programs keep',
  (_, token, end) => {
    expect(writeShareLink('https://portal.example', token)).toBe(`https://portal.example/r/${end}`);
  },
);
