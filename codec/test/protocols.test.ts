import { describe, expect, test } from 'vitest';
import type { ComponentSpec } from '../src/protocol-shape.ts';
import { componentsFor, findProtocol, isSizeAllowed, protocols } from '../src/protocols.ts';

const smallest = (component: ComponentSpec): number =>
  'min' in component.sizes ? component.sizes.min : Math.min(...component.sizes);

const allComponents = protocols.flatMap((protocol) =>
  protocol.components.map((component) => ({
    protocol,
    component,
    label: `${protocol.name} ${component.name}`,
  })),
);

describe('the protocols', () => {
  test('have ids of their own, in rising order', () => {
    const ids = protocols.map((protocol) => protocol.id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  test('have names of their own that say they are invented', () => {
    const names = protocols.map((protocol) => protocol.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^REF-[A-Z0-9-]+$/);
  });

  test('are found by their id, and only by it', () => {
    for (const protocol of protocols) expect(findProtocol(protocol.id)).toBe(protocol);
    expect(findProtocol(4711)).toBeNull();
  });

  test('offer each family and mode at least one component', () => {
    for (const protocol of protocols)
      for (const { family, modes } of protocol.families)
        for (const mode of modes)
          expect(componentsFor(protocol, family, mode), protocol.name).not.toHaveLength(0);
  });
});

describe.each(allComponents)('the component $label', ({ component }) => {
  test('lies inside the limit of 16 MiB', () => {
    const { sizes } = component;
    const all = 'min' in sizes ? [sizes.min, sizes.max] : sizes;
    for (const size of all) {
      expect(size).toBeGreaterThan(0);
      expect(size).toBeLessThanOrEqual(0x1000000);
    }
    expect(isSizeAllowed(sizes, smallest(component))).toBe(true);
    expect(isSizeAllowed(sizes, smallest(component) - 1)).toBe(false);
  });

  test('keeps all that it names inside the smallest image', () => {
    const places = [
      ...component.areas,
      ...component.protectedRanges,
      ...(component.ident?.fields ?? []),
      ...(component.cvn ? [component.cvn.calibration] : []),
    ];
    for (const { at, length } of places) {
      expect(at).toBeGreaterThanOrEqual(0);
      expect(length).toBeGreaterThan(0);
      expect(at + length).toBeLessThanOrEqual(smallest(component));
    }
  });

  test('paints no byte twice', () => {
    const sorted = [...component.areas].sort((a, b) => a.at - b.at);
    let end = 0;
    for (const area of sorted) {
      expect(area.at, area.name).toBeGreaterThanOrEqual(end);
      end = area.at + area.length;
    }
  });
});
