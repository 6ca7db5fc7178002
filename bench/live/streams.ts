/**
 * Compares the p95 of an organisation's calls while others have 2,000 open event streams, and announcements every
 * second, with its p95 while there are none, in alternating windows of the same run; then measures the processor time
 * that 500 streams and 200 polling pages cost the portal. `node bench/live/streams.ts`
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { sessionHeader } from '@recodery/contract/headers';
import { listMessages } from '@recodery/contract/features/messages';
import { listNotifications } from '@recodery/contract/features/notifications';
import { listOperations, openEvents } from '@recodery/contract/features/operations';
import { getServiceStatus } from '@recodery/contract/features/service-status';
import { newGuid } from '@recodery/server/config/guids';
import { applyDirectory } from '@recodery/server/organisations/directory/directory';
import type { Platform } from '@recodery/server/platform';
import { startPortal } from '@recodery/server/portal';
import { notify } from '@recodery/server/postgres/announce';
import { sql } from 'kysely';
import { openDemo, signIn } from '../support/demo.ts';
import { median, percentile } from '../support/median.ts';
import { withProduct } from '../support/product.ts';

/** How much longer a call may take (p95). */
const allowed = 2;
/** The share of one core that the portal may use. */
const allowedShare = 0.1;
/** Organisations with many streams: as many as one may have, at 20 for each session. */
const crowds = 10;
const sessionsEach = 10;
const streamsEach = 20;
/** The second part: 500 streams in all. */
const fewEach = 5;
const pollingPages = 200;
/** Alternating windows of each kind, and the milliseconds of each; then those of the second part. */
const windows = 4;
const windowMs = 8000;
const shareMs = 20_000;
const warmUps = 50;
/** Milliseconds between two announcements for the same organisation. */
const announceEvery = 1000;

/** The message of the product to the benchmark when it is ready, with session ids. */
interface Ready {
  readonly port: number;
  readonly own: string;
  readonly others: readonly string[];
}

/** The requests of the benchmark to the product; each gets a response. */
type Command = 'announce' | 'be quiet' | 'processor time' | 'stop';

const codeOf = (crowd: number): string => `CC-${7000 + crowd}`;
const emailOf = (crowd: number): string => `user${crowd}@bench.test`;

/** The organisations with many streams; each has one user. */
async function addCrowds(platform: Platform): Promise<void> {
  const all = Array.from({ length: crowds }, (_, crowd) => crowd);
  await applyDirectory(platform, {
    organisations: all.map((crowd) => ({
      customerCode: codeOf(crowd),
      name: `Workshop ${crowd}`,
      email: null,
      culture: 'en-US',
      rights: ['kessv2', 'recod'],
      logo: null,
      groupCodes: [],
    })),
    users: all.map((crowd) => ({
      email: emailOf(crowd),
      name: `User ${crowd}`,
      culture: null,
      portalAccess: true,
      customerCodes: [codeOf(crowd)],
    })),
  });
}

/** What is announced: a waiting operation and a notification. Both have the same GUID. */
async function addRecords({ db }: Platform, crowd: number) {
  const guid = newGuid();
  const { rows } = await sql<{ organisation: string }>`
    with member as (
      select account.guid as account, organisation_guid as organisation
      from membership join account on account.guid = account_guid
      where account.email = ${emailOf(crowd)}),
    slot as (
      insert into slot (guid, organisation_guid, account_guid, family, workflow, group_code, read_file_name)
      select gen_random_uuid(), organisation, account, 'kessv2', 'kessv2', 'G', 'read.tfc' from member
      returning guid),
    operation as (
      insert into operation (guid, organisation_guid, account_guid, family, workflow, type, slot_guid, request)
      select ${guid}, organisation, account, 'kessv2', 'kessv2', 'KESSv2Decode', slot.guid, '{}' from member, slot)
    insert into notification (guid, sender_organisation_guid, sender_account_guid, sender_name, operation_type, family,
      workflow, slot_guid, completed_on, is_successful, file_name, is_private)
    select ${guid}, organisation, account, 'A user', 'KESSv2Decode', 'kessv2', 'kessv2', slot.guid, now(), true,
      'read.tfc', true
    from member, slot
    returning sender_organisation_guid as organisation`.execute(db);
  return { guid, organisation: rows[0]?.organisation ?? '' };
}

/** The portal in a separate process. */
async function serve(dataDir: string): Promise<void> {
  const { platform, close } = await openDemo(dataDir);
  await addCrowds(platform);
  const portal = await startPortal(platform, 0);
  const records: Awaited<ReturnType<typeof addRecords>>[] = [];
  const others: string[] = [];
  for (let crowd = 0; crowd < crowds; crowd += 1) {
    records.push(await addRecords(platform, crowd));
    for (let count = 0; count < sessionsEach; count += 1)
      others.push(await signIn(platform, emailOf(crowd)));
  }
  const own = await signIn(platform);
  process.send?.({ port: portal.port, own, others } satisfies Ready);
  let turn = 0;
  const announce = async (): Promise<void> => {
    const record = records[turn % crowds];
    const kind = turn < crowds ? 'operation' : 'notification';
    turn = (turn + 1) % (2 * crowds);
    if (record !== undefined) await notify(platform.db, { kind, ...record });
  };
  let timer: NodeJS.Timeout | undefined;
  process.on('message', async (command: Command) => {
    clearInterval(timer);
    if (command === 'announce') timer = setInterval(announce, announceEvery / crowds);
    if (command !== 'stop') return process.send?.(process.cpuUsage());
    await portal.stop();
    await close();
    process.exit(0);
  });
}

/** Streams to keep open: this many for each session. */
interface Hold {
  readonly port: number;
  readonly sessions: readonly string[];
  readonly each: number;
}

/** Replaces the open streams with new ones and reads them, in a separate process; returns how many were opened. */
function holdStreams(): void {
  let open: ClientRequest[] = [];
  const agent = new Agent({ maxSockets: Infinity });
  const openOne = async (port: number, session: string): Promise<boolean> => {
    const headers = { [sessionHeader]: session };
    const request = get({ port, host: '127.0.0.1', path: openEvents.path, headers, agent });
    open.push(request);
    request.on('error', () => undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined).resume();
    return response.statusCode === 200;
  };
  process.on('message', async ({ port, sessions, each }: Hold) => {
    for (const request of open) request.destroy();
    open = [];
    let count = 0;
    for (const session of sessions) {
      const opening = Array.from({ length: each }, () => openOne(port, session));
      count += (await Promise.all(opening)).filter(Boolean).length;
    }
    process.send?.(count);
  });
}

const entry = '/api/kessv2';
const pages = [listOperations.path, `${listNotifications.path}?count=20`, entry];

/** Milliseconds of one call. */
async function call({ port, own }: Ready, path: string): Promise<number> {
  const start = performance.now();
  const headers = { [sessionHeader]: own };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return performance.now() - start;
}

interface Others {
  tell(command: Command): Promise<NodeJS.CpuUsage>;
  /** Opens this many streams for each session, or closes all; returns how many are open. */
  hold(each: number): Promise<number>;
}

async function compare(ready: Ready, { tell, hold }: Others): Promise<boolean> {
  for (let count = 0; count < warmUps; count += 1) await call(ready, pages[count % 3] ?? entry);
  const times = { idle: [] as number[], busy: [] as number[] };
  let most = 0;
  for (let window = 0; window < 2 * windows; window += 1) {
    const kind = window % 2 === 0 ? 'idle' : 'busy';
    if (kind === 'busy') most = Math.max(most, await hold(streamsEach));
    await tell(kind === 'busy' ? 'announce' : 'be quiet');
    const end = performance.now() + windowMs;
    for (let count = 0; performance.now() < end; count += 1) {
      times[kind].push(await call(ready, pages[count % 3] ?? entry));
      await pause(10);
    }
    await tell('be quiet');
    if (kind === 'busy') await hold(0);
  }
  const [idle, busy] = [percentile(times.idle, 0.95), percentile(times.busy, 0.95)];
  const [idleMedian, busyMedian] = [median(times.idle), median(times.busy)];
  const ratio = busy / idle;
  const isGood = ratio <= allowed && most === crowds * sessionsEach * streamsEach;
  console.log(
    `calls of another organisation, p95 (median): no streams ${idle.toFixed(1)} ms (${idleMedian.toFixed(1)}), ${most} streams ` +
      `of ${crowds} organisations ${busy.toFixed(1)} ms (${busyMedian.toFixed(1)}): ${ratio.toFixed(2)}× (at most ${allowed}×) ` +
      `${isGood ? 'kept' : 'BROKEN'}; load ${loadavg()[0]?.toFixed(1)}`,
  );
  return isGood;
}

/**
 * Sends the polling requests of this many pages without a stream: status and messages every minute, notifications every
 * 3 minutes.
 */
async function poll(ready: Ready, milliseconds: number): Promise<void> {
  const [status, messages] = [
    getServiceStatus.path,
    `${listMessages.path.replace(/\{\w+\}/, 'en')}`,
  ];
  const round = [status, messages, status, messages, status, messages, listNotifications.path];
  const everyMs = 180_000 / round.length / pollingPages;
  const calls: Promise<unknown>[] = [];
  const start = performance.now();
  while (performance.now() - start < milliseconds) {
    calls.push(call(ready, round[calls.length % round.length] ?? status));
    await pause(Math.max(0, start + calls.length * everyMs - performance.now()));
  }
  await Promise.all(calls);
}

async function measureShare(ready: Ready, { tell, hold }: Others): Promise<boolean> {
  const count = await hold(fewEach);
  const before = await tell('announce');
  const start = performance.now();
  await poll(ready, shareMs);
  const took = performance.now() - start;
  const after = await tell('be quiet');
  await hold(0);
  const used = (after.user - before.user + after.system - before.system) / 1000;
  const share = used / took;
  const isGood = share <= allowedShare && count === crowds * sessionsEach * fewEach;
  console.log(
    `${count} streams with announcements every second, and ${pollingPages} polling pages, cost the portal ` +
      `${(share * 100).toFixed(1)}% of one core (at most ${allowedShare * 100}%) ${isGood ? 'kept' : 'BROKEN'}; ` +
      `load ${loadavg()[0]?.toFixed(1)}`,
  );
  return isGood;
}

async function run(ready: Ready, _folder: string, product: ChildProcess): Promise<boolean> {
  const holder = fork(import.meta.filename, ['hold'], { serialization: 'advanced' });
  const others: Others = {
    async tell(command) {
      product.send(command);
      return ((await once(product, 'message')) as [NodeJS.CpuUsage])[0];
    },
    async hold(each) {
      holder.send({ port: ready.port, sessions: ready.others, each } satisfies Hold);
      return ((await once(holder, 'message')) as [number])[0];
    },
  };
  const isQuick = await compare(ready, others);
  const isCheap = await measureShare(ready, others);
  holder.kill();
  return isQuick && isCheap;
}

const [, , role] = process.argv;
if (role === undefined) process.exit((await withProduct(import.meta.filename, run)) ? 0 : 1);
else if (role === 'hold') holdStreams();
else await serve(role);
