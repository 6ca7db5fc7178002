#!/usr/bin/env node
/**
 * The launcher: installs and builds what is missing, then runs the program with Node 24. It is plain JavaScript for Node 20
 * and later, because a new machine may have an older Node.
 */
import { existsSync } from 'node:fs';
import * as nodeModules from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from './tools/launch/build.mjs';
import { ensureInstalled } from './tools/launch/install.mjs';
import { findNode, refuseOldNode, rerun } from './tools/launch/node.mjs';
import { watchNpm } from './tools/launch/parents.mjs';
import { compileCacheDir, isImage, projectDir, say } from './tools/launch/project.mjs';

/** The Node version that the program needs. */
const neededMajor = 24;
/** Commands and tools that need all that is built; most others start without it. */
const needsAll = [
  'serve',
  'test',
  'audit',
  'bench',
  'browsers',
  'chaos',
  'journeys',
  'pictures',
  'release-check',
];

/** Those that need only the program of the engines. */
const needsEngine = ['doctor'];

const words = process.argv.slice(2);
const tool = words[0] === '--tool' ? (words[1] ?? '') : null;
const tools = [
  'audit',
  'bench',
  'browsers',
  'chaos',
  'check',
  'confusion',
  'dev',
  'fuzz',
  'journeys',
  'licenses',
  'pack-remote',
  'pictures',
  'release-check',
  'sbom',
  'test',
];

// Node opens its inspector when it receives SIGUSR1. Any process of our account could send it, and control us through the
// inspector. A handler prevents this in every version, also where --disable-sigusr1 is missing.
process.on('SIGUSR1', () => undefined);

async function launch() {
  const old = refuseOldNode(process.versions.node);
  if (old !== null) {
    say(old);
    return 1;
  }
  // By then the program handles the signal; before that, there is nothing to shut down.
  watchNpm(() => process.kill(process.pid, 'SIGTERM'));
  if (tool !== null && !tools.includes(tool)) {
    say(`--tool must be one of ${tools.join(', ')}.`);
    return 2;
  }
  if (!isImage && !(await ensureInstalled(tool === null ? 'product' : 'full'))) return 1;
  const isNodeNewEnough = Number(process.versions.node.split('.')[0]) >= neededMajor;
  const node = isNodeNewEnough ? process.execPath : findNode();
  if (node === null) {
    say(`Recodery needs Node ${neededMajor}, and there is no Node package for this system.`);
    return 1;
  }
  const asksForHelp = words.includes('--help') || words.includes('-h');
  const started = tool ?? words[0] ?? '';
  if (!isImage && !asksForHelp) {
    if (needsAll.includes(started) && !(await ensureBuilt(node))) return 1;
    if (needsEngine.includes(started) && !(await ensureBuilt(node, ['engine']))) return 1;
  }
  const settings = join(projectDir, '.env');
  // The tests must not see the settings of a developer's own portal.
  if (tool === null && existsSync(settings)) process.loadEnvFile?.(settings);
  if (!isNodeNewEnough) return rerun(node, fileURLToPath(import.meta.url), words);
  // The compile cache halves the time of the next start. Without write access to its folder, nothing else changes.
  nodeModules.enableCompileCache?.(compileCacheDir);
  if (tool !== null) {
    const { run } = await import(`./tools/${tool}.ts`);
    return run(words.slice(2));
  }
  await import('./tools/launch/use-packages.mjs');
  const { main } = await import('./server/src/main.ts');
  return main(words);
}

process.exitCode = await launch();
