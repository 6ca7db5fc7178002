/** Where a service seals one image with each request: a file for each, and a zip of several. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ComponentName } from '@recodery/contract/families/family';
import { definitionOf } from '@recodery/contract/families/registry';
import { ZipFile } from 'yazl';
import type { EncodeJob } from '../engine.ts';

/** A sealed image in the job's folder. */
export interface SealedImage {
  readonly component: ComponentName;
  readonly path: string;
}

/** Packs the sealed images; each is named after its memory. Returns the path of the zip. */
export async function packSealed(
  { folder, family }: Pick<EncodeJob, 'folder' | 'family'>,
  sealed: readonly SealedImage[],
): Promise<string> {
  const { encodedFileExtension } = definitionOf(family);
  const path = join(folder, 'encoded');
  const zip = new ZipFile();
  for (const { component, path: from } of sealed)
    zip.addFile(from, `${component}${encodedFileExtension}`, { compress: false });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}
