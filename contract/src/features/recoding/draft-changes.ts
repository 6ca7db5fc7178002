/** Who changed what in the draft of an encode, as refusals and drafts report it; apart from them, because every page loads it. */
import * as z from 'zod/mini';
import { time } from '../../api.ts';

/** A part of an encode: `modified` or `original` for the one image of an OBD read, else the component's type. */
export const part = z.string().check(z.maxLength(20));

/** The last change of one field of a draft. */
export const draftFieldChange = z.object({
  field: z.enum(['file', 'removed', 'willCorrectCVN', 'willSkipChecksum', 'willCorrectChecksums']),
  /** Of a file; otherwise null. */
  part: z.nullable(part),
  /** The version of the draft that this change made. */
  version: z.number(),
  changedOn: time,
  /** The user or client application; null when the account no longer exists. */
  userDisplayName: z.nullable(z.string()),
});
export type DraftFieldChange = z.infer<typeof draftFieldChange>;

/** The details of `DRAFT_CHANGED`: what was changed after the version on which the refused change is based. */
export const draftConflicts = z.object({
  version: z.number(),
  conflicts: z.array(draftFieldChange),
});

/** The details of `FILE_REPLACED`: a file that no longer exists, and who replaced it. */
export const replacedFile = z.object({
  part: z.nullable(part),
  name: z.string(),
  replacedOn: time,
  replacedBy: z.nullable(z.string()),
});
