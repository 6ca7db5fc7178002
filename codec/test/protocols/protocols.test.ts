/** What the data of every protocol must fulfill: ids, sizes, areas and checksum rules. */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bytesOf } from '../../src/checksum/numbers.ts';
import { isInside, overlap, passesOverImageAtMost } from '../../src/checksum/ranges.ts';
import type { ChecksumRule, Range } from '../../src/checksum/scheme.ts';
import { generateImage } from '../../src/sample-images/images.ts';
import type { ComponentSpec } from '../../src/protocols/shape.ts';
import {
  componentsFor,
  findProtocol,
  isSizeAllowed,
  protocols,
} from '../../src/protocols/protocols.ts';

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
  test('have unique ids, in ascending order', () => {
    const ids = protocols.map((protocol) => protocol.id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  // promise d7.results.protocols
  test('have unique names that mark them as invented', () => {
    const names = protocols.map((protocol) => protocol.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^REF-[A-Z0-9-]+$/);
  });

  test('each have a file named after id and name, and every such file is listed', () => {
    const files = readdirSync(join(import.meta.dirname, '../../src/protocols/reference'));
    const named = protocols.map(({ id, name }) => `${id}-${name.toLowerCase()}.ts`);
    expect(named.toSorted()).toEqual(files.toSorted());
  });

  test('are found only by their id', () => {
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

/** The location of a rule's results or free bytes; the length of a copy comes from its ranges. */
function placesOf({ algorithm, ranges, result }: ChecksumRule): Range[] {
  if (result.kind === 'target') {
    return [result.free];
  }
  if (result.kind === 'store') {
    const length = bytesOf(result.type);
    const second = result.complementAt;
    return [result.at, ...(second === undefined ? [] : [second])].map((at) => ({ at, length }));
  }
  const digests = { 'sha-1': 20, 'sha-256': 32, 'sha-384': 48, 'sha-512': 64 };
  const copied = 'table' in ranges ? 0 : ranges.reduce((all, { length }) => all + length, 0);
  const length =
    algorithm.kind === 'digest'
      ? digests[algorithm.name]
      : algorithm.kind === 'signature'
        ? algorithm.length
        : copied;
  return [{ at: result.at, length }];
}

/** Describes what is wrong with a rule; a rule that no image can satisfy is a fault of the protocol file. */
function faultsOf(rule: ChecksumRule, component: ComponentSpec): string[] {
  const { algorithm, ranges, result } = rule;
  const faults: string[] = [];
  const say = (isFault: boolean, words: string): void => {
    if (isFault) {
      faults.push(words);
    }
  };
  const fixed = 'table' in ranges ? [] : ranges;
  const isUnits = algorithm.kind === 'sum' || algorithm.kind === 'xor';
  const isBytes = ['copy', 'digest', 'signature'].includes(algorithm.kind);
  say(!fixed.every((range) => isInside(range, smallest(component))), 'covers bytes outside');
  say(isUnits && fixed.some(({ length }) => length % algorithm.unit !== 0), 'cuts a unit');
  say((result.kind === 'store-bytes') !== isBytes, 'stores a number as bytes or bytes as a number');
  const places = placesOf(rule);
  say(!places.every((place) => isInside(place, smallest(component))), 'writes outside');
  const isWritten = algorithm.kind !== 'signature';
  const hits = (list: readonly Range[]): boolean =>
    places.some((place) => list.some((range) => overlap(place, range)));
  say(isWritten && hits(component.protectedRanges ?? []), 'writes into a protected range');
  const isBalanced = result.kind === 'store' && result.complementAt !== undefined && isUnits;
  say(result.kind !== 'target' && !isBalanced && hits(fixed), 'covers its own result');
  if (result.kind === 'target') {
    const { at, length } = result.free;
    const around = fixed.filter((range) => overlap(range, result.free));
    const isWhole = around.every(
      (range) => range.at <= at && at + length <= range.at + range.length,
    );
    say(around.length !== 1 || !isWhole, 'has free bytes that it does not cover exactly once');
  }
  const learns =
    (result.kind === 'target' && typeof result.value !== 'string') ||
    (result.kind === 'store' &&
      typeof result.transform === 'object' &&
      'learnedFrom' in result.transform);
  say(
    learns !== (rule.needsOriginal === true),
    'does not say rightly whether it needs the original',
  );
  return faults;
}

describe.each(allComponents)('the component $label', ({ component }) => {
  test('is within the limit of 16 MiB', () => {
    const { sizes } = component;
    const all = 'min' in sizes ? [sizes.min, sizes.max] : sizes;
    for (const size of all) {
      expect(size).toBeGreaterThan(0);
      expect(size).toBeLessThanOrEqual(0x1000000);
    }
    expect(isSizeAllowed(sizes, smallest(component))).toBe(true);
    expect(isSizeAllowed(sizes, smallest(component) - 1)).toBe(false);
  });

  test('refers only to areas inside of the smallest image', () => {
    const places = [
      ...(component.areas ?? []),
      ...(component.protectedRanges ?? []),
      ...(component.ident?.fields ?? []),
      ...(component.cvn ? [component.cvn.calibration] : []),
    ];
    for (const { at, length } of places) {
      expect(at).toBeGreaterThanOrEqual(0);
      expect(length).toBeGreaterThan(0);
      expect(at + length).toBeLessThanOrEqual(smallest(component));
    }
  });

  test('has rules with unique names that can be calculated', () => {
    const rules = component.checksums ?? [];
    const names = rules.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(rules.length).toBeLessThanOrEqual(256);
    for (const rule of rules) {
      expect(faultsOf(rule, component), rule.name).toEqual([]);
    }
  });

  test('keeps checksum results out of the CVN area, and the CVN compensation inside it', () => {
    const { cvn, checksums } = component;
    const written = (checksums ?? []).flatMap(placesOf);
    if (cvn) {
      const compensation = { at: cvn.compensationAt, length: 4 };
      expect(
        isInside(
          { ...compensation, at: cvn.compensationAt - cvn.calibration.at },
          cvn.calibration.length,
        ),
      ).toBe(true);
      expect(written.filter((place) => overlap(place, cvn.calibration))).toEqual([]);
      expect((component.areas ?? []).filter((area) => overlap(area, compensation))).toEqual([]);
    }
    const covered = (checksums ?? [])
      .flatMap(({ ranges }) => ('table' in ranges ? [] : ranges))
      .reduce((total, { length }) => total + length, 0);
    expect(covered).toBeLessThanOrEqual(passesOverImageAtMost * smallest(component));
  });

  test('writes no byte twice', () => {
    const sorted = [...(component.areas ?? [])].sort((a, b) => a.at - b.at);
    let end = 0;
    for (const area of sorted) {
      expect(area.at, area.name).toBeGreaterThanOrEqual(end);
      end = area.at + area.length;
    }
  });
});

describe('all protocols together', () => {
  const rules = allComponents.flatMap(({ component }) => component.checksums ?? []);
  test('use every algorithm, result and transform of the rule language', () => {
    const words = new Set(
      rules.flatMap(({ algorithm, ranges, result, ...rule }) => [
        algorithm.kind,
        algorithm.kind === 'crc' ? `crc${algorithm.width}` : '',
        'table' in ranges ? `table by ${ranges.table.second}` : 'fixed ranges',
        result.kind,
        'transform' in result ? JSON.stringify(result.transform).replace(/"[0-9a-f]+"/, 'C') : 'id',
        result.kind === 'store' && result.complementAt !== undefined ? 'complement' : '',
        rule.disabledWhen ? 'disabled' : '',
        rule.needsOriginal ? 'original' : '',
        rule.required === false ? 'optional' : '',
      ]),
    );
    expect([...words].sort()).toEqual(
      [
        '',
        '"neg"',
        '"not"',
        '{"learnedFrom":"original"}',
        '{"minus":C}',
        'complement',
        'copy',
        'crc',
        'crc16',
        'crc32',
        'crc8',
        'digest',
        'disabled',
        'fixed ranges',
        'id',
        'optional',
        'original',
        'signature',
        'store',
        'store-bytes',
        'sum',
        'table by after',
        'table by last',
        'table by length',
        'target',
        'xor',
      ].sort(),
    );
  });

  // promise d7.results.protocols
  test('are the ones that the documentation promises', () => {
    expect(protocols.map(({ id, name }) => `${id} ${name}`)).toEqual(
      expect.arrayContaining([
        '1001 REF-OBD-512K',
        '1002 REF-OBD-VR',
        '1003 REF-OBD-ORI',
        '1004 REF-OBD-2M',
        '2001 REF-KTAG-FULL',
        '2002 REF-KTAG-SMALL',
        '3001 REF-BENCH-FULL',
        '3002 REF-BENCH-MICRO',
        '9000 REF-OPEN',
      ]),
    );
    expect(
      protocols.filter((protocol) => protocol.isVirtualReadingPossible).map(({ id }) => id),
    ).toEqual([1002]);
    const isKeepingCVN = ({ cvn }: ComponentSpec): boolean => cvn !== undefined;
    expect(
      protocols.filter(({ components }) => components.some(isKeepingCVN)).map(({ id }) => id),
    ).toEqual([1001, 1002, 1006, 3001]);
  });

  test('contain only signatures made with the throwaway key whose seed is here', () => {
    const seed = createHash('sha256').update('REF-OBD-SIGNED').digest();
    const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    const signed = rules.filter(({ algorithm }) => algorithm.kind === 'signature');
    expect(signed.map(({ name }) => name)).toEqual(['BOOT-SIGNATURE']);
    for (const { algorithm } of signed) {
      const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' });
      expect('publicKey' in algorithm && algorithm.publicKey).toBe(publicKey.toString('base64'));
    }
    const protocol = findProtocol(1006);
    const [component] = protocol?.components ?? [];
    if (!protocol || !component) {
      throw new Error('1006 is known');
    }
    // Generated without its rules, so that this prints what to write into the protocol file after a change of the
    // generator.
    const bare = { ...protocol, components: [{ ...component, checksums: [] }] };
    const boot = generateImage(bare, 'obd', 1).subarray(0, 0x20000);
    const signature = sign(null, boot, key).toString('hex').match(/.{16}/g);
    expect(component.fixedNumbers?.[0]?.values).toEqual(signature);
  });
});
