/** The metrics: measured values of a real portal and worker, and the names that the dashboard and the alerts use. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { generateImage } from '@recodery/codec/sample-images/images';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { describeMeasured } from '../../src/scraped-metrics.ts';
import { serveMetrics } from '../../src/metrics/serve-metrics.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { silentLog } from '../fixtures/silent-log.ts';
import { Client } from '../fixtures/client.ts';
import {
  decode,
  protocolOf,
  sealImage,
  started,
  uploadRead,
} from '../journeys/families/kessv2-workflow.ts';
import { startJourney } from '../journeys/workflow-setup.ts';

const { portal, anna, slave } = await startJourney('kessv2');
const { platform } = portal;
const metrics = await serveMetrics({
  host: '127.0.0.1',
  port: 0,
  log: silentLog,
  version: '1.2.3',
  measured: describeMeasured(platform, await openStorage(platform.config)),
});
afterAll(() => metrics.stop());

const address = `http://127.0.0.1:${metrics.port}/metrics`;

/** The value of each series, by its name with labels as Prometheus reads them. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(address)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** The sum of all series of a metric whose labels contain the given text. */
function sumOf(series: ReadonlyMap<string, number>, name: string, label = ''): number {
  return [...series]
    .filter(([key]) => key.split('{', 1)[0] === name && key.includes(label))
    .reduce((sum, [, value]) => sum + value, 0);
}

describe('the metrics', () => {
  test('do not count background work as waiting: no one waits for it', async () => {
    await decode(anna, sealImage(slave, 9000, generateImage(protocolOf(9000), 'obd', 2, 4096)));
    await portal.stopWorker();
    const waiting = async () => sumOf(await scrape(), 'recodery_queue_waiting', '"operations"');
    const { db } = platform;
    await sql`update operation set status = 'waiting', completed_on = null`.execute(db);
    expect(await waiting()).toBe(1);
    await sql`update operation set is_background = true`.execute(db);
    expect(await waiting()).toBe(0);
    await sql`delete from operation`.execute(db);
    await portal.startWorker();
  });

  test('count only the queries of others as waiting for a database connection', async () => {
    const waiting = async () => sumOf(await scrape(), 'recodery_database_connections', '"waiting"');
    for (let count = 0; count < 5; count += 1) expect(await waiting()).toBe(0);
    const { db } = platform;
    const store = await openStorage(platform.config);
    const connections = describeMeasured(platform, store).find(
      ({ name }) => name === 'recodery_database_connections',
    );
    // an arbitrary lock, and more queries for it than the pool has connections
    const key = 4_711;
    const { queries, found } = await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${key})`.execute(trx);
      const waiters = Array.from({ length: 60 }, () =>
        db
          .transaction()
          .execute((other) => sql`select pg_advisory_xact_lock(${key})`.execute(other)),
      );
      await expect.poll(() => platform.countConnections().waiting).toBeGreaterThan(0);
      return { queries: waiters, found: await connections?.measure() };
    });
    await Promise.all(queries);
    const [, count = 0] = [...(found ?? [])].find(([{ state }]) => state === 'waiting') ?? [];
    expect(count).toBeGreaterThan(0);
  });

  test('count operations by family and outcome, with their waiting and running time', async () => {
    const before = await scrape();
    await decode(
      anna,
      sealImage(slave, 9000, generateImage(protocolOf(9000), 'obd', 1, 64 * 1024)),
    );
    const refused = started(await uploadRead(anna, new Uint8Array(randomBytes(2000))));
    expect((await anna.follow(refused)).isSuccessful).toBe(false);
    // counted after a caller can already see the end
    const readGrowth = async () => {
      const after = await scrape();
      const grown = (name: string, label: string) =>
        sumOf(after, `recodery_${name}`, label) - sumOf(before, `recodery_${name}`, label);
      return {
        all: grown('operations_total', 'family="kessv2"'),
        succeeded: grown('operations_total', 'outcome="succeeded"'),
        refused: grown('operations_total', 'outcome="refused"'),
        waiting: grown('operation_waiting_seconds_count', 'kessv2'),
        running: grown('operation_running_seconds_count', 'kessv2'),
        uploads: grown('http_request_seconds_count', 'route="/api/kessv2/upload-read-file"'),
      };
    };
    const two = { all: 2, waiting: 2, running: 2, uploads: 2 };
    await expect.poll(readGrowth).toEqual({ ...two, succeeded: 1, refused: 1 });
    const after = await scrape();
    expect(sumOf(after, 'recodery_stored_bytes')).toBeGreaterThan(64 * 1024);
  });

  test('never have a path that a caller has made up as a label', async () => {
    const invented = randomBytes(8).toString('hex');
    await fetch(`${portal.url}/api/${invented}`);
    await fetch(`${portal.url}/${invented}`, { method: 'PROPFIND' });
    const text = await (await fetch(address)).text();
    expect(text).not.toContain(invented);
    expect(text).not.toContain('PROPFIND');
  });

  test('show queues, the worker, the disk, the database connections and the process', async () => {
    const series = await scrape();
    expect(series.get('recodery_queue_waiting{queue="operations"}')).toBe(0);
    expect(series.get('recodery_queue_oldest_seconds{queue="emails"}')).toBe(0);
    expect(series.get('recodery_worker_alive')).toBe(1);
    expect(series.get('recodery_maintenance')).toBe(0);
    expect(series.get('recodery_build_info{version="1.2.3"}')).toBe(1);
    expect(series.get('recodery_disk_free_ratio')).toBeGreaterThan(0);
    expect(sumOf(series, 'recodery_database_connections')).toBeGreaterThan(0);
    expect(sumOf(series, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  });

  test('show how many operations wait, and for how long, while no worker runs', async () => {
    await portal.stopWorker();
    try {
      const image = generateImage(protocolOf(9000), 'obd', 2, 64 * 1024);
      expect((await uploadRead(anna, sealImage(slave, 9000, image))).status).toBe(202);
      await expect
        .poll(async () => (await scrape()).get('recodery_queue_oldest_seconds{queue="operations"}'))
        .toBeGreaterThan(0.05);
      const series = await scrape();
      expect(series.get('recodery_queue_waiting{queue="operations"}')).toBe(1);
      expect(series.get('recodery_worker_alive')).toBe(0);
    } finally {
      await portal.startWorker();
    }
  });

  test('count the event streams that are open', async () => {
    const before = (await scrape()).get('recodery_event_streams') ?? 0;
    const page = new Client(portal.url, anna.sessionId);
    await page.listen(() => undefined);
    expect((await scrape()).get('recodery_event_streams')).toBe(before + 1);
    page.close();
    await expect.poll(async () => (await scrape()).get('recodery_event_streams')).toBe(before);
  });

  test('are only at /metrics', async () => {
    expect((await fetch(`http://127.0.0.1:${metrics.port}/`)).status).toBe(404);
    expect((await fetch(address, { method: 'POST' })).status).toBe(404);
  });
});

const root = resolve(import.meta.dirname, '../../..');
const readDocument = (name: string) => readFile(resolve(root, 'docs', name), 'utf8');
/** The names of metrics that a query contains. */
const namesIn = (text: string): readonly string[] => [
  ...new Set(text.match(/\b(?:recodery|process|nodejs)_[a-z0-9_]+\b/g) ?? []),
];

describe('the documents', () => {
  const isServed = (names: ReadonlySet<string>, name: string): boolean =>
    names.has(name) || names.has(name.replace(/_(?:bucket|count|sum)$/, ''));
  const servedNames = async (): Promise<ReadonlySet<string>> => {
    const text = await (await fetch(address)).text();
    return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? ''));
  };

  test.each(['monitoring/grafana-dashboard.json', 'monitoring/alerts.yaml'])(
    '%s asks only for metrics that exist',
    async (name) => {
      const asked = namesIn(await readDocument(name));
      expect(asked.length).toBeGreaterThan(5);
      const served = await servedNames();
      expect(asked.filter((metric) => !isServed(served, metric))).toEqual([]);
    },
  );

  test('list every metric of Recodery in the page about monitoring', async () => {
    const page = await readDocument('monitoring.md');
    const own = [...(await servedNames())].filter((name) => name.startsWith('recodery_'));
    expect(own.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const served = await servedNames();
    expect(namesIn(page).filter((name) => !isServed(served, name))).toEqual([]);
  });

  test('give every alert a severity, a summary and what to do', async () => {
    const { groups } = parse(await readDocument('monitoring/alerts.yaml'));
    const rules = groups.flatMap((group: { rules: unknown[] }) => group.rules);
    expect(rules.length).toBeGreaterThan(5);
    for (const rule of rules)
      expect(rule).toMatchObject({
        alert: expect.stringMatching(/^Recodery/),
        expr: expect.any(String),
        labels: { severity: expect.stringMatching(/^(critical|warning|info)$/) },
        annotations: { summary: expect.any(String), description: expect.any(String) },
      });
  });
});
