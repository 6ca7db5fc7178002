/** What a search field shows while the address changes later than the text. */
import { expect, test } from 'vitest';
import { type Typed, typedAfter } from '../../src/features/jobs/typed-text.ts';

/** The user has typed `golf`; `g` and `go` were passed on. */
const typing: Typed = { text: 'golf', shown: '', passed: ['g', 'go'] };

test('keeps what is typed while the address follows, even if it skips a text', () => {
  expect(typedAfter(typing, '')).toBe(typing);
  const first = typedAfter(typing, 'g');
  expect(first).toEqual({ text: 'golf', shown: 'g', passed: ['go'] });
  expect(typedAfter(first, 'go')).toEqual({ text: 'golf', shown: 'go', passed: [] });
  expect(typedAfter(typing, 'go')).toEqual({ text: 'golf', shown: 'go', passed: [] });
});

test('shows another text of the address, such as after Back', () => {
  const arrived = typedAfter(typing, 'go');
  expect(typedAfter(arrived, 'polo')).toEqual({ text: 'polo', shown: 'polo', passed: [] });
  expect(typedAfter(arrived, '').text).toBe('');
});
