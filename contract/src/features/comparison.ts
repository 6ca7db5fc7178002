/** Comparing two images of an organisation: the changed regions, and windows of bytes around them. */
import * as z from 'zod/mini';
import { guid, json, route, time } from '../api.ts';
import { workflows } from '../families/registry.ts';
import { jobSearchText } from './stored-text.ts';

/**
 * What the protocol defines about a part of an image. `checksum` are the fields that an encode corrects, `data` are
 * constants and counters.
 */
export const areaKind = z.enum([
  'checksum',
  'identification',
  'protected',
  'calibration',
  'code',
  'data',
]);
export type AreaKind = z.infer<typeof areaKind>;

/** Digits in a query, as a number of at most `most`; absent means `otherwise`. */
const queryNumber = <T extends number | null>(otherwise: T, most = Number.MAX_SAFE_INTEGER) =>
  z.pipe(
    z.optional(z.string().check(z.regex(/^\d{1,10}$/))),
    z.transform((text): number | T =>
      text === undefined ? otherwise : Math.min(most, Number(text)),
    ),
  );

/** Regions in one response, at most and by default. */
export const mostRegions = 1000;
const usualRegions = 500;
/** Bytes in one window, at most. */
export const mostWindowBytes = 65_536;

/** One of the two images. */
const comparedImage = z.object({
  fileGUID: guid,
  name: z.string(),
  role: z.enum(['decoded', 'modified', 'original']),
  /** Bytes. */
  size: z.number(),
  sha256: z.string(),
});

/** A run of differing bytes; runs separated by less than 16 equal bytes count as one. */
export const changedRegion = z.object({
  /** Of the first byte. */
  offset: z.number(),
  /** Bytes from the first to the last differing byte. */
  length: z.number(),
  /** Bytes that differ. */
  bytes: z.number(),
  /** The kinds of the areas that it touches, in ascending order of offset; empty if the protocol defines none. */
  kinds: z.array(areaKind),
});
export type ChangedRegion = z.infer<typeof changedRegion>;

/** The differences between two images. If one is shorter, the other's bytes beyond its end count as changed. */
export const comparison = z.object({
  before: comparedImage,
  after: comparedImage,
  /** Bytes of the longer image. */
  size: z.number(),
  /** Bytes that differ. */
  bytes: z.number(),
  /** `bytes / size`. */
  fraction: z.number(),
  /** Regions in total. */
  regionCount: z.number(),
  /** What the protocol defines about the first image, in ascending order of offset; empty if it defines nothing. */
  areas: z.array(z.object({ offset: z.number(), length: z.number(), kind: areaKind })),
  /** Differing bytes by the kind of their area; null: in no known area. Only those with any. */
  bytesByKind: z.array(z.object({ kind: z.nullable(areaKind), bytes: z.number() })),
  /** Differing bytes in each cell of `cellBytes` bytes, from the first byte on. */
  overview: z.object({ cellBytes: z.number(), cells: z.array(z.number()) }),
  /** The number of the first listed region; the first of all is 0. */
  first: z.number(),
  regions: z.array(changedRegion),
});
export type Comparison = z.infer<typeof comparison>;

const refusals = [
  'FILE_DAMAGED',
  'API_ERROR_UNAUTHORIZED',
  'BAD_REQUEST',
  'USER_NO_RIGHTS',
  'NOT_FOUND',
  'OPERATION_NOT_POSSIBLE',
  'API_ERROR_THROTTLING',
] as const;

export const compareFiles = route('GET', '/api/files/{fileGUID}/comparison/{otherFileGUID}', {
  summary:
    'Compares two decoded, modified or original images. Lists the changed regions in pages: from region number `first`, or from the first region that ends after offset `at`.',
  access: 'portal',
  params: z.object({ fileGUID: z.string(), otherFileGUID: z.string() }),
  query: z.object({
    first: queryNumber(0),
    at: queryNumber(null),
    count: queryNumber(usualRegions, mostRegions),
  }),
  answer: json(comparison),
  refusals,
});

/** An image of a job that another image of the same size can be compared with. */
export const comparableImage = z.object({
  fileGUID: guid,
  role: z.enum(['decoded', 'modified', 'original']),
  component: z.nullable(z.string()),
  name: z.string(),
  createdOn: time,
  slotGUID: guid,
  workflow: z.enum(workflows),
  /** The name of the job's read file. */
  fileName: z.string(),
  vin: z.nullable(z.string()),
  slaveSerialNumber: z.nullable(z.string()),
  /** The newest encoded file that was made from it; encoded files are sealed, so this is what they contain. */
  encodedAs: z.nullable(z.string()),
});
export type ComparableImage = z.infer<typeof comparableImage>;

/** A page of the images that an image can be compared with. */
const comparableImages = z.object({
  images: z.array(comparableImage),
  /** The last image that was searched: the next page continues after it. Null: there are no more. */
  next: z.nullable(guid),
});
export type ComparableImages = z.infer<typeof comparableImages>;

/** Images of a page of {@link listComparable}, at most. */
export const comparablePage = 50;

export const listComparable = route('GET', '/api/files/{fileGUID}/comparable', {
  summary:
    'Lists images of all jobs of your organisation with the size of this image, newest first: at most 50, after image `before`. `search` finds their jobs, as in the list of jobs, among the next 5000 images; continue with `next` until it is null.',
  access: 'portal',
  params: z.object({ fileGUID: z.string() }),
  query: z.object({ search: z.optional(jobSearchText), before: z.optional(guid) }),
  answer: json(comparableImages),
  refusals,
});

export const readBytes = route('GET', '/api/files/{fileGUID}/bytes', {
  summary: `Returns at most ${mostWindowBytes} bytes of a decoded, modified or original image, in Base64. Fewer at its end.`,
  access: 'portal',
  params: z.object({ fileGUID: z.string() }),
  query: z.object({
    from: queryNumber(0),
    count: queryNumber(4096, mostWindowBytes),
  }),
  // a page repeats it while its user scrolls through a file, and no file is read without a trace
  audit: 'hourly',
  answer: json(
    z.object({
      /** Of the first byte. */
      from: z.number(),
      /** Bytes of the whole file. */
      size: z.number(),
      /** The bytes in Base64. */
      data: z.string(),
    }),
  ),
  refusals,
});
