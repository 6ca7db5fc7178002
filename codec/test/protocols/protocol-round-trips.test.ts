/** Every protocol's workflow, in every family and mode that uses it: read, decode, tune, encode, write. */

import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyChecksums } from '../../src/checksum/checksum.ts';
import type { ChecksumRule } from '../../src/checksum/checksum.ts';
import type { EncodeInput, FamilyCodec } from '../../src/recoding/family-codec.ts';
import { getCodec } from '../../src/families/registry.ts';
import { compareImages } from '../../src/compare.ts';
import { acceptEncoded } from '../../src/simulator/slave.ts';
import type { DeviceComponent } from '../../src/simulator/slave.ts';
import { generateImage, tuneImage } from '../../src/sample-images/images.ts';
import { componentsFor, protocols } from '../../src/protocols/protocols.ts';
import type { ComponentSpec, Protocol } from '../../src/protocols/shape.ts';
import { otherSalt, sealedRead, slaveOf } from '../slaves.ts';

interface RoundTrip {
  title: string;
  protocol: Protocol;
  family: Family;
  mode: Mode;
}

const roundTrips: readonly RoundTrip[] = protocols
  // Open firmware has no generated image; see round-trip.test.ts.
  .filter(({ id }) => id !== 9000)
  .flatMap((protocol) =>
    protocol.families.flatMap(({ family, modes }) =>
      modes.map((mode) => ({
        title: `${protocol.name} as ${family} ${mode}`,
        protocol,
        family,
        mode,
      })),
    ),
  );

/** The number of bytes of a stored result: a copy is as long as its source, and no digest is longer than 64. */
function lengthOf({ algorithm, ranges }: ChecksumRule): number {
  return algorithm.kind === 'copy' && !('table' in ranges)
    ? ranges.reduce((sum, { length }) => sum + length, 0)
    : 64;
}

/** The bytes that a component's rules may write, and the CVN. */
function fieldsOf({ checksums, cvn }: ComponentSpec): [at: number, end: number][] {
  const rules = checksums ?? [];
  const fields = rules.map((rule): [number, number] => {
    const { result } = rule;
    if (result.kind === 'target') {
      return [result.free.at, result.free.at + result.free.length];
    }
    return [result.at, result.at + (result.kind === 'store' ? 8 : lengthOf(rule))];
  });
  for (const { result } of rules) {
    if (result.kind === 'store' && result.complementAt !== undefined) {
      fields.push([result.complementAt, result.complementAt + 8]);
    }
  }
  return cvn === undefined ? fields : [...fields, [cvn.compensationAt, cvn.compensationAt + 4]];
}

function statesOf({ checksums }: ComponentSpec, image: Uint8Array, original: Uint8Array): string[] {
  return checksums === undefined
    ? []
    : verifyChecksums(checksums, image, original).map(({ state }) => state);
}

/** Offsets of differing bytes that belong to none of the fields. */
function changesBeside(spec: ComponentSpec, before: Uint8Array, after: Uint8Array): number[] {
  const fields = fieldsOf(spec);
  const beside: number[] = [];
  for (const { offset, length } of compareImages(before, after).strip) {
    for (let at = offset; at < offset + length; at += 1) {
      if (before[at] !== after[at] && !fields.some(([from, end]) => at >= from && at < end)) {
        beside.push(at);
      }
    }
  }
  return beside;
}

describe.each(roundTrips)('$title', ({ protocol, family, mode }) => {
  const slave = slaveOf(family);
  const codec: FamilyCodec = getCodec(family);
  const specs = componentsFor(protocol, family, mode);
  const images = new Map<ComponentName, Uint8Array>();
  let file: Uint8Array = new Uint8Array(0);

  beforeAll(() => {
    for (const { name } of specs) {
      images.set(name, generateImage(protocol, name, 11));
    }
    const components = [...images].map(([name, bytes]) => ({ name, bytes }));
    file = sealedRead(family, components, { protocolId: protocol.id, mode, information: {} });
  });

  const imageOf = (name: ComponentName): Uint8Array => images.get(name) ?? new Uint8Array(0);

  const encode = (otherwise: Partial<EncodeInput>): Map<ComponentName, Uint8Array> => {
    const encoded = codec.encode({
      file,
      pairKey: slave.pairKey,
      modified: [],
      original: null,
      removed: [],
      willCorrectCVN: false,
      willSkipChecksum: false,
      fileSalt: otherSalt,
      number: 1,
      ...otherwise,
    });
    const { components } = acceptEncoded({ ...slave, file: encoded.sealed.whole() });
    return new Map(components.map(({ name, bytes }: DeviceComponent) => [name, bytes]));
  };

  test('is decoded to the images that were sealed, with valid checksums', () => {
    const input = { file, pairKey: slave.pairKey, skipChecksum: false };
    const decoded = codec.decode(input);
    expect(decoded.components.map(({ name }) => name).toSorted()).toEqual(
      [...images.keys()].toSorted(),
    );
    for (const { name, bytes } of decoded.components) {
      expect(Buffer.from(imageOf(name)).equals(bytes)).toBe(true);
    }
    expect(decoded.checksums.filter(({ state }) => state === 'mismatch')).toEqual([]);
    expect(decoded.warnings).toEqual([]);
  });

  test('writes each tune with corrected checksums and no other change', () => {
    for (const spec of specs.filter((each) => each.format === undefined)) {
      const read = imageOf(spec.name);
      const tuned = tuneImage(protocol, spec.name, read, 3);
      const original = spec.name === 'obd' ? read : null;
      const modified = [{ name: spec.name, bytes: tuned }];
      const flashed = encode({ modified, original }).get(spec.name) ?? new Uint8Array(0);
      const wrong = statesOf(spec, flashed, read).filter(
        (state) => state !== 'ok' && state !== 'disabled',
      );
      expect([spec.name, wrong]).toEqual([spec.name, []]);
      const beside = changesBeside(spec, tuned, flashed);
      expect([spec.name, beside]).toEqual([spec.name, []]);
    }
  });

  test('writes unmodified components from the backup, and omits removed ones', () => {
    const original = images.get('obd') ?? null;
    const all = encode({ reencode: mode === 'obd', original });
    for (const [name, bytes] of images) {
      expect([name, Buffer.from(bytes).equals(all.get(name) ?? Buffer.of())]).toEqual([name, true]);
    }
    if (specs.length > 1) {
      const [first] = specs;
      const removed = first === undefined ? [] : [first.name];
      expect([...encode({ removed }).keys()]).toEqual(specs.slice(1).map(({ name }) => name));
    }
  });
});
