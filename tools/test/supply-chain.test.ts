/** The packages of the product: exact versions, hashes, no archive from other registries, and allowed licenses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../steps.ts';
import { judgeLicense } from '../supply-chain/license-rules.ts';
import {
  type LockedPackage,
  readLock,
  readProductPackages,
} from '../supply-chain/production-packages.ts';

const read = (file: string): string => readFileSync(join(projectDir, file), 'utf8');

describe('package-lock.json', () => {
  test('has a SHA-512 hash for every archive', () => {
    const archives = readLock().filter(({ isBundled }) => !isBundled);
    expect(archives.length).toBeGreaterThan(300);
    const without = archives.filter(
      ({ integrity }) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
    );
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  test('has a hash for the archive around each bundled package', () => {
    const all = readLock();
    const loose = all.filter(
      ({ path, isBundled }) =>
        isBundled &&
        !all.some((other) => other.integrity !== null && path.startsWith(`${other.path}/`)),
    );
    expect(loose.map(({ path }) => path)).toEqual([]);
  });

  test('names the address of every archive, in the public registry', () => {
    // Without it, npm asks the registry for all versions of the package. It replaces the host by that of another registry.
    const archives = readLock().filter(({ isBundled }) => !isBundled);
    const elsewhere = archives.filter(
      ({ resolved }) => !resolved?.startsWith('https://registry.npmjs.org/'),
    );
    expect(elsewhere.map(({ path, resolved }) => [path, resolved])).toEqual([]);
  });
});

test.each(['', 'contract/', 'codec/', 'server/', 'web/'])(
  '%spackage.json names exact versions',
  (folder) => {
    const file = JSON.parse(read(`${folder}package.json`)) as Record<string, unknown>;
    const named = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.entries((file[kind] ?? {}) as Record<string, string>),
    );
    const loose = named.filter(
      ([, version]) => !/^(npm:[@\w/-]+@)?\d+\.\d+\.\d+[\w.-]*$/.test(version),
    );
    expect(loose).toEqual([]);
  },
);

describe('the license', () => {
  const one = (name: string, license: string | null): LockedPackage => ({
    ...{ path: `node_modules/${name}`, name, version: '1.0.0', license },
    ...{ integrity: null, resolved: null, isBundled: false, isDevelopment: false },
  });

  test('of every package of the product is allowed', () => {
    const judged = readProductPackages().map(judgeLicense);
    expect(judged.length).toBeGreaterThan(300);
    expect(judged.filter(({ isAllowed }) => !isAllowed)).toEqual([]);
  });

  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['GPL-3.0-only', false],
    ['AGPL-3.0-or-later', false],
    ['MIT AND GPL-2.0-only', false],
    ['SEE LICENSE IN LICENSE.md', false],
    ['MPL-2.0', false],
    [null, false],
  ])('%s is allowed for any package: %s', (license, isAllowed) => {
    expect(judgeLicense(one('any', license)).isAllowed).toBe(isAllowed);
  });

  test('MPL-2.0 is allowed where its condition is met', () => {
    expect(judgeLicense(one('lightningcss-linux-x64-gnu', 'MPL-2.0')).isAllowed).toBe(true);
  });
});
