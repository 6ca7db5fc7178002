/** Texts of the log that no spreadsheet takes for a formula. */
import { describe, expect, test } from 'vitest';
import { disarm } from '../../src/operations-log/log-rules.ts';

describe('a text', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+49 170', "'+49 170"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['＠x', "'＠x"],
    // what a spreadsheet skips before it looks
    ['  =1', "'  =1"],
    ['\t=1', "' =1"],
    ['\r\n=1', "' =1"],
    ['\u00a0=1', "'\u00a0=1"],
    // where another country's spreadsheet divides
    ['a;=1', "a;'=1"],
    ['a,@x', "a,'@x"],
    ['a"=1', `a"'=1`],
    ['a\t=1', 'a =1'],
    ['a| -1', "a|' -1"],
  ])('%j becomes %j', (text, safe) => {
    expect(disarm(text)).toBe(safe);
  });

  test.each([
    '',
    'Rossi',
    'golf-2.0_TDI.bin',
    'a=b',
    'anna@demo.test',
    '2026-11-21T09:00:00.000Z',
    "'quoted'",
    'c+p',
    '-',
  ])('%j %#', (text) => {
    const isSign = text === '-';
    expect(disarm(text)).toBe(isSign ? "'-" : text);
  });
});
