/** What a search field shows while the address changes later than the text. */
import { expect, test } from 'vitest';
import {
  markPassed,
  settle,
  textOf,
  type Typed,
  typeInto,
} from '../../src/ui/fields/typed-text.ts';

/** A user has typed `golf` in an empty field; `g` and `go` were passed on. */
const typing = ['g', 'go', 'golf'].reduce<Typed | null>(
  (typed, text) => typeInto(markPassed(typed), '', text),
  null,
);

test('keeps what is typed while the address follows, in any order, even if it skips a text', () => {
  for (const shown of ['', 'g', 'go', '', 'go']) {
    expect(textOf(typing, shown)).toBe('golf');
    expect(settle(typing, shown)).toBe(typing);
  }
  expect(textOf(typeInto(typing, 'g', 'golf 7'), 'go')).toBe('golf 7');
});

test('shows a different text from the address, such as after Back', () => {
  expect(textOf(typing, 'polo')).toBe('polo');
  expect(settle(typing, 'polo')).toBeNull();
  expect(textOf(typeInto(typing, 'polo', 'polos'), 'go')).toBe('go');
});

test('once the address contains what was typed, Back to an earlier text shows it', () => {
  const arrived = settle(markPassed(typing), 'golf');
  expect(arrived).toBeNull();
  expect(textOf(arrived, 'g')).toBe('g');
});
