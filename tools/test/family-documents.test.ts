/** The documents that list the families name each of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  containerFamilies,
  definitionOf,
  families,
  type Family,
} from '@recodery/contract/families/registry';
import { describe, expect, test } from 'vitest';
import { projectDir } from '../steps.ts';

const guideFolder = 'server/src/guide/texts';
const guides = readdirSync(join(projectDir, guideFolder)).map((name) => `${guideFolder}/${name}`);
const nameOf = (family: Family): string => definitionOf(family).name;
const services = families.filter((family) => !containerFamilies.some((one) => one === family));

/** The families that each document names, and how. */
const documents: readonly (readonly [
  path: string,
  listed: readonly Family[],
  wordOf: (family: Family) => string,
])[] = [
  ...['README.md', 'ARCHITECTURE.md', ...guides].map((path) => [path, families, nameOf] as const),
  ['docs/directory.md', families, (family) => `\`${family}\``],
  ['docs/receipts.md', families, (family) => `\`${family}\``],
  ['docs/operators.md', services, (family) => `--kind ${family}`],
];

describe.each(documents)('%s', (path, listed, wordOf) => {
  const text = readFileSync(join(projectDir, path), 'utf8');

  test.each(listed)('names %s', (family) => {
    expect(text).toContain(wordOf(family));
  });
});
