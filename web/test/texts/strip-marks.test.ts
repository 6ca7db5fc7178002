/** Where the change strip shows its marks. */
import { expect, test } from 'vitest';
import { stripMarks } from '../../src/ui/display/strip-marks.ts';

test('a single byte in four mebibytes is still visible', () => {
  expect(stripMarks([{ offset: 2_097_152, length: 1 }], 4_194_304, 1000)).toEqual([
    { x: 500, width: 3 },
  ]);
});

test('a change of the last byte stays inside the strip', () => {
  const [mark] = stripMarks([{ offset: 4_194_303, length: 1 }], 4_194_304, 1000);
  expect(mark).toEqual({ x: 997, width: 3 });
});

test('adjacent marks are merged, in any order', () => {
  const spans = [
    { offset: 101, length: 50 },
    { offset: 50, length: 50 },
    { offset: 900, length: 100 },
  ];
  expect(stripMarks(spans, 1000, 1000)).toEqual([
    { x: 50, width: 50 },
    { x: 101, width: 50 },
    { x: 900, width: 100 },
  ]);
  expect(stripMarks([...spans, { offset: 99, length: 2 }], 1000, 1000)).toHaveLength(2);
});

test('an empty image has no marks', () => {
  expect(stripMarks([{ offset: 0, length: 1 }], 0, 1000)).toEqual([]);
});
