/** How much space an operation reserves for the files of its result, before it starts. */
import { defaultSegmentLog2, limits, longestHeader } from '@recodery/codec/container/container';
import type { Header } from '@recodery/codec/container/header';
import type { StoredFile } from '../../slots/files/stored-files.ts';
import type { DecodeFacts } from './stored-result.ts';

/** Maximum bytes of an ID file: the information fields, and what the portal adds. */
const longestIdFile = 4 * limits.infoSize;
/** Bytes that sealing adds to each segment. */
const tagBytes = 16;

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

/**
 * Maximum bytes of a read's decoded images and ID file. A read without an image may get one from the library of
 * originals. `header` null: a file in a vendor's own format, whose images are assumed to be as large as the file; the
 * quota is checked again when they are stored.
 */
export function decodedBytes(
  file: { readonly size: number },
  header: Pick<Header, 'components'> | null,
): number {
  if (header === null) return file.size + longestIdFile;
  const images = header.components.filter(({ name }) => name !== 'info');
  const declared = sum(images.map(({ size }) => size));
  // more than that is refused before anything is decoded
  const most = images.length === 0 ? limits.componentSize : limits.componentsSize;
  return Math.min(images.length === 0 ? most : declared, most) + longestIdFile;
}

/**
 * Maximum bytes of an encoded file: every image of the read, modified or not, sealed. A vendor's engine may make
 * a larger one; the quota is checked again when it is stored.
 */
export function encodedBytes(
  facts: Pick<DecodeFacts, 'components'>,
  modified: readonly Pick<StoredFile, 'component' | 'size'>[],
): number {
  const added = modified.filter(
    ({ component }) => !facts.components.some((one) => one.component === component),
  );
  const images = sum([...facts.components, ...added].map(({ size }) => size));
  const segments = Math.ceil(images / 2 ** defaultSegmentLog2) + 1;
  return images + longestHeader + limits.infoSize + tagBytes * segments;
}
