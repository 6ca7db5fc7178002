/** The portal as `npm run dev` runs it: without the built pages, which Vite builds on request. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../server/src/main.ts';
import { projectDir } from './steps.ts';

// The portal starts again whenever a file changes, which may belong to the engines.
const build = join(projectDir, 'tools/launch/build-engine.mjs');
if (spawnSync(process.execPath, [build], { stdio: 'inherit' }).status !== 0) process.exit(1);
const settings = join(projectDir, '.env');
if (existsSync(settings)) process.loadEnvFile(settings);
await main(['serve']);
