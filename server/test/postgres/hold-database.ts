/**
 * A process for the tests of the embedded PostgreSQL: opens a data folder's database, reports it, and closes it on
 * request.
 */
import { openForCommand, openForServe } from '../../src/postgres/embedded/embedded.ts';
import { silentLog } from '../fixtures/silent-log.ts';

const [, , as, dataDir = ''] = process.argv;
const database =
  as === 'serve'
    ? await openForServe(dataDir, silentLog, () => process.exit(3))
    : await openForCommand(dataDir);
process.stdout.write(`${JSON.stringify({ url: database.url, isMoved: database.home.isMoved })}\n`);
process.stdin.once('data', async () => {
  await database.close();
  process.exit(0);
});
