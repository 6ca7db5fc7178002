/** Builds the pages when their sources have changed since the last build. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { whileAlone } from './lock.mjs';
import { launcherDir, projectDir, say } from './project.mjs';

/** The sources of the pages, and of the program that they offer for download. */
const sources = [
  'web',
  'contract/src',
  'contract/package.json',
  'server/src/cli',
  'server/src/config',
  'server/src/encoding-api-client',
  'server/src/portal-client',
  'server/src/queue/retry-rules.ts',
  'server/package.json',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
];
/** Folders without sources. */
const passedOver = new Set(['node_modules', 'dist', 'test']);

/**
 * Makes sure that `web/dist` is built from the current sources. Returns false if the build fails (Vite prints the
 * reason).
 * @param {string} node the Node binary to build with
 * @returns {Promise<boolean>}
 */
export async function ensureBuilt(node) {
  if (isBuilt()) return true;
  return whileAlone(async () => {
    if (isBuilt()) return true;
    say('building the pages …');
    const began = Date.now();
    rmSync(markerFile(), { force: true });
    const files = listSources();
    const marker = { stats: statsOf(files), contents: contentsOf(files) };
    if (!(await build(node))) {
      say('could not build the pages.');
      return false;
    }
    writeFileSync(markerFile(), JSON.stringify(marker));
    say(`built the pages (${((Date.now() - began) / 1000).toFixed(1)} s).`);
    return true;
  });
}

function markerFile() {
  return join(launcherDir(), 'pages.json');
}

/** Compares sizes and modification times first; if those differ (a fresh checkout, a copy), compares the contents. */
function isBuilt() {
  if (!existsSync(join(projectDir, 'web/dist/index.html')) || !existsSync(markerFile()))
    return false;
  const marker = JSON.parse(readFileSync(markerFile(), 'utf8'));
  const files = listSources();
  const stats = statsOf(files);
  if (marker.stats === stats) return true;
  const contents = contentsOf(files);
  if (marker.contents !== contents) return false;
  writeFileSync(markerFile(), JSON.stringify({ stats, contents }));
  return true;
}

/** @returns {string[]} */
function listSources() {
  return sources.flatMap((name) => listFiles(join(projectDir, name))).sort();
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
 * @returns {Promise<boolean>}
 */
function build(node) {
  const vite = join(projectDir, 'node_modules/vite/bin/vite.js');
  return new Promise((resolve) => {
    const child = spawn(node, [vite, 'build', '--logLevel', 'error'], {
      cwd: join(projectDir, 'web'),
      stdio: ['ignore', 2, 2],
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
