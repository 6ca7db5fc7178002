/** The limits of JSON from strangers. */
import { describe, expect, test } from 'vitest';
import { followJson, parseBoundedJson } from '../../src/config/bounded-json.ts';

const limits = { nesting: 3, values: 6 };

/** Whether a text is within the limits, in pieces of each size. */
function judge(text: string): boolean {
  const bytes = Buffer.from(text);
  const judgments = [1, 2, 3, bytes.length].map((size) => {
    const json = followJson(limits);
    for (let at = 0; at < bytes.length; at += size)
      if (!json.isWithin(bytes.subarray(at, at + size))) return false;
    return true;
  });
  expect(new Set(judgments).size).toBe(1);
  return judgments[0] ?? false;
}

describe('a JSON text', () => {
  test.each([
    ['{"a":[[1,2]]}', true],
    ['[[[[1]]]]', false],
    ['[[],[1]]', true],
    ['[[],[],[],[]]', false],
    ['["[[[[[[,,,,,,"]', true],
    [String.raw`["\"[[[[[[[", "\\", "[[[[[[["]`, true],
    [String.raw`["\\", [[[[1]]]]]`, false],
    ['"never ends [[[[[[[', true],
  ])('%s: within the limits is %s', (text, isWithin) => {
    expect(judge(text)).toBe(isWithin);
  });

  test('beyond the limits is not parsed', () => {
    expect(parseBoundedJson(Buffer.from('[[[1]]]'), limits)).toEqual([[[1]]]);
    expect(parseBoundedJson(Buffer.from('['.repeat(10 ** 6)), limits)).toBe(undefined);
    expect(parseBoundedJson(Buffer.from('[1,'), limits)).toBe(undefined);
  });
});
