/** The resources that portal, worker and commands share, opened in order and closed in reverse order. */
import { mkdir } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import { type Announce, openAnnounce } from './postgres/announce.ts';
import { type Clock, systemClock } from './config/clock.ts';
import type { Config } from './config/config.ts';
import { openDatabase } from './postgres/database.ts';
import { openForCommand, openForServe } from './postgres/embedded.ts';
import type { Log } from './config/log.ts';
import { migrate } from './postgres/migrate.ts';
import type { Database } from './postgres/schema.ts';
import { openSecretSource, type SecretSource } from './config/secret-source.ts';
import { openSecrets, type Secrets } from './config/secrets.ts';

/** The resources passed to portal, worker and commands. */
export interface Platform {
  readonly config: Config;
  readonly db: Kysely<Database>;
  readonly announce: Announce;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly secretSource: SecretSource;
  readonly clock: Clock;
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
 * Opens the database, migrates its tables and opens the keys. `serve` owns the embedded database and ends with it
 * (`onLost`); a command only uses it.
 * @throws {CannotStart}
 */
export async function openPlatform(
  config: Config,
  log: Log,
  use: { readonly as: 'serve'; onLost(error: unknown): void } | { readonly as: 'command' },
): Promise<OpenPlatform> {
  await mkdir(config.dataDir, { recursive: true });
  const source = await openSource(config, log, use);
  const ends: (() => Promise<void>)[] = [source.close];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  let isOpen = false;
  try {
    await migrate(source.url);
    const database = openDatabase(source.url, log, use.as === 'serve' ? 24 : 4);
    ends.push(() => database.end());
    const secretSource = openSecretSource(config);
    const secrets = await openSecrets(database.db, secretSource);
    const announce = await openAnnounce(source.url, log);
    ends.push(() => announce.stop());
    isOpen = true;
    const { db } = database;
    return {
      platform: { config, db, announce, log, secrets, secretSource, clock: systemClock },
      notices: source.notices,
      announceStop: source.announceStop,
      close,
    };
  } finally {
    if (!isOpen) await close();
  }
}

async function openSource(
  config: Config,
  log: Log,
  use: { readonly as: 'serve'; onLost(error: unknown): void } | { readonly as: 'command' },
): Promise<Source> {
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
        `The database lives in ${home.folder}: the account that runs it (uid ${home.account?.uid}) cannot reach the data folder ${config.dataDir} or the project.`,
      ]
    : [];
  return { url: embedded.url, notices, announceStop: embedded.announceStop, close: embedded.close };
}
