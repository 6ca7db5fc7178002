/** Reads of generated images and their results: the vocabulary of the tests of the checks. */

import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family, Workflow } from '@recodery/contract/families/registry';
import type { Decoded, EncodeInput, Encoded } from '../src/recoding/family-codec.ts';
import { errorNameOf, getCodec, labelRead } from '../src/families/registry.ts';
import type { DeviceComponent, ReadToSeal } from '../src/simulator/slave.ts';
import { CodecError, type InternalCode } from '../src/errors.ts';
import { generateImage, tuneImage } from '../src/sample-images/images.ts';
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
  workflow?: Workflow;
}

function workflowOf({ family, workflow }: Read): Workflow {
  return workflow ?? family;
}

/** What the page shows of this read. */
export function panelOf(read: Read, decoded: Decoded): Record<string, string | null> {
  const { id: protocolId, name: protocolName } = decoded.protocol;
  const unknown = { customerCode: null, groupCode: null };
  return labelRead(workflowOf(read), { ...decoded, ...unknown, protocolId, protocolName });
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
    ...(read.workflow && { workflow: read.workflow }),
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
  return getCodec(workflowOf(read)).decode({
    file,
    pairKey,
    skipChecksum,
  });
}

export function encode(read: Read, file: Uint8Array, otherwise: Partial<EncodeInput>): Encoded {
  return getCodec(workflowOf(read)).encode({
    file,
    pairKey: slaveOf(read.family).pairKey,
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

export function codecErrorOf(run: () => unknown): CodecError {
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

/** The internal code with which a file is refused, or `OK`. An error of another kind fails the test. */
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
  const { internalCode } = codecErrorOf(run);
  const place = { workflow: workflowOf(read), mode: read.mode, component };
  return [internalCode, errorNameOf(internalCode, place)];
}

export const kessv2: Read = { family: 'kessv2', protocolId: 1001, mode: 'obd' };
export const kess3: Read = { family: 'kess3', protocolId: 1001, mode: 'obd' };
export const ktag: Read = { family: 'ktag', protocolId: 2001, mode: 'bootbench' };
export const bench: Read = { family: 'kess3', protocolId: 3001, mode: 'bootbench' };
export const packed: Read = { ...bench, workflow: 'kess3-utility' };
export const ktagParts = ['flash', 'micro', 'eeprom'] as const;
export const benchParts = ['flash', 'micro', 'eeprom', 'mapfile'] as const;
