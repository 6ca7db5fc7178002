/**
 * Measures the cost of a notifications page over HTTP with a million rows, compared with a thousand, interleaved in the
 * same run: the first page, one from the middle, and the last. `node bench/lists/notifications.ts`
 */
import { sessionHeader } from '@recodery/contract/headers';
import { cursorBehind, type Notification } from '@recodery/contract/features/notifications';
import type { Platform } from '@recodery/server/platform';
import { startPortal } from '@recodery/server/portal';
import { sql } from 'kysely';
import { openNewDemo, signIn } from '../support/demo.ts';
import { timeInTurn } from '../support/time.ts';

/** How much longer the list may take with a million rows (median). */
const allowed = 2;
const times = { rounds: 200, warmUps: 30 };

/** A portal with this many rows in its table, all visible to anna. */
interface Filled {
  readonly rows: number;
  get(query: string): Promise<Notification[]>;
  close(): Promise<void>;
}

/** Half are the user's own, half were received; one in ten has an email; each timestamp occurs four times. */
async function fill({ db }: Platform, rows: number): Promise<void> {
  await sql`
    with anna as (
      select account.guid as account, membership.organisation_guid as organisation
      from account join membership on membership.account_guid = account.guid
      where account.email = 'anna@demo.test' and membership.position = 0),
    other as (select guid as organisation from organisation where customer_code = 'CC-3003')
    insert into notification (guid, sender_organisation_guid, sender_account_guid, sender_name,
      receiver_organisation_guid, receiver_name, operation_type, family, workflow, slot_guid, completed_on,
      is_successful, file_name, slave_serial_number, target, target_file_guid, target_file_name, is_private)
    select gen_random_uuid(), case when n % 2 = 0 then anna.organisation else other.organisation end,
      case when n % 2 = 0 then anna.account end, 'A workshop',
      case when n % 2 = 1 then anna.organisation end, 'Another workshop', 'KESS3Encode', 'kess3', 'kess3',
      gen_random_uuid(), now() - make_interval(secs => (n / 4) * 0.001), true, 'file-' || n || '.moc',
      'KS3-000042', 'file', gen_random_uuid(), 'file-' || n || '.moc', n % 2 = 0
    from generate_series(1, ${rows}) as n, anna, other`.execute(db);
  await sql`
    insert into mail (guid, organisation_guid, email, culture, status, share_key_id, token_hash, expires_on)
    select guid, sender_organisation_guid, 'garage@rossi.test', 'it-IT', 'sent', 1, sha256(guid::text::bytea), now()
    from notification where file_name like '%0.moc'`.execute(db);
  await sql`vacuum analyze notification`.execute(db);
  await sql`vacuum analyze mail`.execute(db);
}

async function open(rows: number): Promise<Filled> {
  const { platform, close } = await openNewDemo();
  await fill(platform, rows);
  const portal = await startPortal(platform, 0);
  const headers = { [sessionHeader]: await signIn(platform) };
  const list = `http://127.0.0.1:${portal.port}/api/async-operation-notifications/`;
  return {
    rows,
    async get(query) {
      const answer = await fetch(`${list}?${query}`, { headers });
      if (answer.status !== 200) throw new Error(`the list answered ${answer.status}`);
      return (await answer.json()) as Notification[];
    },
    async close() {
      await portal.stop();
      await close();
    },
  };
}

/** The pages to request, from the beginning, the middle and the end. */
async function pagesOf(filled: Filled): Promise<Readonly<Record<string, string>>> {
  const [newest] = await filled.get('count=1');
  if (newest === undefined) throw new Error('nothing was filled in');
  const spanMs = filled.rows / 4;
  const at = (share: number): string => {
    const time = Date.parse(newest.completedOn) - Math.floor(spanMs * share);
    return new Date(time).toISOString();
  };
  const [middle] = await filled.get(`count=1&to=${at(0.5)}`);
  if (middle === undefined) throw new Error('the middle is empty');
  return {
    'the first page': 'count=20',
    'a page from the middle': `count=20&to=${encodeURIComponent(cursorBehind(middle))}`,
    'the last page': `count=20&to=${at(1 - 30 / filled.rows)}`,
  };
}

async function getPage(filled: Filled, query = ''): Promise<void> {
  const page = await filled.get(query);
  if (page.length < 20) throw new Error(`${query} returned only ${page.length}`);
}

const few = await open(1000);
const many = await open(1_000_000);
const [pagesOfFew, pagesOfMany] = [await pagesOf(few), await pagesOf(many)];
for (const [name, query] of Object.entries(pagesOfMany)) {
  const { floor, time } = await timeInTurn(
    { floor: () => getPage(few, pagesOfFew[name]), time: () => getPage(many, query) },
    times,
  );
  const ratio = time / floor;
  const verdict = ratio <= allowed ? 'kept' : 'BROKEN';
  console.log(
    `${name}: ${floor.toFixed(2)} ms at 1 000 rows, ${time.toFixed(2)} ms at 1 000 000: ${ratio.toFixed(2)}× (at most ${allowed}×) ${verdict}`,
  );
  if (ratio > allowed) process.exitCode = 1;
}
await many.close();
await few.close();
