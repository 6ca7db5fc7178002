/** The bill of materials, which npm makes: complete, and only of the product. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '../steps.ts';
import { makeBom } from '../supply-chain/bom.ts';
import { readProductPackages } from '../supply-chain/production-packages.ts';

test('the bill of materials lists every package of the product, and our own', () => {
  const bom = makeBom();
  if (typeof bom === 'string') throw new Error(bom);
  expect(bom.metadata.component.name).toBe('recodery');
  const listed = bom.components.map(({ purl }) => decodeURIComponent(purl).split('?')[0]);
  const product = readProductPackages().map(({ name, version }) => `pkg:npm/${name}@${version}`);
  const manifest = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const own = ['contract', 'codec', 'server', 'web'].map(
    (name) => `pkg:npm/@recodery/${name}@${manifest.version}`,
  );
  expect(new Set(listed)).toEqual(new Set([...product, ...own]));
});
