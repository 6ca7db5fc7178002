/** The portal as `npm run dev` runs it: without the built pages, which Vite builds on request. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../server/src/main.ts';
import { projectDir } from './steps.ts';

const settings = join(projectDir, '.env');
if (existsSync(settings)) process.loadEnvFile(settings);
await main(['serve']);
