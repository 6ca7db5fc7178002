/** What protocols know about the bytes of an image. */
import { describe, expect, test } from 'vitest';
import { knownAreas } from '../../src/protocols/known-areas.ts';
import { findComponent, findProtocol, protocols } from '../../src/protocols/protocols.ts';
import type { ComponentSpec } from '../../src/protocols/shape.ts';

function specOf(id: number, name: ComponentSpec['name']): ComponentSpec {
  const protocol = findProtocol(id);
  const spec = protocol && findComponent(protocol, name);
  if (!spec) throw new Error(`no ${name} in ${id}`);
  return spec;
}

function kindAt(spec: ComponentSpec, size: number, at: number): string | null {
  const areas = knownAreas(spec, size);
  return areas.find(({ offset, length }) => at >= offset && at < offset + length)?.kind ?? null;
}

describe('the known areas of an image', () => {
  test('are calibration, code, checksum fields, identification and protected ranges', () => {
    const spec = specOf(1001, 'obd');
    const kinds = [0x0, 0x300, 0x10000, 0x50000, 0x5fff0, 0x5fff4, 0x60000, 0x60100, 0x60102];
    expect(kinds.map((at) => kindAt(spec, 0x80000, at))).toEqual([
      'protected',
      'protected',
      'code',
      'calibration',
      'checksum',
      null,
      'identification',
      'checksum',
      null,
    ]);
    expect(kindAt(spec, 0x80000, 0x70000)).toBe(null);
  });

  test('include the second copy of a calibration, with the checksum fields in it', () => {
    const spec = specOf(2004, 'flash');
    expect([0x28000, 0x2bffc, 0x2c000, 0x2fffc].map((at) => kindAt(spec, 0x40000, at))).toEqual([
      'calibration',
      'checksum',
      'calibration',
      'checksum',
    ]);
  });

  test('are ascending, without overlaps and within the image, for every protocol and size', () => {
    for (const { components } of protocols) {
      for (const spec of components) {
        const sizes = 'min' in spec.sizes ? [spec.sizes.min, spec.sizes.max] : [...spec.sizes, 100];
        for (const size of sizes) {
          let end = 0;
          for (const { offset, length } of knownAreas(spec, size)) {
            expect(offset).toBeGreaterThanOrEqual(end);
            expect(length).toBeGreaterThan(0);
            end = offset + length;
          }
          expect(end).toBeLessThanOrEqual(size);
        }
      }
    }
  });
});
