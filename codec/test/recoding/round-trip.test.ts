/**
 * The workflow as a property: the master decodes what a slave reads, and only that slave accepts what the master
 * encodes.
 */

import fc from 'fast-check';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import {
  containerFamilies,
  definitionOf,
  type Family,
  type Workflow,
  workflowsOf,
} from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import { derivePairKey } from '../../src/container/cipher.ts';
import { getCodec } from '../../src/families/registry.ts';
import { acceptEncoded, sealRead } from '../../src/simulator/slave.ts';
import type { DeviceComponent } from '../../src/simulator/slave.ts';
import { CodecError } from '../../src/errors.ts';
import { makeWorkspace } from '../../src/workspace.ts';
import { noise } from '../slaves.ts';

interface Place {
  family: Family;
  mode: Mode;
  workflow: Workflow;
  names: readonly ComponentName[];
}

/** Every workflow of a family with a container, in every mode of its family. */
const places: readonly Place[] = containerFamilies.flatMap((family) =>
  workflowsOf(family).flatMap((workflow) =>
    Object.entries(definitionOf(family).modes).map(([mode, names]) => ({
      family,
      workflow,
      mode: mode as Mode,
      names,
    })),
  ),
);

const partStates = ['backup', 'modified', 'removed', 'absent', 'added'] as const;
type PartState = (typeof partStates)[number];

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const serial = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .filter((text) => Buffer.byteLength(text) >= 1 && Buffer.byteLength(text) <= 32);

const roundTrip = fc.record({
  place: fc.constantFrom(...places),
  masterSecret: bytes32,
  masterSerial: serial,
  slaveSerial: serial,
  keyId: fc.nat(2 ** 32 - 1),
  readId: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  salts: fc.tuple(bytes32, bytes32),
  segmentLog2: fc.integer({ min: 12, max: 20 }),
  deflate: fc.boolean(),
  mayOverwriteFile: fc.boolean(),
  sizes: fc.array(fc.integer({ min: 1024, max: 20_000 }), { minLength: 4, maxLength: 4 }),
  states: fc.array(fc.constantFrom(...partStates), { minLength: 4, maxLength: 4 }),
  vin: fc.string(),
  number: fc.nat(2 ** 32 - 1),
});
type RoundTrip = typeof roundTrip extends fc.Arbitrary<infer T> ? T : never;

interface Part {
  name: ComponentName;
  states: PartState;
  read: Uint8Array;
  modified: Uint8Array;
}

function partsOf({ place, sizes, states }: RoundTrip): Part[] {
  return place.names.map((name, index) => {
    const size = sizes[index] ?? 1024;
    const wished = states[index] ?? 'backup';
    // A single image can be neither omitted nor removed.
    const isAlone = place.names.length === 1;
    const possible = isAlone && wished !== 'backup' ? 'modified' : wished;
    return {
      name,
      states: possible,
      read: noise(size, index + 1),
      modified: noise(size, index + 100),
    };
  });
}

const given = (
  parts: readonly Part[],
  partStates: readonly PartState[],
  which: 'read' | 'modified',
): DeviceComponent[] =>
  parts
    .filter(({ states }) => partStates.includes(states))
    .map((part) => ({ name: part.name, bytes: Buffer.from(part[which]) }));

const byName = (a: DeviceComponent, b: DeviceComponent): number => (a.name < b.name ? -1 : 1);

/** One complete workflow, in reused memory. */
function runWorkflow(values: RoundTrip, workspace = makeWorkspace()): void {
  const { place, masterSerial, slaveSerial, keyId, number } = values;
  const { family, mode, workflow } = place;
  const parts = partsOf(values);
  const inRead = given(parts, ['backup', 'modified', 'removed'], 'read');
  const expected = [
    ...given(parts, ['backup'], 'read'),
    ...given(parts, ['modified', 'added'], 'modified'),
  ].toSorted(byName);
  fc.pre(inRead.length > 0 && expected.length > 0);
  const pairKey = derivePairKey(values.masterSecret, family, masterSerial, slaveSerial, keyId);
  const slave = { family, pairKey, keyId, masterSerial, slaveSerial };
  const file = sealRead({
    ...slave,
    mode,
    workflow,
    protocolId: 9000,
    components: inRead,
    information: { vin: values.vin, notOurs: 'kept' },
    identificationOnly: false,
    readId: values.readId,
    fileSalt: values.salts[0],
    segmentLog2: values.segmentLog2,
    deflate: values.deflate,
  });
  const codec = getCodec(workflow);
  workspace.reset();
  const memory = { allocate: workspace.allocate, mayOverwriteFile: values.mayOverwriteFile };
  const decodeInput = { ...memory, pairKey, skipChecksum: false };
  const decoded = codec.decode({ ...decodeInput, file: Buffer.from(file) });
  const found = decoded.components.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes) }));
  expect(found.toSorted(byName)).toEqual(inRead.toSorted(byName));
  workspace.reset();
  const encoded = codec.encode({
    file: Buffer.from(file),
    pairKey,
    modified: given(parts, ['modified', 'added'], 'modified'),
    original: null,
    removed: parts.filter(({ states }) => states === 'removed').map(({ name }) => name),
    willCorrectCVN: false,
    willSkipChecksum: false,
    fileSalt: values.salts[1],
    number,
    ...memory,
  });
  const accepted = acceptEncoded({ ...slave, file: encoded.sealed.whole() });
  const written = accepted.components.map(({ name, bytes }) => ({
    name,
    bytes: Buffer.from(bytes),
  }));
  expect(written.toSorted(byName)).toEqual(expected);
  expect(accepted.header).toMatchObject({ number, previous: decoded.header.headerSha256 });
  expect(accepted.header.readId).toBe(decoded.header.readId);
  const other = { ...slave, slaveSerial: `${slaveSerial}'` };
  expect(() => acceptEncoded({ ...other, file: encoded.sealed.whole() })).toThrow(CodecError);
  if (workflow === 'kess3-utility') {
    const packed = Buffer.from(encoded.sealed.whole());
    workspace.reset();
    const again = codec.decode({ ...decodeInput, file: packed });
    expect(again.components.map(({ name }) => name).toSorted()).toEqual(
      expected.map(({ name }) => name).toSorted(),
    );
    expect(again.information).toEqual(decoded.information);
  }
}

describe('the workflow', () => {
  test('ends with the intended bytes, no matter what was read, modified, kept or removed', () => {
    const workspace = makeWorkspace();
    fc.assert(
      fc.property(roundTrip, (values) => runWorkflow(values, workspace)),
      { numRuns: 150 },
    );
  });
});
