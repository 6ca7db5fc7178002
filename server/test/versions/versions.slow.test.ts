/**
 * The newest version on the data of each released one: a backup of each version is restored, which migrates it, and its
 * job is opened. `make-backup.sh` makes the backup of a version.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { job as jobSchema, listJobs } from '@recodery/contract/features/jobs/jobs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { findAccountByEmail } from '../../src/organisations/accounts.ts';
import { openPlatform } from '../../src/platform.ts';
import { startPortal } from '../../src/portal.ts';
import { describeSession } from '../../src/sign-in/describe-session.ts';
import { createSession } from '../../src/sign-in/sessions.ts';
import { Client } from '../fixtures/client.ts';
import { runCommand } from '../fixtures/command.ts';
import { createEmptyDatabase } from '../fixtures/database/test-database.ts';

const project = join(import.meta.dirname, '../../..');
const backups = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.tar.gz'));
const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

// promise d3.start.versions
test('there is a backup of each released version', async () => {
  const changelog = await readFile(join(project, 'CHANGELOG.md'), 'utf8');
  const released = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, name]) => name);
  expect(backups.toSorted()).toEqual(released.map((name) => `${name}.tar.gz`).toSorted());
});

// promise d3.start.versions
test.each(backups)('a job of %s opens with all its files', async (name) => {
  const folder = await mkdtemp(join(tmpdir(), 'recodery-versions-'));
  const tar = join(folder, 'backup.tar');
  await writeFile(tar, gunzipSync(await readFile(join(import.meta.dirname, name))));
  const database = await createEmptyDatabase();
  const settings = {
    RECODERY_DATA_DIR: join(folder, 'data'),
    RECODERY_DATABASE_URL: database.url,
    RECODERY_SECRET: 'the secret of the new installation',
    RECODERY_SECRET_FILE: '',
  };
  const config = readConfig(settings);
  const restored = await runCommand({ config, databaseUrl: database.url }, ['restore', tar], {
    settings,
  });
  expect([restored.code, restored.complaint]).toEqual([0, expect.any(String)]);

  const open = await openPlatform(config, silentLog, { as: 'command' });
  const { platform } = open;
  const portal = await startPortal(platform, 0);
  // the backup gets older, and its files would expire
  await sql`update stored_file set expires_on = now() + interval '1 day'`.execute(platform.db);
  const account = await findAccountByEmail(platform.db, 'anna@demo.test');
  const session = await createSession(platform.db, {
    accountGuid: account?.guid ?? '',
    idToken: null,
  });
  const { sessionID } = await describeSession(platform, session ?? '');
  const client = new Client(`http://127.0.0.1:${portal.port}`, sessionID);
  const jobs = listJobs.parts.answer.schema.parse((await client.call('GET', '/api/jobs')).json);
  expect(jobs).toHaveLength(1);
  const job = jobSchema.parse((await client.call('GET', `/api/jobs/${jobs[0]?.slotGUID}`)).json);
  expect(job).toMatchObject({ family: 'kessv2', slaveSerialNumber: 'KV2-000007' });
  const roles = ['decoded', 'encoded', 'id', 'modified', 'read'];
  expect(job.files.map(({ role }) => role).toSorted()).toEqual(roles);
  for (const { fileGUID, sha256 } of job.files)
    expect(hash((await client.call('GET', `/api/files/${fileGUID}`)).bytes)).toBe(sha256);
  client.close();
  await portal.stop();
  await open.close();
  await database.drop();
  await rm(folder, { recursive: true });
});
