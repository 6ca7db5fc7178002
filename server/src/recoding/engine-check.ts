/** Has an engine check images while a user waits. */
import { Refusal } from '@recodery/contract/refusal';
import type { Log } from '../config/log.ts';
import {
  EngineCrashed,
  EngineInterrupted,
  type EnginePool,
  type EngineTask,
} from '../engine/built-in/pool.ts';

/** Milliseconds that a user waits for a check, with all its attempts. */
const patience = 40_000;

/**
 * The result of a check. A crash does not mean that the file is wrong: the check is retried once, on a different engine.
 * @throws {Refusal} SERVICE_UNAVAILABLE if it crashes again or takes too long; the user can try again
 * @throws {CodecError} for an invalid file
 */
export function runCheck<T extends EngineTask>(
  { log, engines }: { readonly log: Log; readonly engines: Pick<EnginePool, 'run'> },
  task: T,
  /** Whose images, and of which slot; what is logged when an engine crashes, and when the check fails. */
  {
    organisation,
    slot,
    crashed,
    failed,
  }: Readonly<Record<'organisation' | 'slot' | 'crashed' | 'failed', string>>,
) {
  const late = AbortSignal.timeout(patience);
  const run = () => engines.run(task, organisation, late);
  return run()
    .catch((error: unknown) => {
      if (!(error instanceof EngineCrashed)) throw error;
      log.error({ error, slot }, crashed);
      return run();
    })
    .catch((error: unknown) => {
      const isEngineFault = error instanceof EngineCrashed || error instanceof EngineInterrupted;
      if (!isEngineFault && error !== late.reason) throw error;
      log.error({ error, slot }, failed);
      throw new Refusal('SERVICE_UNAVAILABLE');
    });
}
