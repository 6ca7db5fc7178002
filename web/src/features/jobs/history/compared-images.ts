/** Which image of a job is compared when a file is chosen: an encoded file is sealed, so it is the image in it. */
import type { Job, JobFile } from '@recodery/contract/features/jobs/jobs';

/** An image, and the name that the comparison shows for it. */
export type ComparedImage = Pick<JobFile, 'fileGUID' | 'name' | 'component' | 'createdOn'> & {
  /** Whether an encoded file was chosen, of which this is the image before its checksums were corrected. */
  readonly isOfEncoded?: boolean;
};

const roles: readonly JobFile['role'][] = ['decoded', 'modified', 'original'];
const isImage = ({ role, isThere }: JobFile): boolean => isThere && roles.includes(role);

/**
 * The images in a file: the file itself, or those that an encoded file was made from. A component that was not modified
 * is the decoded one.
 */
function imagesIn({ files }: Pick<Job, 'files'>, file: JobFile): readonly JobFile[] {
  if (file.role !== 'encoded') return isImage(file) ? [file] : [];
  const modified = files.filter(
    (one) => one.role === 'modified' && file.madeFrom.includes(one.fileGUID),
  );
  const unchanged = files.filter(
    ({ role, component }) =>
      role === 'decoded' && modified.every((one) => one.component !== component),
  );
  return [...modified, ...unchanged].filter(isImage);
}

/** Whether a file of a job can be compared. */
export function isComparable(job: Pick<Job, 'files'>, file: JobFile): boolean {
  return imagesIn(job, file).length > 0;
}

/** The image of a file, of the component that the other file has, if possible; null if it has none. */
export function comparedImage(
  job: Pick<Job, 'files'>,
  file: JobFile,
  other: JobFile | null = null,
): ComparedImage | null {
  const images = imagesIn(job, file);
  const wanted = other === null ? [] : imagesIn(job, other).map(({ component }) => component);
  const image = images.find(({ component }) => wanted.includes(component)) ?? images[0];
  if (image === undefined) return null;
  const { fileGUID, component, name } = image;
  // the file that was chosen is what the user knows
  const isOfEncoded = file.role === 'encoded';
  const shown = isOfEncoded ? `${file.name} (${name})` : name;
  return { fileGUID, component, name: shown, createdOn: file.createdOn, isOfEncoded };
}

/** Two images, the older one first. */
export function inOrder(
  one: ComparedImage,
  other: ComparedImage,
): readonly [ComparedImage, ComparedImage] {
  return one.createdOn <= other.createdOn ? [one, other] : [other, one];
}
