/** The pre-flight of an encode: what would happen to the uploaded files, checked before anything is encoded. */
import * as z from 'zod/mini';
import { guid, json, route, time } from '../api.ts';
import { byFamily, definitionOf, type Family } from '../families/registry.ts';
import { entryRefusalsOf } from './recoding.ts';
import { encodeDraftChange } from './slots.ts';

/**
 * `green`: nothing to decide. `amber`: possible, but perhaps a mistake. `red`: the encode refuses it. `unchecked`: the
 * portal cannot tell, for example because the engine of a vendor does not report it.
 */
const checkStatuses = ['green', 'amber', 'red', 'unchecked'] as const;

const shared = {
  status: z.enum(checkStatuses),
  /** As in the draft: `modified`, `original`, or the component's type; null: the whole encode. */
  part: z.nullable(z.string()),
  /** The error with which the encode is refused; set exactly if the status is `red`. */
  error: z.nullable(
    z.object({ errorName: z.string(), detail: z.nullable(z.string()), cause: z.string() }),
  ),
};

/** One check. `values` is null if the check was not carried out. */
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

/** `corrected`: the encode writes it. `wrong`: it stays wrong. Bytes are hexadecimal, null if there are more than 64. */
const rule = z.object({
  rule: z.string(),
  state: z.enum(['right', 'corrected', 'wrong', 'disabled']),
  places: z.array(z.object({ at: z.number(), length: z.number(), before: text, after: text })),
});

/** Sizes, offsets and counts are in bytes. Shares are between 0 and 1. */
export const preflightCheck = z.discriminatedUnion('id', [
  check('files', none),
  check('size', sizes),
  check('map-file', none),
  check('original', none),
  check(
    'identification',
    z.object({ changed: z.array(z.object({ name: z.string(), before: text, after: text })) }),
  ),
  check('checksums', z.object({ isSkipped: z.boolean(), rules: z.array(rule) })),
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
  /** At most 64 spans. */
  check(
    'outside-calibration',
    z.object({ bytes: z.number(), protectedBytes: z.number(), spans: z.array(span) }),
  ),
  /** The newest other slot of the organisation that has this image, and how many have it. */
  check(
    'known-elsewhere',
    z.object({
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
  check('already-tuned', z.object({ bytes: z.number() })),
]);
export type PreflightCheck = z.infer<typeof preflightCheck>;

export const preflightAnswer = z.object({
  /** The worst status of the checks: red, else amber, else green. */
  status: z.enum(['green', 'amber', 'red']),
  /** The draft that was checked. */
  draft: encodeDraftChange,
  checks: z.array(preflightCheck),
});
export type PreflightAnswer = z.infer<typeof preflightAnswer>;

function preflightRoute(family: Family) {
  return route('GET', `/api/${family}/slots/{slotGUID}/preflight`, {
    summary: `Checks the ${definitionOf(family).name} encode that the slot's draft prepares: what an encode would refuse (red), what may be a mistake (amber), and what it would correct.`,
    access: 'session',
    params: z.object({ slotGUID: z.string() }),
    answer: json(preflightAnswer),
    refusals: [
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
