/**
 * Prepares the data folders that tests copy if their sources have changed; see `server/test/fixtures/prepared-folder.ts`. With
 * the word `demo`, also the one with the demo workspace, which every source can change.
 */
import { ensureMade } from './build.mjs';

const script = 'server/test/fixtures/prepare-folders.ts';
const place = `prepared-${process.getuid?.() ?? 0}`;
const sources = {
  tables: ['server/migrations', 'server/src/postgres'],
  demo: ['server/migrations', 'server/src', 'codec/src', 'contract/src'],
};

/** @param {keyof typeof sources} contents */
function ensurePrepared(contents) {
  return ensureMade(process.execPath, `${place}-${contents}`, {
    title: `the data folder for tests: ${contents}`,
    results: [`.launcher/${place}/${contents}/postgres.json`],
    sources: [...sources[contents], script, 'package.json', 'package-lock.json'],
    commands: [{ folder: '.', words: [script, contents] }],
  });
}

const isMade =
  (await ensurePrepared('tables')) &&
  (process.argv[2] !== 'demo' || (await ensurePrepared('demo')));
if (!isMade) process.exitCode = 1;
