/** What an import accepts as the description of a job; pure. */
import {
  type ImportedJob,
  importedJob,
  type ImportRefusal,
} from '@recodery/contract/features/jobs/jobs-import';
import { workflowOf } from '@recodery/contract/families/registry';

/** Why a job is not imported. `detail`: which file or device. */
export interface NotImported {
  readonly reason: ImportRefusal;
  readonly detail: string | null;
}

export const notImported = (reason: ImportRefusal, detail: string | null = null): NotImported => ({
  reason,
  detail,
});

/** The limits that a description is checked against. */
export interface ImportLimits {
  /** Maximum bytes of an uploaded file; encoded files may be larger. */
  readonly maxFileBytes: number;
  readonly now: Date;
}

/** A job whose description is valid, with its one read. */
export interface DescribedJob {
  readonly job: ImportedJob;
  readonly read: ImportedJob['files'][number];
}

/** Clocks of two machines differ. */
const clockMs = 24 * 3_600_000;

/** Reads the description of a job, which can contain anything. */
export function readImportedJob(
  value: unknown,
  { maxFileBytes, now }: ImportLimits,
): DescribedJob | NotImported {
  const { data: job } = importedJob.safeParse(value);
  if (job === undefined) return notImported('INVALID');
  const { workflow, family, files } = job;
  if (workflowOf(workflow).family !== family) return notImported('INVALID');
  const reads = files.filter(({ role }) => role === 'read');
  const [read] = reads;
  if (read === undefined || read.size === 0) return notImported('NO_READ');
  const times = [job, ...files].map(({ createdOn }) => Date.parse(createdOn));
  const isPast = times.every((time) => time < now.getTime() + clockMs);
  const isSmall = files.every(({ role, size }) => role === 'encoded' || size <= maxFileBytes);
  // an image belongs to a component, and a whole file to none
  const hasPlaces = files.every(
    ({ role, component }) => role === 'original' || (role === 'modified') === (component !== null),
  );
  return reads.length === 1 && isPast && isSmall && hasPlaces
    ? { job, read }
    : notImported('INVALID');
}
