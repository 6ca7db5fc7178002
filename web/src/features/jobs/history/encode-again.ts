/** Prepares a file of a job for the next encode; loaded when the user asks for it. */
import type { Job, JobFile } from '@recodery/contract/features/jobs/jobs';
import { getOperation } from '@recodery/contract/features/operations';
import type { EncodeDraft } from '@recodery/contract/features/slots';
import type { Call } from '../../../api/call.ts';
import { loadPage } from '../../recoding/families/registry.ts';
import { updateDraft, type DraftFields } from '../../../api/update-draft.ts';
import { encodeInputsOf } from '../jobs.ts';

/**
 * The change that makes a draft the inputs of `file`: other parts lose their files, and a part with a file is not
 * removed. A modified file is encoded with the original that the draft has. `startsRemoved`: the parts that the page
 * removes until the user has chosen.
 */
export function draftFor(
  job: Pick<Job, 'files'>,
  file: JobFile,
  draft: EncodeDraft,
  startsRemoved: readonly string[],
): DraftFields {
  const { removed } = draft;
  const files: Record<string, string | null> = {};
  // the draft may have a file that was uploaded after the job was loaded
  for (const { part } of [...job.files, ...draft.files]) {
    const stays = part === 'original' && file.role === 'modified';
    if (part !== null && !stays) files[part] = null;
  }
  for (const { part, fileGUID } of encodeInputsOf(job, file))
    if (part !== null) files[part] = fileGUID;
  const isFree = (part: string): boolean => (files[part] ?? null) === null;
  const isDefault = removed === null && startsRemoved.every(isFree);
  const left = (removed ?? startsRemoved).filter(isFree);
  const isKept = isDefault || left.length === removed?.length;
  return isKept ? { files } : { files, removed: left };
}

/** The parts of a decoded read that its page removes until the user has chosen. */
async function partsRemovedAtStart(call: Call, job: Job): Promise<readonly string[]> {
  if (job.decodeOperationGUID === null) return [];
  const [page, operation] = await Promise.all([
    loadPage(job.workflow),
    call(getOperation, { params: { guid: job.decodeOperationGUID } }),
  ]);
  return page
    .readOf(operation)
    .parts.filter(({ startsRemoved }) => startsRemoved)
    .map(({ name }) => name);
}

/** The files of a draft that a change removes from it although they were never encoded. */
export function unencodedFiles(
  { files }: Pick<Job, 'files'>,
  draft: EncodeDraft,
  change: DraftFields,
): EncodeDraft['files'] {
  const encoded = files.flatMap(({ madeFrom }) => madeFrom);
  return draft.files.filter(({ part, fileGUID }) => {
    const stays = !(part in change.files) || change.files[part] === fileGUID;
    return !stays && !encoded.includes(fileGUID);
  });
}

/** A file that a page of the job's family is uploading for the job in this tab: it would be added to the draft. */
export interface JobUpload {
  isRunning(): boolean;
  /** Cancels it and resets the page's state. Resolves once no request for the draft is in progress. */
  cancel(): Promise<void>;
  /** Resolves once the server has saved the draft that the page shows; rejects when it could not be saved. */
  saved(): Promise<void>;
}

/** What is lost when a file is encoded again. */
export interface Loss {
  /** Whether an upload in progress is canceled. */
  readonly cancels: boolean;
  /** The files that were never encoded and are replaced. */
  readonly replaces: EncodeDraft['files'];
}

/**
 * Makes the draft of a job's next encode the inputs of a file; the switches of the draft stay. If more would be lost
 * than the user has `agreed` to, it changes nothing and returns the loss to ask about; otherwise it returns null.
 */
export async function encodeAgain(
  call: Call,
  job: Job,
  file: JobFile,
  upload: JobUpload | undefined,
  agreed: Loss,
): Promise<Loss | null> {
  const cancels = !agreed.cancels && upload?.isRunning() === true;
  await (agreed.cancels ? upload?.cancel() : upload?.saved());
  const known = agreed.replaces.map(({ fileGUID }) => fileGUID);
  let loss: Loss | null = null;
  await updateDraft(call, job.slotGUID, async (draft) => {
    const startsRemoved = draft.removed === null ? await partsRemovedAtStart(call, job) : [];
    const fields = draftFor(job, file, draft, startsRemoved);
    const replaces = unencodedFiles(job, draft, fields);
    const isAgreed = !cancels && replaces.every(({ fileGUID }) => known.includes(fileGUID));
    loss = isAgreed ? null : { cancels, replaces };
    return isAgreed ? fields : null;
  });
  return loss;
}
