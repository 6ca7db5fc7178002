/** The diagnosis of an uploaded file that does not fit its read, and the repair that it offers. */
import * as z from 'zod/mini';
import { guid } from '../../api.ts';

/** Why a file does not fit. */
export const diagnosisKinds = [
  'empty',
  /** Still sealed by a slave, or for one. */
  'sealed',
  'archive',
  'archive-with-password',
  // texts that store bytes
  'intel-hex',
  's-record',
  'ti-txt',
  'hex-dump',
  'base64',
  'c-array',
  // files that store no image
  'web-page',
  'xml',
  'text',
  /** A pointer of Git LFS to a large file. */
  'pointer',
  /** One value only. */
  'erased',
  // damage by a transfer as text
  'line-ends',
  'utf-8',
  'utf-16',
  'seven-bit',
  /** The image several times. */
  'repeated',
  /** Parts that belong to different places, or bytes that were lost in the middle. */
  'pieces',
  'swapped',
  'inverted',
  'bit-order',
  /** The whole image, with more in front or behind. */
  'inside',
  /** A part of the image. */
  'partial',
  'shifted',
  'every-second-byte',
  'other-component',
  'erased-part',
  /** Compressed or encrypted. */
  'dense',
  /** Another software of the same type of ECU. */
  'other-software',
  'unrelated',
] as const;

/** How bytes or bits were exchanged: in pairs, groups of four, words of two, every bit inverted, or bits reversed. */
const transformations = ['pairs', 'fours', 'words', 'inverted', 'bits'] as const;

/** Why a line of a text cannot be read. */
const textProblems = [
  'checksum',
  'length',
  'digits',
  'record-type',
  'segment-end',
  'trailing-text',
  'overlap',
  'after-end',
  'record-count',
  'no-end',
  'address',
  'text-column',
  'items',
  'too-large',
] as const;

const span = z.object({ offset: z.number(), length: z.number() });
const list = <S extends z.ZodMiniType>(item: S) =>
  z.optional(z.readonly(z.array(item).check(z.maxLength(64))));
const identified = z.nullable(z.record(z.string(), z.string()));

/** The facts of a diagnosis, those that its kind has. Sizes, offsets and lengths are in bytes. */
export const diagnosisDetails = z.object({
  /** Of the file. */
  size: z.number(),
  /** Of the image that is expected; null if the read does not contain it. */
  imageSize: z.nullable(z.number()),
  /** The format of a text or the type of an archive. */
  format: z.optional(z.string()),
  /** The damaged line of a text, and the line that it contradicts. */
  fault: z.optional(
    z.object({
      line: z.number(),
      problem: z.enum(textProblems),
      otherLine: z.nullable(z.number()),
    }),
  ),
  /** Bytes that a text stores. */
  stored: z.optional(z.number()),
  transformation: z.optional(z.enum(transformations)),
  /** Which part of the file (`from`) belongs where in the image (`to`). */
  pieces: list(z.object({ from: z.number(), to: z.number(), length: z.number() })),
  /** Parts of the image that the file lacks, or that are erased in it. */
  missing: list(span),
  /** Erased parts that a text leaves out. */
  filled: list(span),
  /**
   * Parts of the file that do not belong to the image; for a text, `offset` is an address. `fill`: the value of all their
   * bytes. `start`: their first bytes, hexadecimal.
   */
  outside: list(
    z.object({
      offset: z.number(),
      length: z.number(),
      fill: z.nullable(z.number()),
      start: z.string(),
    }),
  ),
  /** The value of every byte. */
  fill: z.optional(z.number()),
  /** How often the image is in the file, and which copies, from 0, differ from the read. */
  copies: z.optional(
    z.object({
      count: z.number(),
      changed: z.readonly(z.array(z.number()).check(z.maxLength(64))),
    }),
  ),
  /** Bytes that were lost (positive) or inserted in the middle. */
  lost: z.optional(z.number()),
  /** By how much everything is shifted, toward the end of the file. */
  shift: z.optional(z.number()),
  /** Which bytes the file contains. */
  lane: z.optional(z.enum(['even', 'odd'])),
  /** The component that the file belongs to. */
  component: z.optional(z.string()),
  /** What is wrong with the bytes of a text, or with the file as another component. */
  content: z.optional(z.enum(diagnosisKinds)),
  /** Whether a transfer as text can be undone. */
  isReversible: z.optional(z.boolean()),
  /** The share of the read’s informative bytes that are equal in the file, 0..1. */
  agreement: z.optional(z.number()),
  /** What the file and the read are, if the protocol knows. */
  identification: z.optional(z.object({ file: identified, read: identified })),
});

/**
 * The image that the file should have been; it has passed the checks of an upload. `isLossless`: every byte is from the
 * file, and what was left out is a duplicate, one value, or equal to the read.
 */
const repair = z.object({
  guid,
  name: z.string(),
  size: z.number(),
  sha256: z.string(),
  isLossless: z.boolean(),
});

export const diagnosis = z.object({
  kind: z.enum(diagnosisKinds),
  details: diagnosisDetails,
  /** Null: there is none, or it was used or has expired. */
  repair: z.nullable(repair),
});
export type Diagnosis = z.infer<typeof diagnosis>;
