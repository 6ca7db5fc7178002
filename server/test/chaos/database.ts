/** The chaos test's own view of the installation's database, which survives its restarts. */
import { sql } from 'kysely';
import { silentLog } from '../fixtures/silent-log.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import type { Db } from '../../src/postgres/tables/schema.ts';
import { isUnavailable } from '../../src/postgres/unavailable.ts';
import { until } from './until.ts';

export interface PatientDatabase {
  /** Repeats queries while the database is unavailable. */
  ask<T>(query: (db: Db) => Promise<T>): Promise<T>;
  /** The operations that have not finished. */
  listUnfinished(): Promise<readonly Unfinished[]>;
  /** The process ids of the server's connections, except the querying one. */
  listBackends(): Promise<readonly number[]>;
  end(): Promise<void>;
}

export interface Unfinished {
  readonly guid: string;
  readonly status: string;
  readonly crashes: number;
  readonly lost_workers: readonly string[];
}

export function openPatientDatabase(url: string): PatientDatabase {
  const { db, end } = openDatabase(url, silentLog, { size: 2 });
  const ask = async <T>(query: (db: Db) => Promise<T>): Promise<T> => {
    const { answer } = await until('the database answers', () =>
      query(db).then(
        (found) => ({ answer: found }),
        (error: unknown) => {
          if (isUnavailable(error)) return null;
          throw error;
        },
      ),
    );
    return answer;
  };
  return {
    ask,
    end,
    listUnfinished: () =>
      ask((one) =>
        one
          .selectFrom('operation')
          .select(['guid', 'status', 'crashes', 'lost_workers'])
          .where('status', 'in', ['waiting', 'running'])
          .execute(),
      ),
    listBackends: () =>
      ask(async (one) => {
        const { rows } = await sql<{ pid: number }>`
          select pid from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()
          order by pid`.execute(one);
        return rows.map(({ pid }) => pid);
      }),
  };
}
