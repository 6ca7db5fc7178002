/** package-lock.json contains every package that any system needs: `npm ci` refuses a lock file that does not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../steps.ts';

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly link?: boolean;
  readonly integrity?: string;
  /** It is bundled in another package, and covered by the checksum of that package. */
  readonly inBundle?: boolean;
}

type Lock = Readonly<Record<string, Locked>>;

const { packages } = JSON.parse(readFileSync(join(projectDir, 'package-lock.json'), 'utf8')) as {
  readonly packages: Lock;
};

/** The path where Node finds a package that a folder requires: there, or in a parent folder. */
function isLocked(lock: Lock, from: string, name: string): boolean {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (lock[path] !== undefined) return true;
  if (from === '') return false;
  const above = from.lastIndexOf('node_modules/');
  return isLocked(lock, from.slice(0, Math.max(0, above - 1)), name);
}

/** Each package that a locked one requires and that is not locked itself. */
function missingFrom(lock: Lock): readonly string[] {
  return Object.entries(lock).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(lock, path, name))
      .map((name) => `${path === '' ? 'the project' : path} needs ${name}`),
  );
}

describe('package-lock.json', () => {
  test('contains every package that another one requires, including those for other systems', () => {
    expect(missingFrom(packages)).toEqual([]);
  });

  test('contains the checksum of every package', () => {
    const unchecked = Object.entries(packages)
      .filter(([path]) => path.includes('node_modules/'))
      .filter(([, { link, inBundle, integrity }]) => !link && !inBundle && integrity === undefined);
    expect(unchecked.map(([path]) => path)).toEqual([]);
  });

  test('fails these tests if a single package for another system is missing', () => {
    const ofSystems = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    expect(new Set(ofSystems).size).toBeGreaterThan(50);
    const [first = ''] = ofSystems;
    const { [`node_modules/${first}`]: left, ...others } = packages;
    expect(left).toBeDefined();
    expect(missingFrom(others)).not.toEqual([]);
  });
});
