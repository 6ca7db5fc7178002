/**
 * Finds the page that opens a file dropped on the home page, or the reason why none does. Loaded with the first file.
 */
import type { AnswerOf } from '@recodery/contract/api';
import { listEngines } from '@recodery/contract/features/engines';
import { Refusal } from '@recodery/contract/refusal';
import {
  type Family,
  findWorkflow,
  type Workflow,
  workflowOf,
} from '@recodery/contract/families/registry';
import type { Recognized } from '@recodery/contract/recognize';
import type { Entries } from '@recodery/contract/features/session';
import { jobPath } from '../../api/job-path.ts';
import { call } from '../../api/call.ts';
import {
  type Device,
  rememberedSerial,
  rememberSerial,
} from '../../features/devices/device-choice.ts';
import { parametersOf } from '../../features/jobs/job-address.ts';
import { type Fault, problemOf } from '../../features/recoding/fault.ts';
import { findContent } from '../../api/files/find-content.ts';
import type { Foreign } from '../../features/recoding/flow/reads/inspect-foreign.ts';
import { passFile } from '../../features/recoding/flow/reads/pass-file.ts';
import {
  errorOfUnopened,
  faultOfError,
  pageOf,
  recognizeByName,
  recognizeFile,
} from '../../features/recoding/flow/reads/recognize-read.ts';
import { type TextOf, withTexts } from '../../i18n/texts.ts';
import { showToast } from '../../ui/toasts/toast.tsx';

/** Why no page opens a file of this kind. */
export function faultOfUnopened(
  recognized: Recognized,
  name: string,
  foreign: Foreign | null = null,
): Fault {
  const details = recognized.outcome === 'archive' ? { detail: recognized.archive } : {};
  return faultOfError(errorOfUnopened(recognized, { name, foreign }), { ...details, name });
}

/** Shows why no page opens a file, for a user who has left the home page. */
export function showFault(t: TextOf, fault: Fault): void {
  const { headline, advice } = problemOf(t, fault);
  showToast({ title: headline, detail: advice, tone: 'bad' });
}

/** A page for files that are not in the portal's own container, and the master device whose engine takes them. */
export interface ForeignPage {
  readonly page: Workflow;
  readonly device: Device;
}

type Masters = AnswerOf<typeof listEngines>;

/**
 * The pages that the user may open for a file of unknown kind: those of the families with a master whose engine takes
 * such files. Of several masters, the one that the user chose last.
 */
export function foreignPages(
  masters: Masters,
  entries: Entries,
  chosenLast: (family: Family) => string | null = rememberedSerial,
): readonly ForeignPage[] {
  const taking = masters.filter(({ engine }) => engine.offers.foreignFiles);
  const ofFamilies = Map.groupBy(taking, ({ family }) => family);
  return [...ofFamilies].flatMap(([family, devices]) => {
    const page = findWorkflow(family, { isUtility: false });
    const serial = chosenLast(family);
    const master =
      devices.find(({ masterDeviceSerialNumber }) => masterDeviceSerialNumber === serial) ??
      devices[0];
    if (page === null || entries[page] !== null || master === undefined) return [];
    const { groupCode, masterDeviceSerialNumber: serialNumber } = master;
    return [{ page, device: { groupCode, serialNumber } }];
  });
}

/** The page that opens a file; `device`: the master device that accepts it, null if any does. */
export interface Opening {
  readonly page: Workflow;
  readonly device: Device | null;
}

/**
 * Leaves a file for the page that opens it. If the user has chosen a master device that does not accept it, the page lets
 * the files decide again.
 */
export function leaveFile({ page, device }: Opening, file: File): void {
  const { family } = workflowOf(page);
  if (device !== null && rememberedSerial(family) !== device.serialNumber)
    rememberSerial(family, null);
  passFile(page, file);
}

export type FoundPage =
  | Opening
  /** The address of the jobs that contain the file. */
  | { readonly address: string }
  /** The user must choose the file's family. */
  | { readonly pages: readonly ForeignPage[] }
  | { readonly fault: Fault };

/** Milliseconds that a dropped file waits for the jobs that contain it, and for the list of masters. */
const mostWaiting = 5000;

/** The pages for files of vendors' slaves; none without the list of masters, or when it takes too long. */
async function fetchForeignPages(entries: Entries): Promise<readonly ForeignPage[]> {
  const signal = AbortSignal.timeout(mostWaiting);
  const masters = await call(listEngines, {}, { signal }).catch(() => []);
  return foreignPages(masters, entries);
}

async function findForeign(
  file: File,
  recognized: Recognized,
  entries: Entries,
): Promise<FoundPage> {
  const { name } = file;
  const { inspectForeign } = await withTexts(
    import('../../features/recoding/flow/reads/inspect-foreign.ts'),
    'foreign',
  );
  const content = await inspectForeign(file, recognized, AbortSignal.timeout(mostWaiting)).catch(
    () => null,
  );
  const fault = faultOfUnopened(recognized, name, content);
  if (content?.what === 'archive-of-images' || 'isWebPage' in recognized) return { fault };
  if (recognized.outcome === 'recognized' || recognized.outcome === 'empty') return { fault };
  // without a page, the file is refused with its own reason
  const named = pageOf(recognizeByName(recognized, file));
  const pages = await fetchForeignPages(entries);
  // the name is not sure enough to decide, but the likely choice comes first
  const [only, ...others] = pages.toSorted(
    (one, other) => Number(other.page === named) - Number(one.page === named),
  );
  if (only === undefined) return { fault };
  return others.length > 0 ? { pages: [only, ...others] } : only;
}

/** The jobs that contain a file. */
interface FoundJobs {
  readonly address: string;
  /** Whether the file is a read, or none of the jobs is left: it can be decoded again. */
  readonly isDecodable: boolean;
}

/** The jobs that contain a file of unknown kind, such as a decoded one; null if none does. */
async function findJobs(file: File): Promise<FoundJobs | null> {
  const signal = AbortSignal.timeout(mostWaiting);
  const { hashes, jobs, isFound, isRead } = await findContent(file, { signal });
  const [job] = jobs;
  if (!isFound) return null;
  const address =
    jobs.length === 1 && job !== undefined
      ? jobPath(job)
      : `/jobs?${parametersOf(hashes, file.name)}`;
  return { address, isDecodable: isRead || job === undefined };
}

/** Where a file of unknown kind is opened: at a vendor's engine, unless it comes from a job; else in its jobs. */
async function findUnknown(
  file: File,
  recognized: Recognized,
  entries: Entries,
): Promise<FoundPage> {
  // without a response, the file is still refused with its own reason
  const jobs = recognized.outcome === 'empty' ? null : await findJobs(file).catch(() => null);
  if (jobs?.isDecodable === false) return { address: jobs.address };
  const foreign = await findForeign(file, recognized, entries);
  return 'fault' in foreign && jobs !== null ? { address: jobs.address } : foreign;
}

/** The page that opens the file, or its jobs; otherwise the choice, or why there is none. */
export async function findPage(file: File, entries: Entries): Promise<FoundPage> {
  const recognized = await recognizeFile(file);
  const page = pageOf(recognized);
  if (page === null) return findUnknown(file, recognized, entries);
  const refusal = entries[page];
  if (refusal !== null) return { fault: { kind: 'refused', thrown: new Refusal(refusal) } };
  const isContainer = recognized.outcome === 'recognized' && recognized.isContainer;
  const foreign = isContainer ? [] : await fetchForeignPages(entries);
  // without a master device that takes it, its page reports why
  return foreign.find((one) => one.page === page) ?? { page, device: null };
}
