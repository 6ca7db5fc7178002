/** Where a modified file belongs: by name and size, never by a guess. */
import { describe, expect, test } from 'vitest';
import { matchModified, type Place } from '../../src/features/trays/dropped/match-modified.ts';

const stem = 'KESS3_KS3-000042_9000_20261123-080000';

function place(fileGUID: string, part: string, name: string, size: number): Place {
  const image = { name, size, sha256: `${name}#` };
  return { fileGUID, readName: `${fileGUID}.tfc`, part, hasFile: false, image };
}

const flash = place('one', 'Flash', `${stem}.fls`, 4096);
const eeprom = place('one', 'EEPROM', `${stem}.epr`, 1024);
const micro = place('one', 'Micro', `${stem}.mpc`, 4096);
const other = place('two', 'modified', 'KESSv2_KV2-000007_1001_20261123-080001.bin', 4096);
const places = [flash, eeprom, micro, other];

const match = (name: string, size: number, sha256: string | null = 'changed') =>
  matchModified({ name, size, sha256 }, places, true);

// promise 4.tray.modified
describe('a modified file', () => {
  test.each([
    ['has the name of the decoded file', `${stem}.fls`, 4096, flash],
    ['has an addition at the end', `${stem}_stage1.fls`, 4096, flash],
    [
      'has an addition at the start, and other case',
      `tuned ${stem.toLowerCase()}.FLS`,
      4096,
      flash,
    ],
    ['has another extension after the whole name', `${stem}.epr.mod`, 1024, eeprom],
    [
      'has another extension, and a size that only one component has',
      `${stem}_mod.bin`,
      1024,
      eeprom,
    ],
    ['is of a read with one image', 'KESSv2_KV2-000007_1001_20261123-080001 (2).bin', 4096, other],
  ])('is placed if it %s', (_, name, size, found) => {
    expect(match(name, size)).toEqual({ at: 'place', place: found });
  });

  test.each([
    ['read-1001-modified.bin', 'read-1001'],
    ['READ-OBD-1001 stage1.bin', 'read-obd-1001'],
    ['my read-1001.ori', 'read-1001'],
  ])('is placed if it is named after a read and has its size: %s', (name, read) => {
    const reads = ['read-1001', 'obd-1001', 'read-obd-1001'].map((stem, index) => ({
      ...place(stem, 'modified', `KESSv2_${index}.bin`, 4096),
      readName: `${stem}.tfc`,
    }));
    const found = matchModified({ name, size: 4096, sha256: null }, reads, true);
    expect(found).toEqual({ at: 'place', place: reads.find(({ fileGUID }) => fileGUID === read) });
    const other = matchModified({ name, size: 17, sha256: null }, reads, true);
    expect(other).toEqual({ at: 'none' });
  });

  test('is asked about if the read after which it is named has a short name', () => {
    const short = { ...other, readName: 'a.tfc' };
    const found = matchModified({ name: 'stage1.bin', size: 4096, sha256: null }, [short], false);
    expect(found).toEqual({ at: 'asked', places: [short] });
  });

  test('is asked about if its name fits two components of its size', () => {
    expect(match(`${stem}_mod.bin`, 4096)).toEqual({ at: 'asked', places: [flash, micro] });
  });

  test('is asked about if only its size fits, and fits several reads or components', () => {
    expect(match('stage1.bin', 4096)).toEqual({ at: 'asked', places: [flash, micro, other] });
  });

  describe('whose size alone fits only one component of one read', () => {
    const stage1 = { name: 'stage1.bin', size: 1024, sha256: 'changed' };

    test('is placed once all reads are decoded', () => {
      expect(matchModified(stage1, places, true)).toEqual({ at: 'place', place: eeprom });
    });

    test('is asked about while other reads may fit too, or if the component has a file', () => {
      expect(matchModified(stage1, places, false)).toEqual({ at: 'asked', places: [eeprom] });
      const taken = { ...eeprom, hasFile: true };
      expect(matchModified(stage1, [flash, taken], true)).toEqual({ at: 'asked', places: [taken] });
    });
  });

  test.each([
    ['named after the decoded file', `${stem}_v2.fls`, flash],
    ['named after the read', 'first-read stage2.bin', { ...other, readName: 'first-read.tfc' }],
  ])('is asked about if it is %s, which already has a file', (_, name, fitting) => {
    const taken = { ...fitting, hasFile: true };
    const found = matchModified({ name, size: 4096, sha256: 'changed' }, [taken], true);
    expect(found).toEqual({ at: 'asked', places: [taken] });
  });

  test('is asked about if two reads have the same name', () => {
    const copy = { ...other, fileGUID: 'three' };
    const found = matchModified({ ...other.image, sha256: 'changed' }, [...places, copy], true);
    expect(found).toEqual({ at: 'asked', places: [other, copy] });
  });

  test('is reported if it has the name, but a different size', () => {
    expect(match(`${stem}_mod.fls`, 17)).toEqual({ at: 'size', place: flash });
  });

  test('is reported if it is the decoded file itself, under any name', () => {
    expect(match('copy.bin', 1024, eeprom.image.sha256)).toEqual({
      at: 'identical',
      place: eeprom,
    });
    const blank = { ...micro, image: { ...micro.image, sha256: flash.image.sha256 } };
    const found = matchModified(
      { ...micro.image, sha256: flash.image.sha256 },
      [flash, blank],
      true,
    );
    expect(found).toEqual({ at: 'identical', place: flash });
  });

  test('is not compared where the browser cannot compute hashes', () => {
    const unknown = { ...eeprom, image: { ...eeprom.image, sha256: null } };
    const found = matchModified({ name: `${stem}.epr`, size: 1024, sha256: null }, [unknown], true);
    expect(found.at).toBe('place');
  });

  test('belongs to no read if neither name nor size fits', () => {
    expect(match('holiday.bin', 5)).toEqual({ at: 'none' });
  });
});
