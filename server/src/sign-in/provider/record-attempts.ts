/**
 * Records wrong passwords in the audit trail. Attempts are limited by account and network, but there can be any number of
 * both: a common limit keeps them from filling the trail. Another entry counts the others.
 */
import { type AuditEvent, recordAudit } from '../../audit/audit.ts';
import type { Log } from '../../config/log.ts';
import type { Db } from '../../postgres/tables/schema.ts';

/** Entries that a portal writes in a period, and its milliseconds. */
export interface AttemptPace {
  readonly entries: number;
  readonly periodMs: number;
}

const defaultPace: AttemptPace = { entries: 60, periodMs: 60_000 };

export interface AttemptRecorder {
  /** Records a wrong password for an account, or null for an unknown one. The work is the same for both. */
  record(account: string | null, from: string): Promise<void>;
  /** Writes the count of those that have no entry yet. */
  stop(): Promise<void>;
}

const wrong: Pick<AuditEvent, 'actor' | 'action' | 'outcome'> = {
  actor: { kind: 'anyone' },
  action: 'sign-in',
  outcome: 'wrong',
};

/** Creates the recorder of a portal. */
export function createAttemptRecorder(
  { db, log }: { readonly db: Db; readonly log: Log },
  { entries, periodMs }: AttemptPace = defaultPace,
): AttemptRecorder {
  let began = 0;
  let written = 0;
  let left = 0;
  let timer: NodeJS.Timeout | null = null;
  let flushing = Promise.resolve();
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const unrecordedAttempts = left;
    left = 0;
    if (unrecordedAttempts === 0) return;
    flushing = recordAudit(db, { ...wrong, object: { unrecordedAttempts } }).catch(
      (error: unknown) => {
        left += unrecordedAttempts;
        log.warn({ error }, 'could not record how many wrong passwords have no audit entry');
      },
    );
  };
  return {
    async record(account, from) {
      const now = performance.now();
      if (now - began >= periodMs) {
        began = now;
        written = 0;
        flush();
      }
      if (written >= entries) {
        left += 1;
        timer ??= setTimeout(flush, began + periodMs - now).unref();
        return;
      }
      written += 1;
      await recordAudit(db, { ...wrong, object: { account }, from });
    },
    async stop() {
      flush();
      await flushing;
    },
  };
}
