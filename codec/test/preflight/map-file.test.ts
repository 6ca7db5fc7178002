/** The check of a maps file: made or reported as not made, never left out, for every family and any engine. */
import type { ComponentName } from '@recodery/contract/families/family';
import { families } from '@recodery/contract/families/registry';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { preflightChecks, type PreflightInput } from '../../src/preflight/preflight.ts';
import { findProtocol } from '../../src/protocols/protocols.ts';
import { generateImage } from '../../src/sample-images/images.ts';

type Component = PreflightInput['components'][number];

const input = (protocolId: number | null, components: readonly Component[]): PreflightInput => ({
  ...{ protocolId, mode: 'bootbench', components, original: null, identification: null },
  ...{ isOriginalFromLibrary: false, library: null, willCorrectCVN: false },
  willSkipChecksum: false,
});

const names: readonly ComponentName[] = ['flash', 'eeprom', 'micro', 'mapfile'];
const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });

/** Components of a read, each as it was read or with a modified image. */
const components = fc.subarray([...names], { minLength: 1 }).chain((some) =>
  fc.tuple(
    ...some.map((name) =>
      fc.record({
        name: fc.constant(name),
        decoded: fc.option(bytes),
        modified: fc.option(bytes),
      }),
    ),
  ),
);

// promise 5.preflight.unchecked
describe.each(families)('a maps file of a vendor, of %s,', (family) => {
  test('is reported as not checked exactly if it or an image beside it is modified', () => {
    fc.assert(
      fc.property(components, (some) => {
        const found = preflightChecks(family, input(null, some)).filter(
          ({ id }) => id === 'map-file',
        );
        const maps = some.find(({ name }) => name === 'mapfile');
        const isWritten = maps !== undefined && (maps.modified ?? maps.decoded) !== null;
        const expected = isWritten && some.some(({ modified }) => modified !== null);
        expect(found).toHaveLength(expected ? 1 : 0);
        for (const check of found) {
          expect(check).toMatchObject({
            ...{ status: 'unchecked', component: 'mapfile', reason: 'engine-does-not-report' },
          });
        }
      }),
    );
  });
});

test('a maps file that stays as it was read is checked against a modified image', () => {
  const protocol = findProtocol(3001);
  if (protocol === null) throw new Error('3001 is known');
  const imageOf = (name: ComponentName) => generateImage(protocol, name, 1);
  const decoded = imageOf('flash');
  const modified = decoded.with(0x230000, (decoded[0x230000] ?? 0) ^ 1);
  const maps = { name: 'mapfile', decoded: imageOf('mapfile'), modified: null } as const;
  const beside = (image: Uint8Array | null) =>
    preflightChecks('kess3', input(3001, [{ name: 'flash', decoded, modified: image }, maps]))
      .filter(({ id }) => id === 'map-file')
      .map(({ status }) => status);
  expect(beside(modified)).toEqual(['green']);
  expect(beside(null)).toEqual([]);
});
