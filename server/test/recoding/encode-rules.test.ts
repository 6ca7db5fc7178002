/** What an encode needs and why it is refused, as a table. */
import type { ComponentName } from '@recodery/contract/families/family';
import { engineDefinitions } from '@recodery/contract/features/engines';
import { describe, expect, test } from 'vitest';
import {
  canEncodeUnchanged,
  encodeRefusal,
  isOriginalNeeded,
} from '../../src/recoding/encode-rules.ts';

const image = (component: ComponentName) => ({
  component,
  fileGuid: `file-${component}`,
  name: `${component}.bin`,
  size: 1,
});
const obd = {
  isOneImage: true,
  components: [image('obd')],
  isOriginalFileNeeded: false,
  isChecksumCorrectionNeeded: false,
};
const missing = { ...obd, components: [], isOriginalFileNeeded: true };
const ruled = { ...obd, isChecksumCorrectionNeeded: true };
const bench = { ...obd, isOneImage: false, components: [image('flash'), image('eeprom')] };
const nothing = {
  modified: [],
  originalFileGuid: null,
  removed: [],
  reencode: false,
  willSkipChecksum: false,
};
const modified = (...components: ComponentName[]) => ({
  ...nothing,
  modified: components.map((component) => ({ component, fileGuid: 'm' })),
});
const original = { originalFileGuid: 'o' };
const notPossible = 'OPERATION_NOT_POSSIBLE';
const noOriginal = 'FILE_NOT_COMPATIBLE_WITH_READ_FILE';

describe('an encode of one image', () => {
  test.each([
    ['with a modified image', obd, modified('obd'), null],
    ['without a modified image', obd, nothing, notPossible],
    ['with an image for a component', obd, modified('flash'), notPossible],
    ['with two images', obd, modified('obd', 'flash'), notPossible],
    [
      'with a removed component',
      obd,
      { ...modified('obd'), removed: ['obd'] as const },
      notPossible,
    ],
    ['of the decoded image again', obd, { ...nothing, reencode: true }, null],
    ['of an image that the read lacks', missing, { ...nothing, reencode: true }, notPossible],
    ['again if a rule needs the original', ruled, { ...nothing, reencode: true }, notPossible],
    [
      'again if the rule that needs the original is skipped',
      ruled,
      { ...nothing, reencode: true, willSkipChecksum: true },
      null,
    ],
    ['without the original that its read lacks', missing, modified('obd'), noOriginal],
    ['with the original that its read lacks', missing, { ...modified('obd'), ...original }, null],
    ['whose rule needs the original', ruled, modified('obd'), noOriginal],
    ['whose rule has its original', ruled, { ...modified('obd'), ...original }, null],
    ['whose rule is skipped', ruled, { ...modified('obd'), willSkipChecksum: true }, null],
    [
      'whose read lacks it, rules skipped',
      missing,
      { ...modified('obd'), willSkipChecksum: true },
      noOriginal,
    ],
  ])('%s', (_, read, ask, refusal) => {
    expect(encodeRefusal(read, ask, engineDefinitions['built-in'].offers)).toBe(refusal);
  });
});

describe('an encode of components', () => {
  test.each([
    ['all from the backup', bench, nothing, null],
    ['one modified', bench, modified('flash'), null],
    ['one that the backup lacks', bench, modified('micro'), null],
    ['one removed', bench, { ...nothing, removed: ['eeprom'] as const }, null],
    ['all removed', bench, { ...nothing, removed: ['eeprom', 'flash'] as const }, notPossible],
    [
      'all of the backup removed, another added',
      bench,
      { ...modified('micro'), removed: ['eeprom', 'flash'] as const },
      null,
    ],
    ['with an OBD image', bench, modified('obd'), notPossible],
    ['of the decoded image again', bench, { ...nothing, reencode: true }, notPossible],
  ])('%s', (_, read, ask, refusal) => {
    expect(encodeRefusal(read, ask, engineDefinitions['built-in'].offers)).toBe(refusal);
  });
});

test('the original is needed for a missing image, and for a rule unless rules are skipped', () => {
  expect([obd, missing, ruled].map((read) => isOriginalNeeded(read))).toEqual([false, true, true]);
  expect([missing, ruled].map((read) => isOriginalNeeded(read, true))).toEqual([true, false]);
});

// promise 4.encode.reencode-image
test('only a decoded image that needs no original can be encoded again', () => {
  expect([obd, missing, ruled, bench].map((read) => canEncodeUnchanged(read))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

describe('an encode by the engine of a vendor', () => {
  const offers = engineDefinitions['encoding-api'].offers;

  test('modifies what was read', () => {
    expect(encodeRefusal(bench, modified('flash'), offers)).toBeNull();
  });

  test('removes no component', () => {
    const ask = { ...nothing, removed: ['eeprom'] as const };
    expect(encodeRefusal(bench, ask, offers)).toBe(notPossible);
  });

  test('skips no checksum', () => {
    const ask = { ...modified('flash'), willSkipChecksum: true };
    expect(encodeRefusal(bench, ask, offers)).toBe(notPossible);
  });
});
