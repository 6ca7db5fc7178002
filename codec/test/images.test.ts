/** The generated sample images: their checksums, identifications and CVNs, and how real they look. */
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { correctChecksums, verifyChecksums } from '../src/checksum/checksum.ts';
import { correctCvn, cvnOf } from '../src/checksum/cvn.ts';
import { CodecError } from '../src/errors.ts';
import { matchIdent, readIdent } from '../src/protocols/ident.ts';
import { generateImage, tuneImage } from '../src/sample-images/images.ts';
import type { ComponentSpec, Protocol } from '../src/protocols/shape.ts';
import { findProtocol, protocols } from '../src/protocols/protocols.ts';

const block = 0x1000;

/** Shannon entropy in bits per byte. */
function entropyOf(bytes: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const byte of bytes) {
    counts[byte] = (counts[byte] ?? 0) + 1;
  }
  return counts.reduce((bits, count) => {
    const part = count / bytes.length;
    return count === 0 ? bits : bits - part * Math.log2(part);
  }, 0);
}

interface Statistics {
  overall: number;
  highestBlock: number;
  erased: number;
  deflated: number;
}

/**
 * Entropy of the bytes that are not erased, the highest of a 4 KiB block, the erased share, and the deflated share of
 * the rest.
 */
function statisticsOf(image: Uint8Array): Statistics {
  const blocks = Array.from({ length: Math.ceil(image.length / block) }, (_, index) =>
    image.subarray(index * block, (index + 1) * block),
  );
  const written = blocks.filter((bytes) => bytes.some((byte) => byte !== 0xff));
  const all = Buffer.concat(written);
  return {
    overall: entropyOf(all),
    highestBlock: Math.max(...written.map(entropyOf)),
    erased: 1 - all.length / image.length,
    deflated: deflateRawSync(all, { level: 3 }).length / all.length,
  };
}

interface Case {
  label: string;
  protocol: Protocol;
  component: ComponentSpec;
}
const cases: Case[] = protocols.flatMap((protocol) =>
  protocol.components.map((component) => ({
    label: `${protocol.name} ${component.name}`,
    protocol,
    component,
  })),
);
/** Program memories: large enough to contain code and an erased area. */
const memories = cases.filter(
  ({ component: { format, sizes } }) => !format && ('min' in sizes || (sizes[0] ?? 0) >= 0x40000),
);

describe.each(cases)('the generated $label', ({ protocol, component }) => {
  const image = generateImage(protocol, component.name, 1);

  test('is the same for the same seed and different for another seed', () => {
    expect(Buffer.compare(image, generateImage(protocol, component.name, 1))).toBe(0);
    if (!component.format) {
      expect(Buffer.compare(image, generateImage(protocol, component.name, 2))).not.toBe(0);
    }
  });

  test('has valid checksums, or rules that need the original and are valid for the image itself', () => {
    const { checksums } = component;
    const alone = checksums ? verifyChecksums(checksums, image) : [];
    const beside = checksums ? verifyChecksums(checksums, image, image) : [];
    for (const [index, { rule, state }] of alone.entries()) {
      const needsOriginal = checksums?.[index]?.needsOriginal === true;
      expect(needsOriginal ? ['uncheckable'] : ['ok', 'disabled'], rule).toContain(state);
      expect(['ok', 'disabled'], rule).toContain(beside[index]?.state);
    }
  });

  test('is recognized as one of the protocol’s ECUs if it has an identification', () => {
    const ident = readIdent(component, image);
    expect(ident === null).toBe(component.ident === undefined);
    expect(component.ident?.ecus.map(({ hardware }) => hardware) ?? [undefined]).toContain(
      ident?.hardware,
    );
    for (const field of component.ident?.fields ?? []) {
      expect(ident?.[field.name], field.name).toMatch(/^[ -~]+$/);
    }
  });

  test('can be tuned; the tune keeps its ident and can be corrected', () => {
    const tuned = tuneImage(protocol, component.name, image, 5);
    expect(Buffer.compare(tuned, image)).not.toBe(0);
    expect(Buffer.compare(tuned, tuneImage(protocol, component.name, image, 5))).toBe(0);
    const [before, after] = [readIdent(component, image), readIdent(component, tuned)];
    expect(before === null ? after === null : after !== null && matchIdent(before, after)).toBe(
      true,
    );
    const { checksums } = component;
    if (checksums) {
      const { image: corrected, reports } = correctChecksums(checksums, tuned, image);
      for (const { rule, state } of reports) {
        expect(['ok', 'disabled'], rule).toContain(state);
      }
      const states = verifyChecksums(checksums, tuned, image).map(({ state }) => state);
      expect(states).toContain('mismatch');
      expect(Buffer.compare(corrected, tuned)).not.toBe(0);
    }
  });
});

describe.each(memories)('the memory image $label', ({ protocol, component }) => {
  // promise c.checksums.images
  test.each([1, 2])('looks like real firmware, seed %i', (seed) => {
    const { overall, highestBlock, erased, deflated } = statisticsOf(
      generateImage(protocol, component.name, seed),
    );
    expect(overall).toBeGreaterThan(6.7);
    expect(overall).toBeLessThan(7.2);
    expect(highestBlock).toBeLessThanOrEqual(7.21);
    expect(erased).toBeGreaterThanOrEqual(0.2);
    expect(erased).toBeLessThanOrEqual(0.5);
    // Real firmware deflates to 0.53..0.73 of its size, slightly more at the fastest levels.
    expect(deflated).toBeGreaterThan(0.5);
    expect(deflated).toBeLessThan(0.78);
  });
});

test('code in an image is as dense as machine code: 6.8 to 7.2 bits in every 4 KiB', () => {
  for (const { label, protocol, component } of memories) {
    const program = component.areas?.find(
      ({ kind, length }) => kind === 'code' && length >= 0x10000,
    );
    const image = program ? generateImage(protocol, component.name, 7) : new Uint8Array();
    const from = program?.at ?? 0;
    for (let at = from; at + block <= from + Math.min(program?.length ?? 0, 0x40000); at += block) {
      const entropy = entropyOf(image.subarray(at, at + block));
      expect(entropy, label).toBeGreaterThan(6.8);
      expect(entropy, label).toBeLessThan(7.2);
    }
  }
});

describe.each(cases.filter(({ component }) => component.cvn))(
  'the CVN of $label',
  ({ protocol, component }) => {
    const layout = component.cvn;
    // promise c.checksums.cvn
    test('changes with a tune, and can be restored with four bytes', () => {
      if (!layout) {
        throw new Error('a case without a CVN');
      }
      const image = generateImage(protocol, component.name, 3);
      const tuned = tuneImage(protocol, component.name, image, 4);
      expect(cvnOf(layout, tuned)).not.toBe(cvnOf(layout, image));
      const buffer = Buffer.from(tuned);
      const corrected = correctCvn(layout, buffer, image);
      expect(cvnOf(layout, corrected)).toBe(cvnOf(layout, image));
      expect(buffer.equals(tuned), 'the image given in').toBe(true);
      const changed = [...corrected.keys()].filter((at) => corrected[at] !== tuned[at]);
      for (const at of changed) {
        expect(at).toBeGreaterThanOrEqual(layout.compensationAt);
        expect(at).toBeLessThan(layout.compensationAt + 4);
      }
      expect(correctCvn(layout, image, image)).toBe(image);
    });

    test('does not change when the checksums are corrected', () => {
      if (!layout || !component.checksums) {
        throw new Error('a case without a CVN or checksums');
      }
      const image = generateImage(protocol, component.name, 3);
      const tuned = tuneImage(protocol, component.name, image, 4);
      const kept = correctCvn(layout, tuned, image);
      const { image: corrected } = correctChecksums(component.checksums, kept, image);
      expect(cvnOf(layout, corrected)).toBe(cvnOf(layout, image));
    });

    test('cannot be restored without an original of the same size', () => {
      if (!layout) {
        throw new Error('a case without a CVN');
      }
      const image = generateImage(protocol, component.name, 3);
      expect(() => correctCvn(layout, image, image.subarray(1))).toThrow(
        new CodecError('CVN_ERROR'),
      );
    });
  },
);

describe('an identification', () => {
  const protocol = findProtocol(1001);
  const component = protocol?.components[0];
  if (!protocol || !component?.ident) {
    throw new Error('1001 has an identification');
  }
  const { marker, fields } = component.ident;
  const image = generateImage(protocol, 'obd', 9);
  const fieldAt = (name: string): number => fields.find((field) => field.name === name)?.at ?? 0;

  test('is not found without its marker, or for an ECU that is not listed', () => {
    for (const at of [marker.at, fieldAt('hardware') + 12]) {
      const other = image.slice();
      other[at] = 0x7a;
      expect(readIdent(component, other)).toBeNull();
    }
    expect(readIdent(component, image.subarray(0, 0x1000))).toBeNull();
    expect(readIdent(component, new Uint8Array(0))).toBeNull();
  });

  test('omits a field that contains no text', () => {
    const other = image.slice();
    other[fieldAt('engine')] = 0x07;
    other.fill(0xff, fieldAt('vin'), fieldAt('vin') + 17);
    const ident = readIdent(component, other);
    expect(ident).not.toBeNull();
    expect(ident).not.toHaveProperty('engine');
    expect(ident).not.toHaveProperty('vin');
  });

  test('matches another with the same hardware and software, regardless of the date and version text', () => {
    const ident = readIdent(component, image);
    if (!ident) {
      throw new Error('a generated image is recognized');
    }
    expect(matchIdent(ident, { ...ident, softwareDate: '20990101', softwareVersion: 'V9' })).toBe(
      true,
    );
    for (const name of ['hardware', 'software', 'softwareUpgrade'] as const) {
      expect(matchIdent(ident, { ...ident, [name]: 'REF-OTHER' }), name).toBe(false);
    }
  });
});

test('a component or size that the protocol does not have throws an internal error', () => {
  const protocol = findProtocol(1001);
  if (!protocol) {
    throw new Error('1001 is known');
  }
  expect(() => generateImage(protocol, 'eeprom', 1)).toThrow(RangeError);
  expect(() => generateImage(protocol, 'obd', 1, 0x1000)).toThrow(RangeError);
});

test.each([0x400, 0x401, 0x1234, 0x10000, 0x300001])('an open image can have %i bytes', (size) => {
  const protocol = findProtocol(9000);
  if (!protocol) {
    throw new Error('9000 is known');
  }
  const image = generateImage(protocol, 'flash', 1, size);
  expect(image.length).toBe(size);
  expect(Buffer.compare(tuneImage(protocol, 'flash', image, 1), image)).not.toBe(0);
});
