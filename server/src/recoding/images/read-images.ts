/** What a modified image is compared with: the same for the pre-flight and for the encode. */
import type { DecodeFacts } from '../results/stored-result.ts';

/** The original that Virtual Reading found is the decoded file: the read does not contain that image. */
type Read = Pick<DecodeFacts, 'wasOriginalFileFound' | 'components'>;

/** The images that the read itself contains. */
export function imagesOfRead({ wasOriginalFileFound, components }: Read): Read['components'] {
  return wasOriginalFileFound ? [] : components;
}

/** The GUID of the original of the single image: the user's if there is one, or what Virtual Reading found; or null. */
export function originalOf(read: Read, uploadedGuid: string | null): string | null {
  const found = read.wasOriginalFileFound ? (read.components[0]?.fileGuid ?? null) : null;
  return uploadedGuid ?? found;
}
