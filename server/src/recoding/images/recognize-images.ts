/** Has an engine recognize the images that a vendor's engine decoded, and the files that it refused. */
import { open } from 'node:fs/promises';
import { recognizedBytes, recognizeStart } from '@recodery/contract/recognize';
import type { ComponentName } from '@recodery/contract/families/family';
import type { Log } from '../../config/log.ts';
import { recognitionsOf } from '../../engine/built-in/built-in-engine.ts';
import type { EnginePool } from '../../engine/built-in/pool.ts';
import type { Recognitions } from '../../engine/engine.ts';

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

async function readStart(path: string): Promise<Uint8Array> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(recognizedBytes), 0, recognizedBytes);
  return buffer.subarray(0, bytesRead);
}

/**
 * What a file is that a vendor's engine refused as a read: only what no slave writes, since the formats of vendors are
 * unknown. `path`: a file that the engine may change. @throws the reason of the signal
 */
export async function explainRefused(
  deps: Parameters<typeof recognizeImages>[0],
  organisation: string,
  path: string,
  signal: AbortSignal,
): Promise<'web-page' | 'image' | null> {
  const recognized = recognizeStart(await readStart(path));
  if (recognized.outcome !== 'unknown') return null;
  if (recognized.isWebPage) return 'web-page';
  const found = await recognizeImages(deps, organisation, [{ name: 'obd', path }], signal);
  return found.obd === undefined ? null : 'image';
}
