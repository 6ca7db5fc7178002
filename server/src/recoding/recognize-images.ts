/** Has an engine recognize the images of a read that a vendor's engine decoded. */
import type { ComponentName } from '@recodery/contract/families/family';
import type { Log } from '../config/log.ts';
import { recognitionsOf } from '../engine/built-in/built-in-engine.ts';
import type { EnginePool } from '../engine/built-in/pool.ts';
import type { Recognitions } from '../engine/engine.ts';

/**
 * What the images are; nothing if no engine can do it: that the portal cannot name a control unit must not fail the
 * decode. `images`: files that the engine may change. @throws the reason of the signal
 */
export async function recognizeImages(
  { engines, log }: { readonly engines: Pick<EnginePool, 'run'>; readonly log: Log },
  organisation: string,
  images: readonly { readonly name: ComponentName; readonly path: string }[],
  signal: AbortSignal,
): Promise<Recognitions> {
  if (images.length === 0) return {};
  try {
    const answer = await engines.run({ kind: 'recognize', images }, organisation, signal);
    return recognitionsOf(answer.images);
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ error }, 'could not recognize the images of a read');
    return {};
  }
}
