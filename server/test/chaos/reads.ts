/** The reads that the chaos test decodes and encodes: each family's own calls, with images that a seed reproduces. */
import { generateImage } from '@recodery/codec/sample-images/images';
import { findProtocol } from '@recodery/codec/protocols/protocols';
import type { Protocol } from '@recodery/codec/protocols/shape';
import { type DeviceComponent, type Slave, sealRead } from '@recodery/codec/simulator/slave';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { ContainerFamily } from '@recodery/contract/families/registry';
import type { Random } from './random.ts';

/** A read, and how it is modified. */
export interface Read {
  readonly family: ContainerFamily;
  readonly mode: Mode;
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

/** Chooses a read at random. */
export function drawRead(random: Random): Read {
  const [family, mode] = random.pick<readonly [ContainerFamily, Mode]>([
    ['kessv2', 'obd'],
    ['ktag', 'bootbench'],
    ['kess3', 'obd'],
    ['kess3', 'bootbench'],
  ]);
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

type Result = Readonly<Record<string, unknown>>;

/** Where the result of a decode has its images. */
export function findDecoded(
  { family, mode }: Read,
  result: Result,
): readonly (readonly [ComponentName, string])[] {
  if (mode === 'obd') {
    return [['obd', String(result[family === 'kess3' ? 'obdDecodedFileURL' : 'decodedFileURL'])]];
  }
  const listed = result[family === 'kess3' ? 'bootBenchComponents' : 'components'];
  return (listed as { type: string; decodedFileURL: string }[]).map(({ type, decodedFileURL }) => [
    type.toLowerCase() as ComponentName,
    decodedFileURL,
  ]);
}

const componentTypes: Readonly<Partial<Record<ComponentName, string>>> = {
  flash: 'Flash',
  micro: 'Micro',
  eeprom: 'EEPROM',
};

/** Where a modified image is uploaded: path, field, and the field of the encode that names it. */
export function imageCallOf({ family, mode }: Read, slot: string, component: ComponentName) {
  const type = componentTypes[component] ?? component;
  const guidField = mode === 'obd' ? 'modifiedFileGUID' : `${type}FileGUID`;
  if (family === 'kessv2') {
    const path = `/api/kessv2/upload-modified-file/${slot}`;
    return { path, field: 'modifiedFile', guidField };
  }
  const path =
    family === 'ktag'
      ? `/api/ktag/upload-modified-component-file/${slot}/${component}`
      : `/api/kess3/upload-modified-file/${slot}/${mode === 'obd' ? 'mod' : type}`;
  return { path, field: 'file', guidField };
}

/** The call that encodes, with its body. */
export function encodeCallOf({ family, mode }: Read, slot: string) {
  if (family === 'kessv2')
    return { path: '/api/kessv2/encode-file', body: { kessv2FileSlotGUID: slot } };
  if (family === 'ktag')
    return { path: '/api/ktag/encode-backup', body: { ktagFileSlotGUID: slot } };
  const call = mode === 'obd' ? 'encode-obd-file' : 'encode-boot-bench-file';
  return { path: `/api/kess3/${call}`, body: { kess3FileSlotGUID: slot } };
}
