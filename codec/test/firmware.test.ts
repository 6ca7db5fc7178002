/** The workflow with real firmware: open-source images next to the checkout, skipped if they are missing. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import { getCodec } from '../src/families/registry.ts';
import { compareImages } from '../src/compare.ts';
import { acceptEncoded } from '../src/simulator/slave.ts';
import { readPreamble } from '../src/container/preamble.ts';
import { otherSalt, sealedRead, slaveOf } from './slaves.ts';

const folder = new URL('../../../shared/firmware/', import.meta.url);
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.bin')) : [];

const ways: readonly [Family, Mode, ComponentName][] = [
  ['kessv2', 'obd', 'obd'],
  ['ktag', 'bootbench', 'flash'],
  ['kess3', 'obd', 'obd'],
  ['kess3', 'bootbench', 'micro'],
];

describe.skipIf(files.length === 0)('real firmware', () => {
  test.each(files)('%s comes back byte for byte, and so does its tune', (file) => {
    const image = readFileSync(new URL(file, folder));
    expect(readPreamble(image.subarray(0, 64), image.length)).toEqual({
      internalCode: 'FILE_NOT_RECOGNIZED',
    });
    const tuned = Buffer.from(image);
    tuned.fill(0x55, 1000, 1100);
    for (const [family, mode, name] of ways) {
      const slave = slaveOf(family);
      const sealed = sealedRead(family, [{ name, bytes: image }], { mode });
      const read = { file: sealed, pairKey: slave.pairKey };
      const codec = getCodec(family);
      const [decoded] = codec.decode({ ...read, skipChecksum: false }).components;
      expect(image.equals(decoded?.bytes ?? Buffer.of())).toBe(true);
      const encoded = codec.encode({
        ...read,
        modified: [{ name, bytes: tuned }],
        original: null,
        removed: [],
        willCorrectCVN: false,
        willSkipChecksum: false,
        fileSalt: otherSalt,
        number: 1,
      });
      const [written] = acceptEncoded({ ...slave, file: encoded.sealed.whole() }).components;
      expect(tuned.equals(written?.bytes ?? Buffer.of())).toBe(true);
    }
    expect(compareImages(image, tuned)).toMatchObject({ regions: 1, size: image.length });
  });
});
