/** Prepares the data folders that tests copy if their sources have changed; see `server/test/fixtures/prepared-folder.ts`. */
import { ensureMade } from './build.mjs';

const name = `prepared-${process.getuid?.() ?? 0}`;
const script = 'server/test/fixtures/prepare-folders.ts';

const isMade = await ensureMade(process.execPath, name, {
  title: 'the data folders for tests',
  results: [`.launcher/${name}/demo/postgres.json`],
  sources: [
    'codec/src',
    'contract/src',
    'server/src',
    'server/migrations',
    script,
    'package.json',
    'package-lock.json',
  ],
  commands: [{ folder: '.', words: [script] }],
});
if (!isMade) process.exitCode = 1;
