/** The geometry of the change map: its marks are visible, and not larger than the changes. */
import { expect, test } from 'vitest';
import {
  levelOf,
  type MapMark,
  mapUnits,
  marksIn,
  mostLevel,
} from '../../src/features/change-map/map-rules.ts';

const size = 0x80000;
const whole = { from: 0, to: size };
const columns = 650;

/** The overview of an image in which these bytes differ. */
function overviewOf(places: readonly number[], cellBytes = 256) {
  const cells = Array.from({ length: size / cellBytes }, () => 0);
  for (const place of places) {
    const cell = Math.floor(place / cellBytes);
    cells[cell] = (cells[cell] ?? 0) + 1;
  }
  return { overview: { cellBytes, cells } };
}

const regionAt = (offset: number, length = 1, bytes = length) => ({
  ...{ offset, length, bytes },
  kinds: [],
});

/** The painted share of the map. */
const painted = (marks: readonly MapMark[]): number =>
  marks.reduce((sum, { width, level }) => sum + (width / mapUnits) * (level / mostLevel), 0);

test('0.07 percent of an image in scattered bytes paints less than a sixth of the map', () => {
  const places = Array.from({ length: 367 }, (_, index) => index * 1428);
  expect(painted(marksIn(overviewOf(places), null, whole, columns))).toBeLessThan(1 / 6);
});

test('a single byte is a mark one column wide, wherever it is', () => {
  for (const place of [0, 1, 12_345, size / 2, size - 1]) {
    const [mark, ...others] = marksIn(overviewOf([]), [regionAt(place)], whole, columns);
    expect(others).toEqual([]);
    expect(mark?.level).toBe(1);
    expect(mark?.width).toBeCloseTo(mapUnits / columns);
    expect(mark?.x).toBeLessThanOrEqual(mapUnits - mapUnits / columns + 0.01);
  }
});

test('an image of which everything changed is one mark of full height', () => {
  const cells = Array.from({ length: 2048 }, () => 256);
  const [mark, ...others] = marksIn({ overview: { cellBytes: 256, cells } }, null, whole, columns);
  expect(others).toEqual([]);
  expect(mark).toMatchObject({ x: 0, level: mostLevel });
  expect(mark?.width).toBeCloseTo(mapUnits);
});

test('regions and overview paint the same changes in the same columns', () => {
  const places = [100, 5000, 5001, 5002, 300_000, size - 1];
  const regions = [regionAt(100), regionAt(5000, 3), regionAt(300_000), regionAt(size - 1)];
  const close = { from: 4096, to: 8192 };
  for (const shown of [whole, close]) {
    const fromCells = marksIn(overviewOf(places, 16), null, shown, 64);
    expect(marksIn(overviewOf([]), regions, shown, 64)).toEqual(fromCells);
  }
});

test('a region that begins before the window or ends after it is cut off', () => {
  const marks = marksIn(overviewOf([]), [regionAt(0, 200)], { from: 100, to: 356 }, 256);
  expect(marks).toHaveLength(1);
  expect(marks[0]).toMatchObject({ x: 0, level: mostLevel });
  expect(marks[0]?.width).toBeCloseTo((100 / 256) * mapUnits);
});

test('the level grows with the share of changed bytes, and is never zero', () => {
  expect([0.000_001, 0.01, 0.1, 0.5, 1].map(levelOf)).toEqual([1, 2, 3, 4, 4]);
});
