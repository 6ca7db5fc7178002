/** The resources that portal, worker and commands share, opened in order and closed in reverse order. */
import { mkdir } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import { type Announce, openAnnounce } from './postgres/announce.ts';
import type { Clock } from './config/clock.ts';
import type { Config } from './config/config.ts';
import { openDatabaseClock } from './postgres/database-clock.ts';
import { awaitDatabase } from './postgres/await-database.ts';
import {
  type ConnectionCounts,
  openDatabase,
  type PoolOptions,
  type ServerLimits,
} from './postgres/database.ts';
import { openForCommand, openForServe } from './postgres/embedded/embedded.ts';
import type { Log } from './config/log.ts';
import { readDefaultRetention } from './postgres/installation.ts';
import { migrate, type PlannedMigration, planMigrations } from './postgres/migrate.ts';
import type { Database } from './postgres/tables/schema.ts';
import { openSecretSource, type SecretSource } from './secrets/secret-source.ts';
import { openSecrets, type Secrets } from './secrets/secrets.ts';

/** The resources passed to portal, worker and commands. */
export interface Platform {
  readonly config: Config;
  readonly db: Kysely<Database>;
  readonly announce: Announce;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly secretSource: SecretSource;
  /** The database's time. */
  readonly clock: Clock;
  /** The connections of this process to the database. */
  countConnections(): ConnectionCounts;
}

/** The platform with the functions that shut it down. */
export interface OpenPlatform {
  readonly platform: Platform;
  /** Messages for the operator about locations; usually empty. */
  readonly notices: readonly string[];
  /** Announces that shutdown has begun. */
  announceStop(): Promise<void>;
  /** Closes the connections and, if it is embedded, the database. */
  close(): Promise<void>;
}

interface Source {
  readonly url: string;
  readonly notices: readonly string[];
  announceStop(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Who opens the platform. `serve` owns the embedded database and ends with it (`onLost`); `signal` ends its wait for a
 * database. A command only uses the database.
 */
type Use =
  | { readonly as: 'serve'; readonly signal: AbortSignal; onLost(error: unknown): void }
  | { readonly as: 'command' };

/** Milliseconds; the server ends a statement before the driver gives it up, and leaves it running. */
const limits: ServerLimits = { idleInTransactionMs: 30_000, lockMs: 45_000, statementMs: 55_000 };

/**
 * Seconds to wait for a database that is not available yet, and the pool, for each use. A command has no time limit for
 * its queries: its user can interrupt it.
 */
const traits: Readonly<
  Record<Use['as'], { readonly patience: number; readonly pool: PoolOptions }>
> = {
  serve: { patience: 60, pool: { size: 24, queryMs: 60_000, limits } },
  command: { patience: 10, pool: { size: 4 } },
};

/**
 * Opens the database, migrates its tables and opens the keys.
 * @throws {CannotStart}
 */
export async function openPlatform(config: Config, log: Log, use: Use): Promise<OpenPlatform> {
  await mkdir(config.dataDir, { recursive: true });
  const source = await openSource(config, log, use);
  const ends: (() => Promise<void>)[] = [source.close];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  // a command keeps temporary tables and locks with its connection, which a pooler would give to others
  const direct = config.directDatabaseUrl ?? source.url;
  const urls = { direct, pooled: use.as === 'command' ? direct : source.url };
  const { patience, pool } = traits[use.as];
  const signal = use.as === 'serve' ? use.signal : undefined;
  try {
    const connected = await awaitDatabase({ url: direct, log, patience, signal }, () =>
      connect(config, urls, log, pool),
    );
    ends.push(connected.end);
    const { end: _, ...resources } = connected;
    return {
      platform: { log, ...resources },
      notices: source.notices,
      announceStop: source.announceStop,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The migrations that opening the platform would apply; none is applied. Starts an embedded database. @throws {CannotStart} */
export async function planPlatform(config: Config, log: Log): Promise<readonly PlannedMigration[]> {
  await mkdir(config.dataDir, { recursive: true });
  const source = await openSource(config, log, { as: 'command' });
  const url = config.directDatabaseUrl ?? source.url;
  const { patience } = traits.command;
  return awaitDatabase({ url, log, patience, signal: undefined }, () =>
    planMigrations(url),
  ).finally(source.close);
}

/** Migrates a database, and opens everything that needs it; when it fails, nothing stays open. */
async function connect(
  config: Config,
  { direct, pooled }: { readonly direct: string; readonly pooled: string },
  log: Log,
  pool: PoolOptions,
) {
  await migrate(direct);
  // a pooler in transaction mode keeps neither plans nor the settings of a session
  const isDirect = pooled === direct;
  const options = isDirect ? pool : { ...pool, limits: undefined };
  const database = openDatabase(pooled, log, { ...options, keepsPlans: isDirect });
  try {
    const secretSource = openSecretSource(config);
    const secrets = await openSecrets(database.db, secretSource);
    const clock = await openDatabaseClock(database.db, log);
    const announce = await openAnnounce(direct, log);
    const retentionDays = config.isRetentionChosen
      ? config.retentionDays
      : await readDefaultRetention(database.db);
    const end = async (): Promise<void> => {
      clock.stop();
      await announce.stop();
      await database.end();
    };
    const { db, countConnections } = database;
    const chosen = { ...config, retentionDays };
    return { config: chosen, db, countConnections, clock, announce, secrets, secretSource, end };
  } catch (error) {
    await database.end();
    throw error;
  }
}

async function openSource(config: Config, log: Log, use: Use): Promise<Source> {
  if (config.databaseUrl !== null) {
    return {
      url: config.databaseUrl,
      notices: [],
      announceStop: async () => undefined,
      close: async () => undefined,
    };
  }
  const embedded =
    use.as === 'serve'
      ? await openForServe(config.dataDir, log, use.onLost)
      : await openForCommand(config.dataDir);
  const { home } = embedded;
  const notices = home.isMoved
    ? [
        `The embedded database is in ${home.folder}, because the account that runs it (uid ${home.account?.uid}) cannot access the data folder ${config.dataDir} or the project.`,
      ]
    : [];
  return { url: embedded.url, notices, announceStop: embedded.announceStop, close: embedded.close };
}
