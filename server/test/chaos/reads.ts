/** The reads that the chaos test decodes and encodes, of each family and mode, with images that a seed reproduces. */
import { generateImage } from '@recodery/codec/sample-images/images';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import type { Protocol } from '@recodery/codec/protocols/shape';
import { type DeviceComponent, type Slave, sealRead } from '@recodery/codec/simulator/slave';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import { containerFamilies, definitionOf } from '@recodery/contract/families/registry';
import type { FamilyMode } from '../fixtures/family-calls.ts';
import type { Random } from './random.ts';

/** A read, and how it is modified. */
export interface Read extends FamilyMode {
  readonly images: readonly DeviceComponent[];
  /** The images that the slave must finally write. */
  readonly tuned: readonly DeviceComponent[];
  /** The components of which a modified image is uploaded; the others come from the read. */
  readonly modified: readonly ComponentName[];
}

const protocol = requireProtocol(9000);

function requireProtocol(id: number): Protocol {
  const found = findProtocol(id);
  if (found === null) throw new Error(`there is no protocol ${id}`);
  return found;
}

const kib = 1024;

function sizesOf(mode: Mode, random: Random): readonly (readonly [ComponentName, number])[] {
  // large enough for a kill to find the operation running
  const size = random.pick([256 * kib, 1024 * kib, 2048 * kib]);
  if (mode === 'obd') return [['obd', size]];
  return [
    ['flash', size],
    ['micro', 16 * kib],
    ['eeprom', kib],
  ];
}

const kinds = containerFamilies.flatMap((family): FamilyMode[] =>
  (Object.keys(definitionOf(family).modes) as Mode[]).map((mode) => ({ family, mode })),
);

/** Chooses a read at random. */
export function drawRead(random: Random): Read {
  const { family, mode } = random.pick(kinds);
  const images = sizesOf(mode, random).map(([name, size]) => ({
    name,
    bytes: generateImage(protocol, name, random.below(2 ** 31), size),
  }));
  const modified = images.map(({ name }) => name).filter((_, at) => at === 0 || random.below(2));
  const tuned = images.map(({ name, bytes }) => ({
    name,
    bytes: modified.includes(name) ? tune(bytes, random) : bytes,
  }));
  return { family, mode, images, tuned, modified };
}

function tune(image: Uint8Array, random: Random): Uint8Array {
  const tuned = Uint8Array.from(image);
  tuned.set(random.bytes(64), random.below(image.length - 64));
  return tuned;
}

/** The file in which the slave seals a read. */
export function sealFor(slave: Slave, { mode, images }: Read, random: Random): Uint8Array {
  return sealRead({
    ...slave,
    protocolId: protocol.id,
    mode,
    components: images,
    information: { vin: 'ZAR93900001234567', hardware: 'HW-1', software: 'SW-1' },
    identificationOnly: false,
    readId: random.bytes(16),
    fileSalt: random.bytes(32),
  });
}
