/** The operation record of the Encoding API, and the numbers in it. */
import * as z from 'zod/mini';
import { guid } from '../api.ts';
import { apiFamilies, definitionOf } from '../families/registry.ts';
import { encodingApiOf } from '../family-routes/registry.ts';
import { doubleMark } from '../results.ts';

/** The numbers of `status`. */
export const statusNumbers = { waiting: 0, succeeded: 1, failed: 2, running: 3 } as const;

/** Seconds between two polls. Some clients give up after 60 s and count in this interval. */
export const recommendedPollingInterval = 1;

/** A time without a zone, in UTC, with seven digits of the second. */
export const plainTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}$/));
/** `hh:mm:ss.fffffff`. */
const duration = z.string().check(z.regex(/^\d{2,}:\d\d:\d\d\.\d{7}$/));

/** When the maker's service sealed the file, and when the slave stops accepting it; null: never. */
const sealingFields = {
  sealedOn: plainTime,
  expiresOn: z.nullable(plainTime),
  isDouble: doubleMark,
};

/** The results of a family's operations. */
const resultsOf = apiFamilies.flatMap(
  (family): z.ZodMiniType<Readonly<Record<string, unknown>>>[] => {
    const { decodeResult, slotField, encodedFileField } = encodingApiOf(family);
    const encodeResult = z.strictObject({
      [slotField]: guid,
      [encodedFileField]: guid,
      name: z.string(),
      encodedFileURL: z.string(),
      ...(definitionOf(family).sealing === undefined ? {} : sealingFields),
    });
    return [decodeResult, encodeResult];
  },
);

/** An operation. The record has all fields from the first response on. */
export const operationRecord = z.object({
  guid,
  /** null for operations that a user started in the portal. */
  clientApplicationGUID: z.nullable(guid),
  asyncOperationType: z.number(),
  slotGUID: guid,
  status: z.number(),
  isCompleted: z.boolean(),
  recommendedPollingInterval: z.number(),
  startedOn: plainTime,
  completedOn: z.nullable(plainTime),
  duration: z.nullable(duration),
  isSuccessful: z.boolean(),
  hasFailed: z.boolean(),
  result: z.nullable(z.union(resultsOf)),
  error: z.nullable(z.object({ errorName: z.string(), detail: z.nullable(z.string()) })),
  additionalInfo: z.null(),
  userInfo: z.nullable(z.string()),
  callbackURL: z.nullable(z.string()),
});
export type OperationRecord = z.infer<typeof operationRecord>;
