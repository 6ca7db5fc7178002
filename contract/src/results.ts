/** The common parts of the results of decodes and encodes of all families. */
import * as z from 'zod/mini';
import { guid, time } from './api.ts';
import { recognition } from './families/recognition.ts';

/** What an image was recognized as; null: not identified. A decode of an earlier version does not say. */
export const recognitionField = z.optional(z.nullable(recognition));

/** Whether a double of the demo made the files, in place of a maker's service; absent: none did. */
export const doubleMark = z.optional(z.boolean());

/** One decoded component: its type as the family writes it, its download address, and its size in bytes. */
export function decodedComponent<const T extends readonly [string, ...string[]]>(types: T) {
  return z.object({
    type: z.enum(types),
    decodedFileURL: z.string(),
    decodedFileName: z.string(),
    size: z.number(),
    recognition: recognitionField,
  });
}

/**
 * The checksums of a real control unit that an encode corrected in an uploaded image: the scheme, its corrected parts,
 * and the bytes that changed. `sha256` is of the corrected image, which was encoded.
 */
export const correction = z.object({
  component: z.string(),
  scheme: z.string(),
  parts: z.array(z.string()),
  bytes: z.number(),
  sha256: z.string(),
});
export type Correction = z.infer<typeof correction>;

/** A finished encode. `name` is the whole file name, with extension. */
export const encodeResult = z.object({
  name: z.string(),
  encodedFileURL: z.string(),
  fileGUID: z.nullable(guid),
  size: z.number(),
  sha256: z.string(),
  /** The code of its receipt; null for files that were encoded before receipts existed. */
  receiptCode: z.nullable(z.string()),
  correctedChecksums: z.number(),
  /** Absent: nothing was corrected besides the protocol's own checksums. */
  corrections: z.optional(z.array(correction)),
  warnings: z.array(z.string()),
  /** When the maker's service sealed the file; only for families with such a service. */
  sealedOn: z.optional(time),
  /** When the slave stops accepting the file; null: never. */
  expiresOn: z.optional(z.nullable(time)),
  isDouble: doubleMark,
});
export type EncodeResult = z.infer<typeof encodeResult>;
