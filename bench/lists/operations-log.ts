/**
 * Measures the time to the first bytes of the operations log with 1 000 rows and with 1 000 000, over HTTP with the
 * embedded database, and the memory and speed of the whole download; a client that stops reading must not make the
 * portal's memory grow. `node bench/lists/operations-log.ts`
 */
import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { sessionHeader } from '@recodery/contract/headers';
import type { Database } from '@recodery/server/postgres/tables/schema';
import { startPortal } from '@recodery/server/portal';
import { type Kysely, sql } from 'kysely';
import { median } from '../support/median.ts';
import { openDemo, signIn } from '../support/demo.ts';
import { withProduct } from '../support/product.ts';

/** The maximum ratio of the time to the first bytes, many rows to few (medians). */
const allowedRatio = 2;
/** MiB by which the portal may grow while its client reads nothing. */
const allowedAhead = 40;
/** MiB by which it may grow during a whole download: garbage, as much after 100,000 rows as after all of them. */
const allowedGrowth = 160;
const few = 1000;
const many = 1_000_000;
const rounds = 21;
const warmUps = 3;

interface Ready {
  readonly port: number;
  /** Session ids by the organisation's number of rows. */
  readonly few: string;
  readonly many: string;
}

/** Fills a customer code's log with encodes of the last 29 days, each in its own slot with its own files. */
async function fill(db: Kysely<Database>, customerCode: string, count: number): Promise<void> {
  const { guid } = await db
    .selectFrom('organisation')
    .select('guid')
    .where('customer_code', '=', customerCode)
    .executeTakeFirstOrThrow();
  // the GUIDs are derived from a number, so that one statement each creates slots, files and operations
  const numbered = (kind: number) =>
    sql.raw(`('${guid.slice(-8)}-000${kind}-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid`);
  await sql`
    insert into slot (guid, organisation_guid, family, workflow, group_code, read_file_name, slave_serial_number, protocol_id, mode)
    select ${numbered(1)}, ${guid}, 'kess3', 'kess3', 'G-10', 'read of a car ' || number || '.k3r', 'KS3-000042', 1001, 'obd'
    from generate_series(1, ${count}::integer) number`.execute(db);
  await sql`
    insert into stored_file (guid, organisation_guid, slot_guid, role, component, name, size, sha256, storage_key, expires_on)
    select ${numbered(2)}, ${guid}, ${numbered(1)}, 'modified', 'obd', 'stage 1.bin', 4096,
      encode(sha256(number::text::bytea), 'hex'), 'none/' || number, now()
    from generate_series(1, ${count}::integer) number`.execute(db);
  await sql`
    insert into operation (guid, organisation_guid, family, workflow, type, slot_guid, request, status, created_on, completed_on)
    select ${numbered(3)}, ${guid}, 'kess3', 'kess3', 'KESS3Encode', ${numbered(1)},
      jsonb_build_object('kind', 'encode', 'originalFileGuid', null, 'modified', jsonb_build_array(
        jsonb_build_object('component', 'obd', 'fileGuid', ${numbered(2)}))),
      'failed', time, time
    from generate_series(1, ${count}::integer) number,
      lateral (select now() - make_interval(secs => 29 * 86400.0 * number / ${count}::integer) as time) of_row`.execute(
    db,
  );
}

async function serve(dataDir: string): Promise<void> {
  const { platform, close } = await openDemo(dataDir);
  await platform.db.connection().execute(async (db) => {
    // the generated rows are consistent: foreign keys need not be checked three million times
    await sql`set session_replication_role = replica`.execute(db);
    await fill(db, 'CC-3003', few);
    await fill(db, 'CC-1001', many);
    await sql`reset session_replication_role`.execute(db);
  });
  await sql`analyze`.execute(platform.db);
  // the rows name files that do not exist, and a portal does not start with an empty folder then
  await mkdir(join(dataDir, 'files'), { recursive: true });
  await writeFile(join(dataDir, 'files', 'placeholder'), '');
  const portal = await startPortal(platform, 0);
  const ready: Ready = {
    port: portal.port,
    few: await signIn(platform, 'mia@demo.test'),
    many: await signIn(platform),
  };
  // no process is left running if the benchmark fails
  process.once('disconnect', () => process.exit(1));
  process.send?.(ready);
  process.on('message', async (word) => {
    if (word === 'memory') {
      process.send?.(process.memoryUsage().rss);
      return;
    }
    await portal.stop();
    await close();
    process.exit(0);
  });
}

/** Requests the log; returns the response when its first bytes have arrived, and how many milliseconds that took. */
async function ask(
  port: number,
  session: string,
): Promise<{ answer: IncomingMessage; ms: number }> {
  const start = performance.now();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({
      host: '127.0.0.1',
      port,
      path: '/api/operations-log/kess3',
      headers: { [sessionHeader]: session },
    })
      .once('response', resolve)
      .once('error', reject)
      .end();
  });
  if (answer.statusCode !== 200) throw new Error(`the log answered ${answer.statusCode}`);
  await new Promise((resolve) => answer.once('readable', resolve));
  const first: Buffer | null = answer.read();
  const ms = performance.now() - start;
  // more than the header row: the newest operations have arrived
  if (first === null || first.toString().split('\r\n').length < 10) throw new Error('no lines');
  return { answer, ms };
}

/** Milliseconds to the first bytes, few and many interleaved, so that both run under the same load. */
async function measureFirstBytes({
  port,
  ...sessions
}: Ready): Promise<{ few: number; many: number }> {
  const times = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < rounds + warmUps; round += 1) {
    for (const size of ['few', 'many'] as const) {
      const { answer, ms } = await ask(port, sessions[size]);
      answer.destroy();
      if (round >= warmUps) times[size].push(ms);
    }
  }
  return { few: median(times.few), many: median(times.many) };
}

interface Download {
  readonly lines: number;
  readonly seconds: number;
  /** MiB of the whole log. */
  readonly size: number;
  /** MiB over the portal's memory before, after a pause without reading. */
  readonly ahead: number;
  /** The same, at its maximum. */
  readonly growth: number;
}

/** Downloads the whole log with many rows, after a pause in which the portal must not buffer ahead of its client. */
async function measureDownload(ready: Ready, readMemory: () => Promise<number>): Promise<Download> {
  const before = await readMemory();
  const { answer } = await ask(ready.port, ready.many);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const paused = await readMemory();
  let most = paused;
  const start = performance.now();
  const timer = setInterval(() => {
    void readMemory().then((now) => (most = Math.max(most, now)));
  }, 250);
  let [lines, bytes] = [0, 0];
  for await (const piece of answer as AsyncIterable<Buffer>) {
    bytes += piece.length;
    for (const byte of piece) if (byte === 0x0a) lines += 1;
  }
  clearInterval(timer);
  const seconds = (performance.now() - start) / 1000;
  const [size = 0, ahead = 0, growth = 0] = [bytes, paused - before, most - before].map(
    (number) => number / 2 ** 20,
  );
  return { lines, seconds, size, ahead, growth };
}

async function measureAll(ready: Ready, _folder: string, product: ChildProcess): Promise<boolean> {
  const readMemory = (): Promise<number> =>
    new Promise((resolve) => {
      product.once('message', resolve).send('memory');
    });
  const first = await measureFirstBytes(ready);
  const ratio = first.many / first.few;
  console.log(
    `operations log, first bytes: ${first.few.toFixed(1)} ms of ${few} rows, ${first.many.toFixed(1)} ms of ${many} rows: ` +
      `${ratio.toFixed(2)} times, ${allowedRatio} allowed`,
  );
  const { lines, seconds, size, ahead, growth } = await measureDownload(ready, readMemory);
  console.log(
    `operations log, whole: about ${lines} rows, ${size.toFixed(0)} MiB, in ${seconds.toFixed(1)} s; the portal grew by ` +
      `${growth.toFixed(0)} MiB, ${allowedGrowth} allowed; by ${ahead.toFixed(0)} MiB while the client read nothing, ${allowedAhead} allowed`,
  );
  const isBounded = ahead <= allowedAhead && growth <= allowedGrowth;
  return ratio <= allowedRatio && isBounded && lines > many * 0.99;
}

const [, , dataDir] = process.argv;
if (dataDir !== undefined) await serve(dataDir);
else process.exit((await withProduct(import.meta.filename, measureAll)) ? 0 : 1);
