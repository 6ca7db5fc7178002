/** The pre-flight of an encode: what would happen to the uploaded files, checked before anything is encoded. */
import * as z from 'zod/mini';
import { guid, json, route, time } from '../../api.ts';
import { byFamily, definitionOf, type Family } from '../../families/registry.ts';
import { diagnosis } from './diagnosis.ts';
import { entryRefusalsOf } from './recoding.ts';
import { draftValues } from '../slots.ts';

/**
 * `green`: nothing to decide. `amber`: possible, but perhaps a mistake. `red`: the encode refuses it. `unchecked`: the
 * portal cannot tell; `reason` says why.
 */
const checkStatuses = ['green', 'amber', 'red', 'unchecked'] as const;

/** Why a check could not be made. */
const uncheckedReasons = [
  /** The engine of a vendor decoded the read. It corrects by its own rules, and does not report them. */
  'engine-does-not-report',
  /** The protocol has no checksums for this component: the encode corrects none. */
  'no-scheme',
  /** The image is not of a control unit whose checksums the portal knows. */
  'no-known-scheme',
  /** The protocol does not know where this component has its identification. */
  'no-identification',
  /** The protocol does not know the CVN of this component, and cannot correct it. */
  'no-cvn',
  /** The protocol knows neither the calibration nor the protected ranges of this component. */
  'no-areas',
  /** The read does not contain this component, so that there is nothing to compare with. */
  'no-image-in-read',
  /** The library has no original of the read's software; one can be added. */
  'no-original-in-library',
  /** The read reports no hardware or software number by which its original could be found. */
  'no-numbers-in-read',
  /** The encode refuses the file because of another check, so that this one has no result. */
  'refused-before',
  /** The content differs a lot from the read, and the cause is not certain. */
  'not-certain',
  /** No engine could explain the file when it was uploaded. */
  'engine-unavailable',
] as const;
export type UncheckedReason = (typeof uncheckedReasons)[number];

const shared = {
  status: z.enum(checkStatuses),
  /** As in the draft: `modified`, `original`, or the component's type; null: the whole encode. */
  part: z.nullable(z.string()),
  /** The error with which the encode is refused; set exactly if the status is `red`. */
  error: z.nullable(
    z.object({ errorName: z.string(), detail: z.nullable(z.string()), cause: z.string() }),
  ),
  /** Set exactly if the status is `unchecked`. */
  reason: z.nullable(z.enum(uncheckedReasons)),
};

/** One check. `values` is null if it has no result: unchecked, or red. Only a red `overwritten` has values. */
function check<const Id extends string, S extends z.ZodMiniType>(id: Id, values: S) {
  return z.object({ id: z.literal(id), ...shared, values: z.nullable(values) });
}

const text = z.nullable(z.string());
const none = z.object({});
const span = z.object({ offset: z.number(), length: z.number() });
const sizes = z.object({
  actual: z.number(),
  allowed: z.union([z.array(z.number()), z.object({ min: z.number(), max: z.number() })]),
});

/**
 * The bytes that a rule writes. `before`, `after`: at most 64 of them, hexadecimal, as uploaded and as encoded, from
 * offset `shownAt`: the first byte that the encode changes, if there are more.
 */
const place = z.object({
  at: z.number(),
  length: z.number(),
  shownAt: z.number(),
  before: z.string(),
  after: z.string(),
});

/** `corrected`: the encode writes it. `wrong`: it stays wrong. */
const rule = z.object({
  rule: z.string(),
  state: z.enum(['right', 'corrected', 'wrong', 'disabled']),
  places: z.array(place),
});

/** `corrected`: the encode writes it. `off`: switched off in the image. `not-checked`: what it covers is not certain. */
const knownPart = z.object({
  name: z.string(),
  state: z.enum(['right', 'corrected', 'wrong', 'off', 'not-checked']),
  rules: z.number(),
  wrong: z.number(),
  wasWrong: z.boolean(),
  isTableChanged: z.boolean(),
});
const knownChecksums = z.object({
  scheme: z.string(),
  isProved: z.boolean(),
  signature: z.nullable(z.enum(['valid', 'wrong', 'not-checked'])),
  canCorrect: z.boolean(),
  willCorrect: z.boolean(),
  parts: z.array(knownPart),
  lost: z.array(z.string()),
  bytes: z.number(),
});

/** Sizes, offsets and counts are in bytes. Shares are between 0 and 1. */
export const preflightCheck = z.discriminatedUnion('id', [
  check('files', none),
  check('size', sizes),
  check('map-file', none),
  /** Why a file that was accepted hardly resembles the read; unchecked if that is not known; absent if it resembles it. */
  check('fit', diagnosis),
  /**
   * `bytes`: those that differ from the read's own image; null if the read does not contain the image. `isModified`: it is the modified file. `rules`: the checksum rules that show that it is
   * not the original, because they are wrong in it, or because the read contradicts them.
   */
  check(
    'original',
    z.object({
      bytes: z.nullable(z.number()),
      isModified: z.boolean(),
      rules: z.array(z.string()),
    }),
  ),
  /** The checksum rules that are wrong in the read itself. Such a read is only decoded on request. */
  check('read-checksums', z.object({ rules: z.array(z.string()) })),
  check(
    'identification',
    z.object({ changed: z.array(z.object({ name: z.string(), before: text, after: text })) }),
  ),
  check('checksums', z.object({ isSkipped: z.boolean(), rules: z.array(rule) })),
  /**
   * The checksums of a real control unit, in an image whose protocol defines none: `scheme`, and each of its parts.
   * `isProved`: false: the scheme was never tried on a real image, and is only verified. `signature`: null: the image is
   * not signed; a signature is verified, never made. `canCorrect`: the encode can correct them with
   * `willCorrectChecksums`. `lost`: parts that the read has, and the modified image does not. `bytes`: those that the
   * encode writes. Of a part: `rules`, its checksums, of which `wrong` are wrong as uploaded; `wasWrong`: also in the
   * read; `isTableChanged`: the tables or the code that name what it covers were changed.
   */
  check('known-checksums', knownChecksums),
  /**
   * The changed bytes that the slave will not get as they were uploaded, at most 64 spans of them, and the names of the
   * rules that overwrite them (`CVN` for its correction). Amber if some are lost, or only checksum fields; red, because
   * the encode refuses it, if nothing of the change would be left.
   */
  check(
    'overwritten',
    z.object({ bytes: z.number(), spans: z.array(span), rules: z.array(z.string()) }),
  ),
  /** Eight hexadecimal digits each: of the read, as uploaded, and as it will be encoded. */
  check(
    'cvn',
    z.object({
      original: z.string(),
      modified: z.string(),
      encoded: z.string(),
      willCorrect: z.boolean(),
    }),
  ),
  check('identical', z.object({ bytes: z.number() })),
  /** `calibration`: the changed share of the calibration, null if the protocol has none. */
  check(
    'much-changed',
    z.object({
      bytes: z.number(),
      size: z.number(),
      fraction: z.number(),
      calibration: z.nullable(z.number()),
    }),
  ),
  /**
   * The changed bytes outside the calibration, at most 64 spans of them, and how many of them are protected. Without a
   * calibration, only protected bytes are counted. Not counted: `identificationBytes` in fields that `identification`
   * reports, and `checksumBytes` in the places of checksums and second copies.
   */
  check(
    'outside-calibration',
    z.object({
      bytes: z.number(),
      protectedBytes: z.number(),
      hasCalibration: z.boolean(),
      identificationBytes: z.number(),
      checksumBytes: z.number(),
      spans: z.array(span),
    }),
  ),
  /**
   * The part of this read that has this image, and the newest other slot of the organisation that has it, and how many
   * have it.
   */
  check(
    'known-elsewhere',
    z.object({
      otherPart: text,
      count: z.number(),
      newest: z.nullable(
        z.object({
          slotGUID: guid,
          readFileName: z.string(),
          slaveSerialNumber: text,
          decodedOn: time,
        }),
      ),
    }),
  ),
  /**
   * The bytes in which the read differs from the library's original, without fields that differ between vehicles. `kept`:
   * the original is not the library's, but was kept by this user at that time; of a portal of an earlier version, absent.
   */
  check(
    'already-tuned',
    z.object({
      bytes: z.number(),
      kept: z.optional(z.nullable(z.object({ slotGUID: guid, keptOn: time, keptBy: text }))),
    }),
  ),
]);
export type PreflightCheck = z.infer<typeof preflightCheck>;

export const preflightAnswer = z.object({
  /** The worst status of the checks: red, else amber, else green. */
  status: z.enum(['green', 'amber', 'red']),
  /** How many checks could not be made. They do not count for `status`. */
  unchecked: z.number(),
  /** The draft that was checked. */
  draft: draftValues,
  checks: z.array(preflightCheck),
});
export type PreflightAnswer = z.infer<typeof preflightAnswer>;

/** What a pre-flight could not check, and the draft that it checked. */
export const checkLimits = z.object({
  draft: draftValues,
  checks: z.array(preflightCheck),
});
export type CheckLimits = z.infer<typeof checkLimits>;

function preflightRoute(family: Family) {
  return route('GET', `/api/${family}/slots/{slotGUID}/preflight`, {
    summary: `Checks the ${definitionOf(family).name} encode that the slot's draft prepares: what an encode would refuse (red), what may be a mistake (amber), and what it would correct.`,
    access: 'session',
    params: z.object({ slotGUID: z.string() }),
    answer: json(preflightAnswer),
    refusals: [
      'FILE_DAMAGED',
      'API_ERROR_UNAUTHORIZED',
      ...entryRefusalsOf(family),
      'NOT_FOUND',
      'OPERATION_NOT_POSSIBLE',
      'API_ERROR_THROTTLING',
      'SERVICE_UNAVAILABLE',
    ],
  });
}

/** The pre-flight of each family. */
export const preflightRoutes = byFamily(preflightRoute);
