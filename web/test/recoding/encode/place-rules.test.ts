/** Which part each dropped file is proposed for: by size, then similarity, then its name, and what happens on ties. */
import { describe, expect, test } from 'vitest';
import type { PartFingerprint } from '@recodery/contract/fingerprints';
import {
  acceptsSize,
  type Candidate,
  checkOwnPlace,
  placeFiles,
} from '../../../src/features/recoding/encode/dropped-files/place-rules.ts';

function part(name: string, sizes: PartFingerprint['sizes']): PartFingerprint {
  return { part: name, sizes, fingerprint: null };
}

const bench = [
  part('Flash', [4096]),
  part('Micro', [4096]),
  part('EEPROM', [512]),
  part('MapFile', { min: 48, max: 65_536 }),
];
const oneImage = [part('modified', [4096])];
const twoImages = [part('modified', [4096]), part('original', [4096])];

/** A file with its similarity to the parts whose size it has. */
function file(name: string, likeness: Readonly<Record<string, number | null>>): Candidate {
  return { id: 0, name, likeness: new Map(Object.entries(likeness)) };
}

/** The proposals as `name: part basis`. */
function placed(
  files: readonly Candidate[],
  parts: readonly PartFingerprint[] = bench,
  filled: readonly string[] = [],
): Record<string, string> {
  const numbered = files.map((one, id) => ({ ...one, id }));
  const proposals = placeFiles(numbered, parts, (name) => filled.includes(name));
  return Object.fromEntries(
    numbered.map(({ id, name }) => {
      const proposal = proposals.get(id);
      return [name, proposal ? `${proposal.part} ${proposal.basis}` : 'none'];
    }),
  );
}

test('a part accepts the sizes of its list, a size between its limits, or any', () => {
  const accepts = (sizes: PartFingerprint['sizes'], size: number) =>
    acceptsSize(part('Flash', sizes), size);
  expect([accepts([512, 1024], 1024), accepts([512, 1024], 1023)]).toEqual([true, false]);
  const limits = { min: 16, max: 32 };
  expect([15, 16, 32, 33].map((size) => accepts(limits, size))).toEqual([false, true, true, false]);
  expect(accepts(null, 7)).toBe(true);
});

describe('components', () => {
  // promise 2.places.likeness
  test('four files go to the part that each is most similar to, regardless of their names', () => {
    expect(
      placed([
        file('micro.bin', { Flash: 0.98, Micro: 0.01, MapFile: 0 }),
        file('eeprom.bin', { Flash: 0.02, Micro: 0.91, MapFile: 0 }),
        file('flash.bin', { EEPROM: 0.75, MapFile: 0 }),
        file('d.bin', { MapFile: 0.6 }),
      ]),
    ).toEqual({
      'micro.bin': 'Flash content',
      'eeprom.bin': 'Micro content',
      'flash.bin': 'EEPROM content',
      'd.bin': 'MapFile content',
    });
  });

  test('a file of no allowed size goes nowhere', () => {
    expect(placed([file('flash.bin', {})])).toEqual({ 'flash.bin': 'none' });
  });

  test('a file of the right size that is not similar is still proposed', () => {
    expect(placed([file('a.bin', { EEPROM: 0.03, MapFile: 0.01 })])).toEqual({
      'a.bin': 'EEPROM content',
    });
  });

  test('a part of any size needs a similar file', () => {
    expect(placed([file('flash.map', { MapFile: 0.2 })])).toEqual({ 'flash.map': 'none' });
    expect(placed([file('a.bin', { MapFile: null })])).toEqual({ 'a.bin': 'none' });
  });

  test('of two versions of a part, the more similar one is proposed', () => {
    const versions = [
      file('stage1.bin', { Flash: 0.93, Micro: 0.02 }),
      file('stage2.bin', { Flash: 0.97, Micro: 0.02 }),
    ];
    // the other one has the size of the Micro: offered with a warning, not hidden
    expect(placed(versions)).toEqual({
      'stage2.bin': 'Flash content',
      'stage1.bin': 'Micro content',
    });
    const [flash, , eeprom] = bench;
    expect(
      placed(
        versions,
        [flash, eeprom].flatMap((one) => one ?? []),
      ),
    ).toEqual({
      'stage2.bin': 'Flash content',
      'stage1.bin': 'none',
    });
  });

  // promise 2.places.names
  test('the name decides only where size and similarity are equal', () => {
    expect(placed([file('my-MICRO.bin', { Flash: null, Micro: null })])).toEqual({
      'my-MICRO.bin': 'Micro name',
    });
    expect(placed([file('a.mpc', { Flash: 0.9, Micro: 0.902 })])).toEqual({
      'a.mpc': 'Micro name',
    });
    expect(placed([file('a.mpc', { Flash: 0.9, Micro: 0.88 })])).toEqual({
      'a.mpc': 'Flash content',
    });
  });

  test('a tie without a name is proposed, and the user must check it', () => {
    expect(
      placed([
        file('a.bin', { Flash: null, Micro: null }),
        file('b.bin', { Flash: null, Micro: null }),
      ]),
    ).toEqual({ 'a.bin': 'Flash nothing', 'b.bin': 'Micro nothing' });
    expect(placed([file('flash-micro.bin', { Flash: null, Micro: null })])).toEqual({
      'flash-micro.bin': 'Flash nothing',
    });
  });
});

describe('an image', () => {
  test('goes to its only part', () => {
    expect(placed([file('a.bin', { modified: 0.99 })], oneImage)).toEqual({
      'a.bin': 'modified content',
    });
  });

  test('is the original if it does not differ from the read, else the modified file', () => {
    expect(placed([file('a.bin', { modified: 1, original: 1 })], twoImages)).toEqual({
      'a.bin': 'original content',
    });
    expect(placed([file('ori.bin', { modified: 0.99, original: 0.99 })], twoImages)).toEqual({
      'ori.bin': 'modified content',
    });
  });

  test('is the one that is missing', () => {
    const unknown = { modified: null, original: null };
    expect(placed([file('a.bin', unknown)], twoImages, ['modified'])).toEqual({
      'a.bin': 'original content',
    });
    expect(placed([file('a.bin', unknown)], twoImages, ['original'])).toEqual({
      'a.bin': 'modified content',
    });
    expect(placed([file('a.bin', unknown)], twoImages)).toEqual({ 'a.bin': 'modified nothing' });
    expect(placed([file('a_ORI.bin', unknown)], twoImages)).toEqual({
      'a_ORI.bin': 'original name',
    });
  });

  test('of two files, the one that is more similar to the read is the original', () => {
    const files = [
      file('original.bin', { modified: 0.95, original: 0.95 }),
      file('b.bin', { modified: 0.99, original: 0.99 }),
    ];
    expect(placed(files, twoImages)).toEqual({
      'b.bin': 'original content',
      'original.bin': 'modified content',
    });
  });

  test('of two equally similar files, the name decides, or else the user', () => {
    const unknown = { modified: null, original: null };
    const pair = (one: string, other: string) => [file(one, unknown), file(other, unknown)];
    expect(placed(pair('a stage1.bin', 'b.bin'), twoImages)).toEqual({
      'a stage1.bin': 'modified name',
      'b.bin': 'original name',
    });
    expect(placed(pair('a.bin', 'b.bin'), twoImages)).toEqual({
      'a.bin': 'original nothing',
      'b.bin': 'modified nothing',
    });
    expect(placed([...pair('a.bin', 'b.bin'), file('c.bin', unknown)], twoImages)).toMatchObject({
      'c.bin': 'none',
    });
  });
});

describe('a file on the row of a part', () => {
  const check = (likeness: Record<string, number | null>, own = 'Micro', name = 'a.bin') =>
    checkOwnPlace(file(name, likeness), own, bench);

  test('fits if it is clearly similar, even if it is more similar to another part', () => {
    expect(check({ Flash: 0.99, Micro: 0.5 })).toEqual({ kind: 'fits' });
  });

  // promise 2.places.other
  test('is offered the part that it is clearly more similar to', () => {
    expect(check({ Flash: 0.9, Micro: 0.1 })).toEqual({
      kind: 'other',
      part: 'Flash',
      fitsHere: true,
    });
    expect(check({ EEPROM: 0.9 })).toEqual({ kind: 'other', part: 'EEPROM', fitsHere: false });
    expect(check({ MapFile: 0.9 })).toEqual({ kind: 'other', part: 'MapFile', fitsHere: false });
  });

  test('is offered the only part of its size, even if it is not similar', () => {
    expect(check({ EEPROM: 0.1 })).toEqual({ kind: 'other', part: 'EEPROM', fitsHere: false });
    expect(check({ Flash: null, Micro: null }, 'EEPROM')).toEqual({ kind: 'fits' });
  });

  test('is asked about if it has only the size of the part', () => {
    expect(check({ Flash: 0.1, Micro: 0.2 })).toEqual({ kind: 'unlike', likeness: 0.2 });
  });

  test('stays where nothing can be compared, where any size is right, and where it fits nowhere', () => {
    expect(check({ Flash: null, Micro: null })).toEqual({ kind: 'fits' });
    expect(check({ MapFile: 0.1 }, 'MapFile')).toEqual({ kind: 'fits' });
    expect(check({})).toEqual({ kind: 'fits' });
  });
});
