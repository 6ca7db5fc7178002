/** The maps of a calibration area: where each is, what it looks like, and how a tune changes it. */

import type { Range } from '../checksum/scheme.ts';
import { mixSeeds, type Random, seededRandom } from './random.ts';

/** A map: its two axes (16 bits, ascending), followed by its values, row by row, little-endian. */
export interface CalibrationMap {
  readonly name: string;
  /** Offset of the axes: first the columns', then the rows'. */
  readonly axesAt: number;
  readonly columns: number;
  readonly rows: number;
  /** Bytes per value. */
  readonly unit: 1 | 2;
  /** Offset of the first value. */
  readonly valuesAt: number;
}

const shapes = [
  [16, 16],
  [12, 10],
  [8, 8],
  [20, 16],
  [16, 1],
  [10, 12],
  [24, 20],
] as const;

const kinds = ['TORQUE', 'BOOST', 'RAIL', 'SPARK', 'LAMBDA', 'LIMIT', 'IDLE', 'EGT'] as const;

/** The maps of an area. They depend only on its position, so that a tune finds them again. */
export function mapsOf(area: Range): readonly CalibrationMap[] {
  const random = seededRandom(mixSeeds(area.at, area.length));
  const maps: CalibrationMap[] = [];
  let at = area.at;
  for (;;) {
    const [columns, rows] = random.pick(shapes);
    const unit = random.below(4) === 0 ? 1 : 2;
    const valuesAt = at + 2 * (columns + rows);
    const end = valuesAt + columns * rows * unit;
    if (end > area.at + area.length) {
      return maps;
    }
    const name = `${random.pick(kinds)}-${String(maps.length).padStart(3, '0')}`;
    maps.push({ name, axesAt: at, columns, rows, unit, valuesAt });
    // Tables of real calibrations are at even addresses with a few unused bytes between them.
    at = end + (end & 1) + 2 * random.below(8);
  }
}

/** Writes an axis of `count` ascending steps. */
function paintAxis(view: DataView, at: number, count: number, random: Random): void {
  const step = random.pick([10, 20, 25, 50, 100, 200, 250, 400]);
  let value = step * random.below(8);
  for (let index = 0; index < count; index += 1) {
    view.setUint16(at + 2 * index, Math.min(value, 0xffff), true);
    value += step * (1 + random.below(3));
  }
}

/** Generates a map: ascending axes and a smooth surface over them, a slope in both directions and one hill. */
export function paintMap(view: DataView, map: CalibrationMap, random: Random): void {
  const { axesAt, columns, rows, unit } = map;
  paintAxis(view, axesAt, columns, random);
  paintAxis(view, axesAt + 2 * columns, rows, random);
  const most = unit === 1 ? 0xa0 : random.pick([1000, 2500, 5000, 12000]);
  // Calibration engineers enter physical values, so raw values come in steps.
  const step = unit === 1 ? 1 : random.pick([10, 16, 20, 25]);
  const base = random.between(0.05, 0.3);
  const slopes = [random.between(0, 0.3), random.between(0, 0.3)] as const;
  const hill = [
    random.between(0.2, 0.8),
    random.between(0.2, 0.8),
    random.between(-0.2, 0.2),
  ] as const;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const x = column / columns;
      const y = rows === 1 ? 0.5 : row / rows;
      const distance = (x - hill[0]) ** 2 + (y - hill[1]) ** 2;
      const height = base + slopes[0] * x + slopes[1] * y + hill[2] * Math.exp(-6 * distance);
      writeValue(view, map, row * columns + column, step * Math.round((most * height) / step));
    }
  }
}

function writeValue(
  view: DataView,
  { unit, valuesAt }: CalibrationMap,
  index: number,
  value: number,
): void {
  const held = Math.min(Math.max(value, 0), unit === 1 ? 0xff : 0xffff);
  if (unit === 1) {
    view.setUint8(valuesAt + index, held);
  } else {
    view.setUint16(valuesAt + 2 * index, held, true);
  }
}

/** Tunes a map as a workshop would: raises a rectangle of it, toward its far corner, by a few percent. */
export function tuneMap(view: DataView, map: CalibrationMap, random: Random): void {
  const { columns, rows, unit, valuesAt } = map;
  const factor = 1 + random.between(0.02, 0.09);
  const left = random.below(Math.ceil(columns / 2));
  const top = random.below(Math.ceil(rows / 2));
  for (let row = top; row < rows; row += 1) {
    for (let column = left; column < columns; column += 1) {
      const index = row * columns + column;
      const value =
        unit === 1 ? view.getUint8(valuesAt + index) : view.getUint16(valuesAt + 2 * index, true);
      writeValue(view, map, index, Math.round(value * factor) + 1);
    }
  }
}
