/**
 * Restores a backup as `recodery restore` does, and is killed in the middle, or has lost its database there: a process of
 * its own. Arguments: the backup, the step, the number of entries of that step, and `kill` or the address for an
 * administrator of the database.
 */
import { spawnSync } from 'node:child_process';
import { restoreBackup } from '../../src/backup/restore.ts';
import { readConfig } from '../../src/config/config.ts';
import { silentLog } from '../fixtures/silent-log.ts';

const [path = '', step = '', entries = '', how = ''] = process.argv.slice(2);

const endConnections = `
  import pg from 'pg';
  const client = new pg.Client({ connectionString: process.argv[1] });
  await client.connect();
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity"
    + " where datname = current_database() and pid <> pg_backend_pid()");
  await client.end();`;

let current = '';
let left = Number(entries);
await restoreBackup(path, {
  config: readConfig(process.env),
  log: silentLog,
  mayReplace: false,
  onStep: (text) => {
    current = text;
  },
  onProgress: () => {
    if (!current.startsWith(step)) return;
    left -= 1;
    if (left !== 0) return;
    if (how === 'kill') process.kill(process.pid, 'SIGKILL');
    else spawnSync(process.execPath, ['--input-type=module', '-e', endConnections, how]);
  },
});
