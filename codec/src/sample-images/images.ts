/** Seeded, realistic images of every protocol's components, and plausible tunes of them; no real vehicle's data. */

import type { ComponentName } from '@recodery/contract/families/family';
import { viewOf } from '../container/bytes.ts';
import { type CalibrationMap, mapsOf, paintMap, tuneMap } from './calibration-maps.ts';
import { correctChecksums } from '../checksum/checksum.ts';
import { numberBytes, bytesOf, parseHex } from '../checksum/numbers.ts';
import { overlap } from '../checksum/ranges.ts';
import type { Range } from '../checksum/scheme.ts';
import { writeMapFile } from '../protocols/map-file.ts';
import type { Area, ComponentSpec, IdentFieldName, Protocol } from '../protocols/shape.ts';
import { findComponent, isSizeAllowed } from '../protocols/protocols.ts';
import { mixSeeds, type Random, seededRandom } from './random.ts';

/** Generates an area; `random` is derived from protocol, area and seed. */
type Painter = (image: Uint8Array, area: Range, random: Random, protocol: Protocol) => void;

/*
 * Bytes with the statistics of machine code: a Zipf-Mandelbrot law (6.9 to 7.1 bits of entropy, as measured in real
 * engine controllers' firmware), and recurring idioms (prologues, register saves).
 */
const zipfShift = 4.6;

/** Bytes with the frequencies of machine code, indexed by 12 random bits. */
function codeBytes(random: Random): Uint8Array {
  const order = Uint8Array.from({ length: 256 }, (_, index) => index);
  // Small numbers are more common than large ones: bytes are swapped only with nearby values.
  for (let index = 255; index > 2; index -= 1) {
    const other = index - random.below(Math.min(index - 1, 64));
    const kept = order[index] ?? 0;
    order[index] = order[other] ?? 0;
    order[other] = kept;
  }
  // In every instruction set 00 is the most common byte, and FF is not rare.
  [order[1], order[255]] = [0xff, order[1] ?? 1];
  const weights = Array.from(order, (_, rank) => 1 / (rank + zipfShift));
  const total = weights.reduce((all, weight) => all + weight, 0);
  const drawn = new Uint8Array(4096);
  let reached = 0;
  let rank = 0;
  for (let index = 0; index < drawn.length; index += 1) {
    while (rank < 255 && reached + (weights[rank] ?? 0) / total < (index + 0.5) / drawn.length) {
      reached += (weights[rank] ?? 0) / total;
      rank += 1;
    }
    drawn[index] = order[rank] ?? 0;
  }
  return drawn;
}

const paintCode: Painter = (image, { at, length }, random, protocol) => {
  // One processor runs all code of a protocol, so its areas share their statistics.
  const drawn = codeBytes(seededRandom(protocol.id));
  const idioms = Uint8Array.from({ length: 4096 }, () => drawn[random.below(4096)] ?? 0);
  const end = at + length;
  for (let place = at; place < end; ) {
    const bits = random.next();
    if ((bits & 3) === 0) {
      const from = ((bits >>> 4) & 0xff) * 16;
      const size = Math.min(4 + ((bits >>> 12) & 7), end - place);
      image.set(idioms.subarray(from, from + size), place);
      place += size;
    } else {
      image[place] = drawn[(bits >>> 4) & 0xfff] ?? 0;
      if (place + 1 < end) {
        image[place + 1] = drawn[bits >>> 20] ?? 0;
      }
      place += 2;
    }
  }
};

/** Reset and interrupt vectors: a few dozen handlers, most entries the default one. */
const paintVectors: Painter = (image, { at, length }, random) => {
  const view = viewOf(image);
  const base = 0x80000000 + at + length;
  const standard = base + 4 * random.below(64);
  for (let place = at; place + 4 <= at + length; place += 4) {
    const handler = random.below(3) === 0 ? base + 4 * random.below(2048) : standard;
    view.setUint32(place, handler, true);
  }
};

const words = [
  'ENGINE',
  'SPEED',
  'TORQUE',
  'REQ',
  'LIM',
  'TEMP',
  'RAIL',
  'DIAG',
  'CAN',
  'BUS',
] as const;

/** Constants of a program: names, tables of coefficients, runs of zero. */
const paintConstants: Painter = (image, { at, length }, random) => {
  const end = at + length;
  for (let place = at; place < end; ) {
    const kind = random.below(4);
    const size = Math.min(kind === 0 ? 16 : 32 + 16 * random.below(8), end - place);
    for (let index = 0; index < size; index += 1) {
      image[place + index] = kind === 3 ? 0 : Math.round(127 + 120 * Math.sin(index / (kind + 2)));
    }
    if (kind === 0) {
      const text = `${random.pick(words)}_${random.pick(words)}`.slice(0, size);
      new TextEncoder().encodeInto(text, image.subarray(place, place + size).fill(0));
    }
    place += size;
  }
};

const paintCalibration: Painter = (image, area, random) => {
  image.fill(0, area.at, area.at + area.length);
  const view = viewOf(image);
  for (const map of mapsOf(area)) {
    paintMap(view, map, random);
  }
};

/** The contents of an EEPROM: counters, learned values, stored fault codes; much of it still empty. */
const paintCounters: Painter = (image, { at, length }, random) => {
  const end = at + length;
  for (let place = at; place < end; place += 16) {
    const line = image.subarray(place, Math.min(place + 16, end));
    if (random.below(3) === 0) {
      line.fill(random.below(2) === 0 ? 0 : 0xff);
    } else {
      const level = random.below(200);
      line.forEach((_, index) => {
        line[index] = index < 12 ? level + random.below(40) : 0;
      });
    }
  }
};

const painters: Readonly<Record<Area['kind'], Painter>> = {
  vectors: paintVectors,
  code: paintCode,
  constants: paintConstants,
  calibration: paintCalibration,
  counters: paintCounters,
};

/** The layout of an image whose protocol does not specify one: code, a calibration, and a third erased. */
function usualAreas(size: number): readonly Area[] {
  const line = (part: number): number => Math.floor((size * part) / 64) * 4;
  const areas: Area[] = [
    { name: 'vectors', kind: 'vectors', at: 0, length: line(0.125) },
    { name: 'program', kind: 'code', at: line(0.125), length: line(9) - line(0.125) },
    { name: 'calibration', kind: 'calibration', at: line(9), length: line(10.75) - line(9) },
  ];
  return areas.filter(({ length }) => length > 0);
}

function areasOf(component: ComponentSpec, size: number): readonly Area[] {
  return component.areas ?? usualAreas(size);
}

const digitsOf = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.below(10)).join('');

/** The identification of every image of a protocol with this seed. */
function identOf(
  protocol: Protocol,
  hardware: string,
  seed: number,
): Readonly<Record<IdentFieldName, string>> {
  const random = seededRandom(mixSeeds(protocol.id, seed, 1));
  const month = String(1 + random.below(12)).padStart(2, '0');
  const day = String(1 + random.below(28)).padStart(2, '0');
  return {
    hardware,
    hardwareVersion: `H${digitsOf(random, 2)}`,
    software: `REF-SW-${digitsOf(random, 6)}`,
    softwareVersion: `V${random.below(9)}.${digitsOf(random, 2)}`,
    softwareUpgrade: `REF-UP-${digitsOf(random, 5)}`,
    softwareDate: `20${10 + random.below(15)}${month}${day}`,
    spare: `REF-SP-${digitsOf(random, 6)}`,
    system: `REFERENCE ${random.pick(['INJECTION', 'IGNITION', 'HYBRID'])}`,
    engine: `R${random.below(6) + 1}.${random.below(10)} ${random.pick(['TURBO', 'ATMO'])}`,
    vin: `REFERENCE${digitsOf(random, 8)}`,
    serialNumber: `REF${digitsOf(random, 9)}`,
  };
}

function writeText(image: Uint8Array, { at, length }: Range, text: string): void {
  const field = image.subarray(at, at + length).fill(0x20);
  new TextEncoder().encodeInto(text, field);
}

function paintIdent(
  image: Uint8Array,
  protocol: Protocol,
  component: ComponentSpec,
  seed: number,
): void {
  const layout = component.ident;
  if (layout === undefined) {
    return;
  }
  const { marker, fields, ecus } = layout;
  const ecu = ecus[mixSeeds(protocol.id, seed) % ecus.length];
  const ident = identOf(protocol, ecu?.hardware ?? '', seed);
  writeText(image, { at: marker.at, length: marker.text.length }, marker.text);
  for (const field of fields) {
    writeText(image, field, ident[field.name]);
  }
}

function paintFixedNumbers(image: Uint8Array, component: ComponentSpec): void {
  for (const { at, type, values } of component.fixedNumbers ?? []) {
    values.forEach((value, index) => {
      image.set(numberBytes(parseHex(value), type), at + index * bytesOf(type));
    });
  }
}

function componentOf(protocol: Protocol, name: ComponentName): ComponentSpec {
  const component = findComponent(protocol, name);
  if (component === null) {
    throw new RangeError(`${protocol.name} has no component ${name}`);
  }
  return component;
}

/** The first size of a list; for a range, 512 KiB or the nearest allowed size. */
function usualSize({ sizes }: ComponentSpec): number {
  return 'min' in sizes ? Math.min(Math.max(0x80000, sizes.min), sizes.max) : (sizes[0] ?? 0);
}

/** A maps file that lists the maps of its image. */
function generateMapFile(protocol: Protocol, target: ComponentName): Uint8Array {
  const image = componentOf(protocol, target);
  const maps = calibrationMaps(image, usualSize(image)).slice(0, 64);
  const listed = maps.map(({ valuesAt, ...map }) => ({ ...map, address: valuesAt }));
  return writeMapFile(listed, usualSize(image));
}

function calibrationMaps(component: ComponentSpec, size: number): readonly CalibrationMap[] {
  return areasOf(component, size)
    .filter(({ kind }) => kind === 'calibration')
    .flatMap(mapsOf);
}

/**
 * A realistic image of a protocol's component: vectors, code, a calibration with maps, an identification, erased rest;
 * its checksums are right. The same arguments give the same bytes. `size` in bytes, for components of several sizes.
 * Throws RangeError if the protocol has no such component or size.
 */
export function generateImage(
  protocol: Protocol,
  name: ComponentName,
  seed: number,
  size?: number,
): Uint8Array {
  const component = componentOf(protocol, name);
  if (component.format) {
    return generateMapFile(protocol, component.format.appliesTo);
  }
  const bytes = size ?? usualSize(component);
  if (!isSizeAllowed(component.sizes, bytes)) {
    throw new RangeError(`${protocol.name} ${name} has no size of ${bytes} bytes`);
  }
  const image = new Uint8Array(bytes).fill(0xff);
  areasOf(component, bytes).forEach((area, index) => {
    const seeds = area.isFixed ? [protocol.id, index] : [protocol.id, index, seed, bytes];
    painters[area.kind](image, area, seededRandom(mixSeeds(...seeds)), protocol);
  });
  paintIdent(image, protocol, component, seed);
  paintFixedNumbers(image, component);
  const page = component.redundantPage;
  if (page) {
    image.copyWithin(page.at + page.length, page.at, page.at + page.length);
  }
  // Rules that need an original use the untouched image itself.
  return component.checksums ? correctChecksums(component.checksums, image, image).image : image;
}

/** Places that a tune does not change: protected ranges, the ident, and the checksums' own bytes. */
function isTunable(component: ComponentSpec, range: Range): boolean {
  const { ident, cvn, protectedRanges = [], checksums = [] } = component;
  const kept: Range[] = [...protectedRanges, ...(ident?.fields ?? [])];
  if (cvn) {
    kept.push({ at: cvn.compensationAt, length: 4 });
  }
  for (const { result } of checksums) {
    if (result.kind === 'target') {
      kept.push(result.free);
    }
  }
  return !kept.some((place) => overlap(place, range));
}

/** Changes a few short runs of bytes that are neither erased nor protected. */
function tuneRuns(component: ComponentSpec, image: Uint8Array, random: Random): void {
  const areas = areasOf(component, image.length).filter((area) => isTunable(component, area));
  const runs = 2 + random.below(4);
  for (let run = 0; run < runs; run += 1) {
    const area = areas[random.below(areas.length)] ?? { at: 0, length: image.length };
    const length = Math.min(4 + random.below(28), area.length);
    const at = area.at + random.below(area.length - length + 1);
    for (let place = at; place < at + length; place += 1) {
      image[place] = (image[place] ?? 0) + 1 + random.below(8);
    }
  }
}

/**
 * A plausible tune of an image: raises some maps of its calibration by a few percent, or, if it has none, changes a few
 * short runs of bytes. Identification and checksum fields stay the same, so the checksums are no longer right. A new
 * array.
 */
export function tuneImage(
  protocol: Protocol,
  name: ComponentName,
  image: Uint8Array,
  seed: number,
): Uint8Array {
  const component = componentOf(protocol, name);
  const random = seededRandom(mixSeeds(protocol.id, seed, 2));
  const tuned = new Uint8Array(image);
  const maps = calibrationMaps(component, image.length).filter((map) =>
    isTunable(component, { at: map.valuesAt, length: map.columns * map.rows * map.unit }),
  );
  if (maps.length === 0) {
    tuneRuns(component, tuned, random);
    return tuned;
  }
  const view = viewOf(tuned);
  const count = Math.min(3 + random.below(6), maps.length);
  const first = random.below(maps.length);
  for (let index = 0; index < count; index += 1) {
    const map = maps[(first + index * 7) % maps.length];
    if (map) {
      tuneMap(view, map, random);
    }
  }
  return tuned;
}
