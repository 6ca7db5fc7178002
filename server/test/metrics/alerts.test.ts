/** The alert rules, evaluated on what a real portal serves: none fires while it is healthy, and each when it is sick. */
import { readFile, writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { silentLog } from '../fixtures/silent-log.ts';
import { createEnginePool } from '../../src/engine/built-in/pool.ts';
import { serveMetrics, type MetricsServer } from '../../src/metrics/serve-metrics.ts';
import { describeMeasured } from '../../src/scraped-metrics.ts';
import { setMaintenance } from '../../src/service-status/maintenance.ts';
import { openStoredFiles } from '../../src/slots/files/open-stored-files.ts';
import type { OpenStorage } from '../../src/storage/open-storage.ts';
import { buildProgram } from '../engine/built-in/test-programs.ts';
import { freePort } from '../fixtures/free-port.ts';
import { sealImage, started, uploadRead } from '../journeys/families/kessv2-workflow.ts';
import { type Sending, startSending } from '../notifications/sending-workshop.ts';
import { type AlertRule, fires, readScrape, type Scrape, secondsOf } from './promql.ts';

const file = resolve(import.meta.dirname, '../../../docs/monitoring/alerts.yaml');
const { groups } = parse(await readFile(file, 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly AlertRule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

/** Seconds between two scrapes. */
const interval = 60;

let sending: Sending;
let store: OpenStorage;
let metrics: MetricsServer;
/** A disk cannot be filled in a test; everything else is really sick. */
let isDiskFull = false;
beforeAll(async () => {
  sending = await startSending({
    RECODERY_SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
    RECODERY_MAIL_FROM: 'portal@recodery.test',
    RECODERY_PARALLEL_OPERATIONS: '50',
  });
  const { platform } = sending.portal;
  store = await openStoredFiles(platform.config, { db: platform.db, log: silentLog });
  const measureDisks = async () => (isDiskFull ? [{ free: 9, total: 100 }] : store.measureDisks());
  const measured = describeMeasured(platform, { measureDisks });
  metrics = await serveMetrics({
    ...{ host: '127.0.0.1', port: 0, log: silentLog, version: '1.2.3' },
    measured,
  });
});
afterAll(async () => {
  await metrics.stop();
  await sending.portal.stop();
});

const scrape = async (): Promise<string | null> => {
  const answer = await fetch(`http://127.0.0.1:${metrics.port}/metrics`).catch(() => null);
  return answer === null ? null : answer.text();
};

/** A history in which each of these texts was served for so long. */
function historyOf(...phases: readonly (readonly [text: string | null, seconds: number])[]) {
  const history: Scrape[] = [];
  for (const [text, seconds] of phases) {
    const { series } = readScrape(text, 0);
    for (let passed = 0; passed <= seconds; passed += interval)
      history.push({ at: history.length * interval, series });
  }
  return history;
}

const alertsIn = (history: readonly Scrape[]): readonly string[] =>
  rules.filter((rule) => fires(rule, history)).map(({ alert }) => alert);

/** How long a sick portal lasts here: a bit longer than its rule waits. */
const longEnough = ({ for: duration = '0s' }: AlertRule): number => secondsOf(duration) + 5 * 60;

test('no alert fires while a portal works', async () => {
  const idle = await scrape();
  await sending.send(null);
  await expect.poll(scrape).toContain('recodery_operations_total{family="kessv2"');
  expect(alertsIn(historyOf([idle, 3600], [await scrape(), 3 * 3600]))).toEqual([]);
});

/** A table that is missing, as after a wrong repair of the database; what needs it fails. */
async function withoutTable(table: string, work: () => Promise<unknown>): Promise<void> {
  const { db } = sending.portal.platform;
  const [name, hidden] = [sql.id(table), sql.id(`hidden_${table}`)];
  await sql`alter table ${name} rename to ${hidden}`.execute(db);
  await work();
  await sql`alter table ${hidden} rename to ${name}`.execute(db);
}

async function crashEngines(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'recodery-engine-'));
  const pool = await createEnginePool({
    engines: 1,
    scratch,
    ...(await buildProgram('misbehaving-engine')),
  });
  const filePath = join(scratch, 'deed');
  await writeFile(filePath, 'exit');
  const pairKey = Buffer.from('a secret key');
  const task = { kind: 'decode', workflow: 'kessv2', filePath, pairKey } as const;
  for (let count = 0; count < 6; count += 1)
    await expect(
      pool.run({ ...task, skipChecksum: false, outFolder: scratch }, 'one'),
    ).rejects.toThrow();
  await pool.close();
  await rm(scratch, { recursive: true });
}

/** Occupies all connections to the database while Prometheus scrapes, whose own queries then wait too. */
async function scrapeWhileFull(): Promise<string | null> {
  const { db, countConnections } = sending.portal.platform;
  const lock = sql`select pg_advisory_xact_lock(4712)`;
  const { queries, answer } = await db.transaction().execute(async (trx) => {
    await lock.execute(trx);
    const waiters = Array.from({ length: 60 }, () =>
      db.transaction().execute((other) => lock.execute(other)),
    );
    await expect.poll(() => countConnections().waiting).toBeGreaterThan(0);
    const { waiting } = countConnections();
    const text = scrape();
    await expect.poll(() => countConnections().waiting).toBeGreaterThan(waiting);
    return { queries: waiters, answer: text };
  });
  await Promise.all(queries);
  return answer;
}

/** How each rule's fault is caused, and what is served with it. What is changed is healed again. */
const faults: Readonly<Record<string, () => Promise<string | null>>> = {
  async RecoderyNoWorker() {
    await sending.portal.stopWorker();
    const text = await scrape();
    await sending.portal.startWorker();
    return text;
  },
  async RecoderyOperationsWait() {
    const { portal, anna, slave, image } = sending;
    await portal.stopWorker();
    const { guid } = started(await uploadRead(anna, sealImage(slave, 9000, image)));
    const { db } = portal.platform;
    await sql`update operation set created_on = created_on - interval '3 minutes' where guid = ${guid}`.execute(
      db,
    );
    const text = await scrape();
    await portal.startWorker();
    return text;
  },
  async RecoderyOperationsFail() {
    await withoutTable('receipt', async () => {
      const body = { kessv2FileSlotGUID: sending.slot };
      const answer = await sending.anna.post('/api/kessv2/reencode-decoded-file', body);
      expect(await sending.anna.follow(started(answer))).toMatchObject({ hasFailed: true });
    });
    await expect.poll(scrape).toMatch(/operations_total\{.*outcome="failed"\} [1-9]/);
    return scrape();
  },
  async RecoderyEnginesCrash() {
    await crashEngines();
    return scrape();
  },
  async RecoderyEmailsFail() {
    for (let count = 0; count < 11; count += 1)
      await sending.send({ email: 'garage@rossi.test', message: null });
    const postponed = async () =>
      Number(/email_attempts_total\{outcome="postponed"\} (\d+)/.exec((await scrape()) ?? '')?.[1]);
    await expect.poll(postponed).toBeGreaterThan(10);
    return scrape();
  },
  async RecoderyDiskFull() {
    isDiskFull = true;
    const text = await scrape();
    isDiskFull = false;
    return text;
  },
  async RecoderyDamagedFiles() {
    const { db } = sending.portal.platform;
    const { guid, key } = await db
      .selectFrom('stored_file')
      .select(['guid', 'storage_key as key'])
      .where('deleted_on', 'is', null)
      .limit(1)
      .executeTakeFirstOrThrow();
    await store.storage.put(key, Readable.from(['other bytes']));
    expect((await sending.anna.get(`/api/files/${guid}`)).status).toBe(410);
    const text = await scrape();
    await sql`delete from damaged_file`.execute(db);
    return text;
  },
  RecoderyDatabasePool: scrapeWhileFull,
  async RecoderyMaintenance() {
    const { db } = sending.portal.platform;
    await setMaintenance(db, true);
    const text = await scrape();
    await setMaintenance(db, false);
    return text;
  },
};

test.each(rules.filter(({ alert }) => alert in faults).map((rule) => [rule.alert, rule] as const))(
  '%s fires while its fault lasts',
  async (alert, rule) => {
    const healthy = await scrape();
    const sick = (await faults[alert]?.()) ?? null;
    const fired = alertsIn(historyOf([healthy, 600], [sick, longEnough(rule)]));
    expect(fired).toContain(alert);
  },
);

test('RecoderyErrors fires while every tenth request fails, and not for a single one', async () => {
  const { anna, slot } = sending;
  const serve = async () => {
    const path = `/api/slots/${slot}/receipts`;
    for (let count = 0; count < 9; count += 1) await anna.get(path);
    await withoutTable('receipt', () => anna.get(path));
    return [await scrape(), 0] as const;
  };
  const served: (readonly [string | null, number])[] = [];
  for (let minute = 0; minute < 12; minute += 1) served.push(await serve());
  expect(alertsIn(historyOf(...served))).toContain('RecoderyErrors');
  const [once = [null, 0]] = served;
  expect(alertsIn(historyOf(once, [once[0], 600]))).not.toContain('RecoderyErrors');
});

test('RecoderyDown fires when a process no longer serves metrics', async () => {
  const healthy = await scrape();
  await metrics.stop();
  const gone = await scrape();
  expect(gone).toBeNull();
  expect(alertsIn(historyOf([healthy, 600], [gone, 300]))).toEqual(['RecoderyDown']);
});

test('every rule has a fault in this file', () => {
  const tested = [...Object.keys(faults), 'RecoderyErrors', 'RecoderyDown'];
  expect(tested.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});
