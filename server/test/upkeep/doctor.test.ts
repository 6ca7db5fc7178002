/** The findings of `recodery doctor`: none on a healthy installation, and each planted fault with advice. */
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { describeIsolation, noIsolation } from '../../src/engine/built-in/isolation.ts';
import { listUntrustedProxies } from '../../src/service-status/portals.ts';
import { readConfig } from '../../src/config/config.ts';
import { newGuid } from '../../src/config/guids.ts';
import { startPortal } from '../../src/portal.ts';
import { checkPortal } from '../../src/upkeep/check-portal.ts';
import { reportWorker } from '../../src/service-status/workers.ts';
import { freePort } from '../fixtures/free-port.ts';
import { createEmptyDatabase } from '../fixtures/database/test-database.ts';
import { startTestPortal } from '../fixtures/running-portal.ts';
import { createTestPlatform } from '../fixtures/test-platform.ts';
import { startMailServer } from '../email/mail-server.ts';
import { examinePlatform, statesOf, textOf } from './examined-platform.ts';

const {
  platform,

  workerGuid,
  configOf,
  findAll,
  find,

  isolation,
  weakness,
  isolationState,
  allWell,
} = await examinePlatform();

// promise d3.care.doctor
test('a healthy installation has no errors, and doctor changes nothing', async () => {
  const server = await startMailServer();
  const settings = { RECODERY_SMTP_URL: server.url, RECODERY_MAIL_FROM: 'portal@example.org' };
  expect(statesOf(await find(settings))).toEqual(allWell);
  expect(server.emails).toEqual([]);
  await server.stop();
});

test('checks the portal at the configured port: another program is an error, no program is a warning', async () => {
  const other = createServer((_request, response) => response.end('not ours'));
  // no other program gets this port once nothing listens on it
  const port = String(await freePort());
  await once(other.listen(Number(port), '127.0.0.1'), 'listening');
  const wrong = await find({ RECODERY_PORT: port });
  expect(statesOf(wrong)).toEqual({ ...allWell, portal: 'wrong' });
  expect(textOf(wrong, 'portal')).toContain(`Another program responds at http://127.0.0.1:${port}`);
  other.close();
  await once(other, 'close');
  const found = await find({ RECODERY_PORT: port, RECODERY_HOST: '0.0.0.0' });
  expect(statesOf(found)).toEqual({ ...allWell, portal: 'warning' });
  expect(textOf(found, 'portal')).toContain(`No portal responds at http://127.0.0.1:${port}`);
  const { portal: _skipped, ...others } = allWell;
  expect(statesOf(await find({ RECODERY_PORT: port, RECODERY_ROLES: 'worker' }))).toEqual(others);
});

// promise d3.care.doctor
test('reports a portal of another installation at the configured port as an error', async () => {
  const other = await createTestPlatform();
  const running = await startPortal(other, 0);
  const findings = await find({ RECODERY_PORT: String(running.port) });
  expect(statesOf(findings)).toEqual({ ...allWell, portal: 'wrong' });
  expect(textOf(findings, 'portal')).toContain('belongs to another installation');
  await running.stop();
  await other.stop();
});

test('warns about a portal that does not report to this database, as with a copy of it', async () => {
  await sql`update portal_report set reported_on = now() + interval '1 hour'`.execute(platform.db);
  expect(statesOf(await find())).toEqual(allWell);
  // a running portal reports every five seconds, so its clock is moved only while doctor looks
  const findings = await platform.db.transaction().execute(async (trx) => {
    await sql`update portal_report set reported_on = now() - interval '60 s'`.execute(trx);
    return checkPortal(trx, configOf());
  });
  expect(findings).toEqual(['warning', expect.stringContaining('has not reported')]);
});

describe('secret files', () => {
  const openFolder = async () => {
    // every folder above it is open to all accounts
    const folder = await mkdtemp('/var/tmp/recodery-doctor-');
    await chmod(folder, 0o755);
    return folder;
  };

  test.each([
    ['the secret', 'secret', 'a secret of the operator', 0o644, 'wrong'],
    ['a secret for a group', 'secret', 'a secret of the operator', 0o640, 'ok'],
    [
      'settings with a secret',
      '.env',
      'RECODERY_SMTP_URL=smtp://me:word@mail.test',
      0o644,
      'wrong',
    ],
    ['settings without a secret', '.env', 'RECODERY_PORT=8081\nRECODERY_SECRET=', 0o644, 'ok'],
  ])('%s', async (_, file, content, mode, state) => {
    const dir = await openFolder();
    const path = join(dir, file);
    await writeFile(path, content);
    await chmod(path, mode);
    const config = { ...configOf(), projectDir: dir };
    const findings = await findAll(file === '.env' ? config : { ...config, secretFile: path });
    const found = findings.find(({ what }) => what === 'secret files');
    expect(found?.state).toBe(state);
    if (state === 'wrong') expect(found?.text).toContain(`Run: chmod o-rwx ${path}`);
    // in a folder that others cannot enter, they cannot read it either
    await chmod(dir, 0o700);
    const closed = await findAll(file === '.env' ? config : { ...config, secretFile: path });
    expect(closed.find(({ what }) => what === 'secret files')?.state).toBe('ok');
    await rm(dir, { recursive: true });
  });
});

describe('a proxy that is not trusted', () => {
  const forwarded = { headers: { 'X-Forwarded-For': '203.0.113.9' } };

  test('is reported once a request came through it, with the remedy, and logged once', async () => {
    const other = await startTestPortal({}, false);
    const settings = {
      RECODERY_DATA_DIR: other.platform.config.dataDir,
      RECODERY_DATABASE_URL: other.platform.databaseUrl,
      RECODERY_SECRET_FILE: join(other.platform.config.dataDir, 'secret'),
      RECODERY_PORT: new URL(other.url).port,
    };
    await fetch(other.url);
    expect(textOf(await find(settings), 'proxy')).toBeUndefined();
    await fetch(other.url, forwarded);
    await fetch(other.url, forwarded);
    await expect
      .poll(async () => textOf(await find(settings), 'proxy'))
      .toMatch(
        /^Requests with X-Forwarded-For come from 127\.0\.0\.1, not trusted\..* RECODERY_TRUSTED_PROXIES/,
      );
    const logged = other.platform.logLines.filter((line) => line.includes('"proxy":"127.0.0.1"'));
    expect(logged).toHaveLength(1);
    await other.stop();
  });

  // every address of 127.0.0.0/8 is this machine on Linux only
  test.runIf(process.platform === 'linux')(
    'is reported with the others: the last eight, whose number strangers cannot raise',
    async () => {
      const other = await startTestPortal({}, false);
      const send = async (localAddress: string) => {
        const sent = request(other.url, { ...forwarded, localAddress }).end();
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        response.resume();
        await once(response, 'end');
      };
      const addresses = Array.from({ length: 12 }, (_, index) => `127.0.1.${index + 10}`);
      for (const address of addresses) await send(address);
      // a proxy that is in use stays in the list
      await send('127.0.1.14');
      await send('127.0.1.30');
      const last = ['14', '15', '16', '17', '18', '19', '20', '21', '30'].filter((n) => n !== '15');
      await expect
        .poll(() => listUntrustedProxies(other.platform.db))
        .toEqual(last.map((n) => `127.0.1.${n}`));
      const logged = other.platform.logLines.filter((line) => line.includes('"proxy":"127.0.1.'));
      expect(logged).toHaveLength(8);
      await other.stop();
    },
  );

  test('is not reported if it is trusted', async () => {
    const other = await startTestPortal({ RECODERY_TRUSTED_PROXIES: '127.0.0.1' }, false);
    await fetch(other.url, forwarded);
    await other.stop();
    expect(other.platform.logLines.join('')).not.toContain('"proxy"');
  });

  test('is reported without any request if the public address is https', async () => {
    const settings = { RECODERY_PUBLIC_URL: 'https://portal.example.org' };
    expect(textOf(await find(settings), 'proxy')).toContain('RECODERY_PUBLIC_URL is https');
    const trusted = { ...settings, RECODERY_TRUSTED_PROXIES: '127.0.0.1' };
    expect(statesOf(await find(trusted))).toEqual(allWell);
  });
});

test('reports a secret that does not match the keys as an error', async () => {
  const findings = await find({
    RECODERY_SECRET: 'another one altogether',
    RECODERY_SECRET_FILE: '',
  });
  expect(statesOf(findings)).toEqual({ ...allWell, secret: 'wrong' });
  expect(textOf(findings, 'secret')).toContain('Set RECODERY_SECRET');
});

test('reports an unreachable database as an error, and skips the checks that need it', async () => {
  const findings = await find({ RECODERY_DATABASE_URL: 'postgresql://127.0.0.1:1/recodery' });
  const { secret, worker, clock, storage, backup, ...looked } = allWell;
  expect([secret, worker, clock, storage, backup]).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  // whose portal it is cannot be checked either
  expect(statesOf(findings)).toEqual({ ...looked, portal: 'warning', database: 'wrong' });
});

test('reports a database without our tables as an error, and does not create them', async () => {
  const empty = await createEmptyDatabase();
  for (const _time of ['first', 'second']) {
    const findings = await find({ RECODERY_DATABASE_URL: empty.url });
    expect(textOf(findings, 'database')).toMatch(
      / lacks the migrations 0001-first\.sql, .*Run "recodery migrate"/,
    );
  }
  await empty.drop();
});

test('reports a database of a newer version as an error', async () => {
  await sql`insert into migration (name, checksum) values ('9999-later.sql', 'x')`.execute(
    platform.db,
  );
  expect(textOf(await find(), 'database')).toContain('belongs to a newer version of Recodery');
  // also with the database of the portal that asks
  const { secret, worker, clock, storage, backup, ...looked } = allWell;
  expect([secret, worker, clock, storage, backup]).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  const findings = await findAll(configOf(), false, platform.db);
  expect(Object.keys(statesOf(findings)).toSorted()).toEqual(Object.keys(looked).toSorted());
  await sql`delete from migration where name = '9999-later.sql'`.execute(platform.db);
});

test('reports a worker that sends no reports as a warning', async () => {
  await sql`update worker_report set reported_on = now() - interval '16 s'`.execute(platform.db);
  expect(statesOf(await find())).toEqual({ ...allWell, worker: 'warning' });
});

test('reports an email address that can be taken for another as a warning', async () => {
  const account = { guid: newGuid(), email: 'm\u0130a@shop.test', display_name: 'Mia' };
  await platform.db
    .insertInto('account')
    .values({ ...account, has_portal_access: true })
    .execute();
  const findings = await find();
  await platform.db.deleteFrom('account').where('guid', '=', account.guid).execute();
  expect(statesOf(findings)).toEqual({ ...allWell, users: 'warning' });
  expect(textOf(findings, 'users')).toContain(account.email);
});

test('reports an unreachable mail server as an error, and does not repeat its password', async () => {
  const findings = await find({
    RECODERY_SMTP_URL: 'smtp://somebody:hidden-word@127.0.0.1:1',
    RECODERY_MAIL_FROM: 'portal@example.org',
  });
  expect(statesOf(findings)).toEqual({ ...allWell, mail: 'wrong' });
  expect(textOf(findings, 'mail')).toContain('127.0.0.1:1 does not accept emails');
  expect(textOf(findings, 'mail')).not.toContain('hidden-word');
});

test('reports no errors before the first start, and creates nothing', async () => {
  const dataDir = join(platform.config.dataDir, 'not-yet');
  const config = readConfig({ RECODERY_DATA_DIR: dataDir, RECODERY_PORT: '1' });
  const findings = await findAll(config);
  expect(statesOf(findings)).toEqual({
    configuration: 'ok',
    portal: 'warning',
    'data folder': 'warning',
    disk: 'warning',
    isolation: isolationState,
    database: 'warning',
    mail: 'ok',
  });
});

// promise d8.engine.isolation
test('reports how the running portals and workers isolate their engines', async () => {
  expect(textOf(await find(), 'isolation')).toBe(
    `Engine processes are limited by: ${describeIsolation(isolation)}.${weakness === null ? '' : ` ${weakness}`}`,
  );
  // doctor's own account may be able to use namespaces
  await reportWorker(platform.db, workerGuid, 1, noIsolation);
  const findings = await find();
  expect(statesOf(findings)).toEqual({ ...allWell, isolation: 'warning' });
  expect(textOf(findings, 'isolation')).toContain(describeIsolation(noIsolation));
  const required = await find({ RECODERY_ENGINE_ISOLATION: 'namespaces' });
  expect(statesOf(required)).toEqual({ ...allWell, isolation: 'wrong' });
});

test('reports a data folder that is not writable as an error', async () => {
  const file = join(platform.config.dataDir, 'no-folder');
  await writeFile(file, '');
  const findings = await find({ RECODERY_DATA_DIR: file });
  expect(statesOf(findings)).toEqual({ ...allWell, 'data folder': 'wrong', storage: 'wrong' });
  expect(textOf(findings, 'data folder')).toContain(
    'Make the account that runs Recodery its owner',
  );
  await rm(file);
});
