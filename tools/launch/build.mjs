/** Builds the pages, the program of the engines, and the packages, when their sources have changed since the last build. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { whileAlone } from './lock.mjs';
import { packagesIndex, projectDir, say } from './project.mjs';

/**
 * Something that is made from sources.
 * @typedef {object} Product
 * @property {string} title
 * @property {readonly string[]} results files that exist if it was built
 * @property {readonly string[]} sources
 * @property {readonly { readonly folder: string, readonly words: readonly string[] }[]} commands of Node
 */

const rolldown = 'node_modules/rolldown/bin/cli.mjs';

/** The two files of the program: what checks the system first, and the engine itself. */
const engineFiles = ['entry', 'engine-process'];

/** @param {string} name */
function fileOf(name) {
  return `server/dist/engine/${name}.mjs`;
}

/**
 * Makes one file of a program of the engines and all that it imports: it starts six times as fast as its sources, in half
 * of the memory, and is all that an engine has to read.
 * @param {string} name
 */
function bundle(name) {
  const words = ['--format', 'esm', '--platform', 'node'];
  const source = `server/src/engine/built-in/${name}.ts`;
  return { folder: '.', words: [rolldown, source, '--file', fileOf(name), ...words] };
}

const lock = ['package.json', 'package-lock.json'];
const packages = [...lock, 'tsconfig.base.json'];
const bundlePackages = 'tools/launch/bundle-packages.mjs';

/**
 * What is built, in this order.
 * @type {Readonly<Record<'packages' | 'engine' | 'pages', Product>>}
 */
const products = {
  packages: {
    title: 'the packages of the program',
    results: [relative(projectDir, packagesIndex)],
    sources: [
      bundlePackages,
      ...['codec', 'contract', 'server'].map((workspace) => `${workspace}/package.json`),
      ...lock,
    ],
    commands: [{ folder: '.', words: [bundlePackages] }],
  },
  engine: {
    title: 'the program of the engines',
    results: engineFiles.map(fileOf),
    sources: ['codec/src', 'contract/src', 'server/src/engine/built-in', ...packages],
    commands: engineFiles.map(bundle),
  },
  pages: {
    title: 'the pages',
    results: ['web/dist/index.html'],
    // with those of the program that the pages offer for download
    sources: [
      'web',
      'contract/src',
      'contract/package.json',
      'server/src/cli',
      'server/src/config',
      'server/src/encoding-api-client',
      'server/src/portal-client',
      'server/src/queue/retry-rules.ts',
      'server/package.json',
      ...packages,
    ],
    commands: [
      { folder: 'web', words: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'] },
    ],
  },
};
/** Folders without sources. */
const passedOver = new Set(['node_modules', 'dist', 'test']);

/**
 * Makes sure that products are built from the current sources. Returns false if a build fails (its tool prints the
 * reason).
 * @param {string} node the Node binary to build with
 * @param {readonly (keyof typeof products)[]} names
 * @returns {Promise<boolean>}
 */
export async function ensureBuilt(node, names = ['packages', 'engine', 'pages']) {
  for (const name of names) {
    if (await ensureMade(node, name, products[name])) continue;
    if (name !== 'packages') return false;
    say('Recodery starts more slowly without them.');
  }
  return true;
}

/** Whether the packages are bundled as they are installed. Each command asks, with any account: this never fails. */
export function arePackagesBuilt() {
  return isBuilt('packages', products.packages);
}

/**
 * As {@link ensureBuilt}, for anything that is made from sources.
 * @param {string} node
 * @param {string} name the name of the file in the launcher's folder that records from what it was made
 * @param {Product} product
 * @returns {Promise<boolean>}
 */
export async function ensureMade(node, name, product) {
  if (isBuilt(name, product)) return true;
  return whileAlone(async () => {
    if (isBuilt(name, product)) return true;
    const { title, commands } = product;
    say(`building ${title} …`);
    const began = Date.now();
    rmSync(markerFile(name), { force: true });
    const files = listSources(product);
    const marker = { stats: statsOf(files), contents: contentsOf(files) };
    for (const command of commands) {
      if (await run(node, command)) continue;
      say(`could not build ${title}.`);
      return false;
    }
    writeMarker(name, marker);
    say(`built ${title} (${((Date.now() - began) / 1000).toFixed(1)} s).`);
    return true;
  });
}

/** @param {string} name */
function markerFile(name) {
  return join(projectDir, '.launcher', `${name}.json`);
}

/**
 * Written beside and renamed, because other launchers read it at any time.
 * @param {string} name
 * @param {object} marker
 */
function writeMarker(name, marker) {
  const file = markerFile(name);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(marker));
  renameSync(draft, file);
}

/**
 * Compares sizes and modification times first; if those differ (a fresh checkout, a copy), compares the contents.
 * @param {string} name
 * @param {Product} product
 */
function isBuilt(name, product) {
  if (!product.results.every((result) => existsSync(join(projectDir, result)))) return false;
  try {
    const built = JSON.parse(readFileSync(markerFile(name), 'utf8'));
    const sources = listSources(product);
    const stats = statsOf(sources);
    if (built.stats === stats) return true;
    const contents = contentsOf(sources);
    if (built.contents !== contents) return false;
    refreshMarker(name, { stats, contents });
    return true;
  } catch {
    // without a readable marker, it is built again
    return false;
  }
}

/**
 * Another account cannot write it, and compares the contents each time.
 * @param {string} name
 * @param {object} marker
 */
function refreshMarker(name, marker) {
  try {
    writeMarker(name, marker);
  } catch {}
}

/**
 * @param {Product} product
 * @returns {string[]}
 */
function listSources({ sources }) {
  return sources.flatMap((path) => listFiles(join(projectDir, path))).sort();
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function listFiles(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !passedOver.has(name))
    .flatMap((name) => listFiles(join(path, name)));
}

/** @param {readonly string[]} files */
function statsOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(projectDir, file)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** @param {readonly string[]} files */
function contentsOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = createHash('sha256').update(readFileSync(file)).digest('hex');
    hash.update(`${relative(projectDir, file)}\0${content}\n`);
  }
  return hash.digest('hex');
}

/**
 * @param {string} node
 * @param {Product['commands'][number]} command
 * @returns {Promise<boolean>}
 */
function run(node, { folder, words: [script = '', ...others] }) {
  return new Promise((resolve) => {
    const child = spawn(node, [join(projectDir, script), ...others], {
      cwd: join(projectDir, folder),
      // the tools print what is wrong to stderr; our own stdout is reserved for the program's output
      stdio: ['ignore', 'ignore', 2],
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
