/** Corrects the checksums of real control units in modified images, before an engine of any kind encodes them. */
import { join } from 'node:path';
import { CodecError } from '@recodery/codec/errors';
import { findComponent, findProtocol, hasOwnChecksums } from '@recodery/codec/protocols/protocols';
import type { ComponentName } from '@recodery/contract/families/family';
import type { Correction } from '@recodery/contract/results';
import { newGuid } from '../../config/guids.ts';
import type { EnginePool } from '../../engine/built-in/pool.ts';
import type { EncodeJob, EngineFile, EngineImage } from '../../engine/engine.ts';
import type { Slot } from '../../slots/slots.ts';
import { readDecodeFacts } from '../results/stored-result.ts';

export interface CorrectDependencies {
  readonly pool: Pick<EnginePool, 'run'>;
}

/** What was corrected, and the job with the corrected images. */
interface Corrected {
  readonly corrections: readonly Correction[];
  readonly corrected: EncodeJob;
}

/** Whether the encode itself corrects a component, or it is no image. A vendor's engine has rules of its own. */
function isCorrectedByProtocol({ connectionGuid, facts }: Slot, component: ComponentName): boolean {
  if (component === 'mapfile') return true;
  const { protocolId } = readDecodeFacts(facts);
  if (connectionGuid !== null || protocolId === null) return false;
  const protocol = findProtocol(protocolId);
  const spec = protocol && findComponent(protocol, component);
  return spec !== null && hasOwnChecksums(spec);
}

/** The image of a component before the user's changes; null if it is not known. */
function readOf(
  { original }: EncodeJob,
  decoded: readonly EngineImage[],
  component: ComponentName,
): EngineFile | null {
  const read = decoded.find((image) => image.component === component)?.file ?? null;
  // only the single image of a read can have an original
  return read ?? (component === 'obd' ? (original?.file ?? null) : null);
}

/**
 * Corrects each modified image whose checksums neither a protocol nor a maps file defines; there may be none. Throws
 * CHECKSUM_UNCORRECTABLE if one of them cannot be corrected, also because its scheme is not known. `decoded`: the images
 * that the read contains.
 */
export async function correctImages(
  { pool }: CorrectDependencies,
  job: EncodeJob,
  slot: Slot,
  decoded: readonly EngineImage[],
): Promise<Corrected> {
  const corrections: Correction[] = [];
  const paths = new Map<EngineFile, string>();
  const correct = async (image: EngineImage): Promise<EngineImage> => {
    const { component, file } = image;
    if (job.willSkipChecksum || isCorrectedByProtocol(slot, component)) return image;
    const imagePath = await job.bring(file);
    const outPath = join(job.folder, newGuid());
    const read = readOf(job, decoded, component);
    const readPath = read && (await job.bring(read));
    const task = { kind: 'correct', imagePath, readPath, outPath } as const;
    const { correction } = await pool.run(task, job.organisationId, job.signal);
    if (correction === null) throw new CodecError('CHECKSUM_UNCORRECTABLE');
    const { scheme, parts, bytes, sha256, size } = correction;
    corrections.push({ component, scheme, parts: [...parts], bytes, sha256 });
    if (bytes === 0) return image;
    const fixed = { ...file, sha256, size };
    paths.set(fixed, outPath);
    return { component, file: fixed };
  };
  // one after the other: the folder of an engine holds one image
  const modified: EngineImage[] = [];
  for (const image of job.modified) modified.push(await correct(image));
  const bring = (file: EngineFile) => {
    const path = paths.get(file);
    return path === undefined ? job.bring(file) : Promise.resolve(path);
  };
  return { corrections, corrected: { ...job, modified, bring } };
}
