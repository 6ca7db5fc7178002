/** Reads of generated images, and what becomes of them: what the tests of the checks are written in. */

import type { ComponentName, Family, Mode } from '@recodery/contract/families';
import type { EncodeInput, Encoded } from '../src/families/codec.ts';
import { getCodec } from '../src/families/registry.ts';
import type { DeviceComponent, ReadToSeal } from '../src/device/device.ts';
import { CodecError, errorNameOf, type InternalCode } from '../src/errors.ts';
import { generateImage, tuneImage } from '../src/images/images.ts';
import { findProtocol } from '../src/protocols/protocols.ts';
import type { Protocol } from '../src/protocols/shape.ts';
import { otherSalt, sealedRead, slaveOf } from './slaves.ts';

function protocolOf(id: number): Protocol {
  const protocol = findProtocol(id);
  if (protocol === null) {
    throw new Error(`protocol ${id} is not here`);
  }
  return protocol;
}

const made = new Map<string, Uint8Array>();

/** A generated image; the same one for the same seed. */
export function imageOf(id: number, name: ComponentName, seed = 1): Uint8Array {
  const key = `${id} ${name} ${seed}`;
  const image = made.get(key) ?? generateImage(protocolOf(id), name, seed);
  made.set(key, image);
  return image;
}

export function tuneOf(id: number, name: ComponentName): Uint8Array {
  return tuneImage(protocolOf(id), name, imageOf(id, name), 2);
}

export interface Read {
  family: Family;
  protocolId: number;
  mode: Mode;
  utility?: boolean;
}

export function partsOf({ protocolId }: Read, names: readonly ComponentName[]): DeviceComponent[] {
  return names.map((name) => ({ name, bytes: imageOf(protocolId, name) }));
}

export function seal(
  read: Read,
  components: readonly DeviceComponent[],
  otherwise: Partial<ReadToSeal> = {},
): Uint8Array {
  return sealedRead(read.family, components, {
    protocolId: read.protocolId,
    mode: read.mode,
    utility: read.utility === true,
    information: {},
    ...otherwise,
  });
}

export function decode(
  read: Read,
  file: Uint8Array,
  skipChecksum = false,
): ReturnType<ReturnType<typeof getCodec>['decode']> {
  const { pairKey } = slaveOf(read.family);
  return getCodec(read.family).decode({
    file,
    pairKey,
    utility: read.utility === true,
    skipChecksum,
  });
}

export function encode(read: Read, file: Uint8Array, otherwise: Partial<EncodeInput>): Encoded {
  return getCodec(read.family).encode({
    file,
    pairKey: slaveOf(read.family).pairKey,
    utility: read.utility === true,
    modified: [],
    original: null,
    removed: [],
    willCorrectCVN: false,
    willSkipChecksum: false,
    fileSalt: otherSalt,
    number: 1,
    ...otherwise,
  });
}

export function faultOf(run: () => unknown): CodecError {
  try {
    run();
  } catch (error) {
    if (error instanceof CodecError) {
      return error;
    }
    throw error;
  }
  throw new Error('nothing was refused');
}

/** The internal code that a file is refused with, or `OK`. An error of another kind fails the test. */
export function codeOf(run: () => unknown): InternalCode | 'OK' {
  try {
    run();
    return 'OK';
  } catch (error) {
    if (error instanceof CodecError) return error.internalCode;
    throw error;
  }
}

/** The fault as code and name, as the page of this read shows it. */
export function shown(
  read: Read,
  run: () => unknown,
  component: ComponentName | null = null,
): [string, string] {
  const { internalCode } = faultOf(run);
  const place = { family: read.family, mode: read.mode, utility: read.utility === true, component };
  return [internalCode, errorNameOf(internalCode, place)];
}

export const kessv2: Read = { family: 'kessv2', protocolId: 1001, mode: 'obd' };
export const kess3: Read = { family: 'kess3', protocolId: 1001, mode: 'obd' };
export const ktag: Read = { family: 'ktag', protocolId: 2001, mode: 'bootbench' };
export const bench: Read = { family: 'kess3', protocolId: 3001, mode: 'bootbench' };
export const packed: Read = { ...bench, utility: true };
export const ktagParts = ['flash', 'micro', 'eeprom'] as const;
export const benchParts = ['flash', 'micro', 'eeprom', 'mapfile'] as const;
