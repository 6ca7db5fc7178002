/** How long a job waits for a vendor's service that is unavailable, and what is reported meanwhile. */
import { RequestRefused, ServiceUnavailable } from '../encoding-api-client/errors.ts';
import { retryWhileUnavailable } from '../encoding-api-client/retry.ts';
import { type EngineJob, EngineRefused, EngineUnavailable } from './engine.ts';
import type { EngineTools } from './kind.ts';

/** The patience of one job. */
export interface Patience {
  /** The `performance.now()` at which the operation's time has passed. */
  readonly until: number;
  /** Repeats the work while it throws {@link ServiceUnavailable}, until the time has passed. */
  retry<T>(work: () => Promise<T>): Promise<T>;
  /** Reports progress, 0..1, which never decreases. */
  advance(fraction: number): void;
}

/** Opens the patience of a job: its time counts from the operation's first attempt. */
export function openPatience(
  job: EngineJob,
  { log, times }: Pick<EngineTools, 'log' | 'times'>,
): Patience {
  const until = performance.now() + times.patience - job.workedMs;
  let reached = 0;
  const bounds = {
    pauses: times.pauses,
    signal: job.signal,
    choosePause(wanted: number): number | null {
      const left = until - performance.now();
      return left <= 0 ? null : Math.min(left, wanted);
    },
    onUnavailable(fault: ServiceUnavailable | null): void {
      if (fault !== null)
        log.warn({ operation: job.operationGuid, reason: fault.message }, 'engine unavailable');
      job.report(reached, fault !== null);
    },
  };
  return {
    until,
    retry: (work) => retryWhileUnavailable(bounds, work),
    advance(fraction) {
      reached = Math.max(reached, fraction);
      job.report(reached, false);
    },
  };
}

/**
 * An error of a service as the engine's. `hideSecrets` removes the credentials from a text, which the service may
 * repeat.
 */
export function asEngineError(error: unknown, hideSecrets: (text: string) => string): unknown {
  if (error instanceof ServiceUnavailable) return new EngineUnavailable(hideSecrets(error.message));
  if (error instanceof RequestRefused)
    return new EngineRefused(hideSecrets(error.message), error.status);
  return error;
}
