/** The refusal of a call: the server throws it, and the browser throws the same error again. */
import * as z from 'zod/mini';
import type { RefusalCode } from './errors.ts';
import type { RecodErrorName } from './families/registry.ts';
import { type Diagnosis } from './features/recoding/diagnosis.ts';
import { faultDetails, operation } from './features/operations.ts';
import { draftConflicts, replacedFile } from './features/recoding/draft-changes.ts';

/** The details of `API_ERROR_THROTTLING`: the caller's own operations that are still running, oldest first. */
export const pendingOperations = z.array(operation);
/** The parts of a request that its schema does not accept; `field` is a path such as `notificationInfo.email`. */
export const invalidFields = z.object({
  fields: z.array(z.object({ field: z.string(), message: z.string() })),
});
/**
 * With `FIELDS_NOT_ACCEPTED`: why, by the names of the fields; the devices that would change their owner; and what else
 * the user has to know to confirm the change.
 */
export const refusedFields = z.object({
  fields: z.record(z.string(), z.string()),
  moves: z.optional(
    z.array(
      z.object({ device: z.string(), from: z.nullable(z.string()), to: z.nullable(z.string()) }),
    ),
  ),
  facts: z.optional(z.record(z.string(), z.string())),
});
/** With `RECORD_CHANGED`: the record as it is now. */
export const changedRecord = z.object({
  current: z.looseObject({ guid: z.string(), revision: z.string() }),
});
/** With `SLAVE_NEEDED`: the serial numbers of the slaves that can be chosen. */
export const slaveQuestion = z.object({ slaves: z.array(z.string()) });
/**
 * What a refusal contains beyond its code: {@link pendingOperations}, with the error name of a file check more about the
 * file, {@link slaveQuestion}, with `FILE_DAMAGED` its name, with `FILE_REPLACED` the file, with `DRAFT_CHANGED` what others have changed, and
 * {@link invalidFields}, {@link refusedFields} or {@link changedRecord}.
 */
export const refusalDetails = z.union([
  pendingOperations,
  faultDetails,
  replacedFile,
  draftConflicts,
  invalidFields,
  refusedFields,
  changedRecord,
  slaveQuestion,
]);
export type RefusalDetails = z.infer<typeof refusalDetails>;

/** The request was understood and refused. */
export class Refusal extends Error {
  /** A {@link RefusalCode}, or the error name of a file check (returned with status 400). */
  readonly code: string;
  /** Absent if the code is sufficient. */
  readonly details: RefusalDetails | undefined;
  /** Why an uploaded file does not fit; absent for other refusals, and if nothing is certain. */
  readonly diagnosis: Diagnosis | undefined;
  constructor(code: RefusalCode | RecodErrorName, details?: RefusalDetails, diagnosis?: Diagnosis) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
    this.diagnosis = diagnosis;
  }
}
