/** A process for the tests of the embedded PostgreSQL: opens a data folder's database, says so, and closes it when told. */
import { openForCommand, openForServe } from '../../src/postgres/embedded.ts';
import { silentLog } from '../../src/config/log.ts';

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
