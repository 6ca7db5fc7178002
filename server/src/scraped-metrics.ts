/** The values that are measured when Prometheus scrapes: queues, workers, storage and database connections. */
import { sql } from 'kysely';
import type { Measured } from './metrics/metrics.ts';
import type { Platform } from './platform.ts';
import { isMaintenanceOn } from './service-status/maintenance.ts';
import { isWorkerAlive } from './service-status/workers.ts';
import { countDamagedFiles } from './slots/files/damaged-files.ts';
import { freeShareOf } from './storage/disk-room.ts';
import type { OpenStorage } from './storage/open-storage.ts';

interface QueueState {
  readonly queue: string;
  readonly waiting: number;
  readonly running: number;
  /** Seconds since the oldest waiting row was created; null if none waits. */
  readonly oldest: number | null;
}

/**
 * The queues of all organisations: only the operator sees these numbers. Background operations can wait for a long
 * time.
 */
async function readQueues({ db }: Pick<Platform, 'db'>): Promise<readonly QueueState[]> {
  const count = (table: string, queue: string, running: string, counted = 'true') => sql`
    select ${queue}::text as queue, count(*) filter (where not ${sql.raw(running)})::int as waiting,
      count(*) filter (where ${sql.raw(running)})::int as running,
      extract(epoch from now() - min(created_on) filter (where not ${sql.raw(running)}))::float8 as oldest
    from ${sql.table(table)} where status in ('waiting', 'running') and ${sql.raw(counted)}`;
  const { rows } = await sql<QueueState>`
    ${count('operation', 'operations', "status = 'running'", 'not is_background')}
    union all ${count('mail', 'emails', 'false')}
    union all ${count('webhook_message', 'webhooks', 'coalesce(lease_until > now(), false)')}`.execute(
    db,
  );
  return rows;
}

const asNumber = (value: boolean): number => (value ? 1 : 0);

/** The values of each queue. */
function measureQueues(platform: Pick<Platform, 'db'>): readonly Measured[] {
  const ofQueues = (
    name: string,
    help: string,
    valueOf: (state: QueueState) => number,
  ): Measured => ({
    name,
    help,
    labels: ['queue'],
    measure: async () =>
      (await readQueues(platform)).map((state) => [{ queue: state.queue }, valueOf(state)]),
  });
  return [
    ofQueues('recodery_queue_waiting', 'Rows that wait in a queue', ({ waiting }) => waiting),
    ofQueues('recodery_queue_running', 'Rows of a queue in progress', ({ running }) => running),
    ofQueues(
      'recodery_queue_oldest_seconds',
      'Age of the oldest row that waits in a queue',
      ({ oldest }) => oldest ?? 0,
    ),
  ];
}

/** A value without labels. */
function single(name: string, help: string, measure: () => Promise<number>): Measured {
  return { name, help, labels: [], measure: async () => [[{}, await measure()]] };
}

async function readStoredBytes(db: Platform['db']): Promise<number> {
  const row = await db
    .selectFrom('organisation')
    .select(({ fn }) => fn.sum<string | null>('stored_bytes').as('bytes'))
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/** The measured values of a process. Those of the database are the same in every process. */
export function describeMeasured(
  platform: Pick<Platform, 'db' | 'countConnections'>,
  store: Pick<OpenStorage, 'measureDisks'>,
): readonly Measured[] {
  const { db } = platform;
  return [
    // before the others, whose queries use connections
    {
      name: 'recodery_database_connections',
      help: 'Connections of this process to the database, and queries that wait for one',
      labels: ['state'],
      measure: async () =>
        Object.entries(platform.countConnections()).map(([state, count]) => [{ state }, count]),
    },
    ...measureQueues(platform),
    single(
      'recodery_worker_alive',
      'Whether a worker has reported in the last 15 seconds',
      async () => asNumber(await isWorkerAlive(db)),
    ),
    single('recodery_damaged_files', 'Stored files whose bytes are missing or have changed', () =>
      countDamagedFiles(db),
    ),
    single('recodery_maintenance', 'Whether maintenance is on', async () =>
      asNumber(await isMaintenanceOn(db)),
    ),
    single('recodery_stored_bytes', 'Bytes of all stored files', () => readStoredBytes(db)),
    single(
      'recodery_disk_free_ratio',
      'Free share of the disk with the files or the data folder, the smaller one',
      async () => freeShareOf(await store.measureDisks()),
    ),
  ];
}
