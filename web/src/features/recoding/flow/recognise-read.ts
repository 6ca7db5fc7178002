/** Inspects a file before the upload: which page opens it, and why another page does not. */
import type { RefusalCode } from '@recodery/contract/errors';
import {
  type Family,
  type RecodErrorName,
  type Workflow,
  workflowOf,
  workflowsOf,
} from '@recodery/contract/families/registry';
import { Refusal } from '@recodery/contract/refusal';
import type { ContainerKind } from '@recodery/contract/families/family';
import { type Recognised, recogniseStart, recognisedBytes } from '@recodery/contract/recognise';
import type { FaultDetails } from '@recodery/contract/features/operations';
import type { Fault } from '../fault.ts';
import type { FamilyPage } from '../families/family-page.ts';

/** What a file's first bytes indicate. */
export async function recogniseFile(file: File): Promise<Recognised> {
  return recogniseStart(new Uint8Array(await file.slice(0, recognisedBytes).arrayBuffer()));
}

/** The role of a container for the user. */
const whatIs = {
  'read-file': 'read-file',
  'read-backup': 'read-file',
  'encoded-file': 'encoded-file',
  'encoded-backup': 'encoded-file',
  'utility-backup': 'utility-backup',
} as const satisfies Record<ContainerKind, string>;

/** The page that opens this kind of file; no page opens an encoded file, which belongs to the slave. */
function pageFor(family: Family, kind: ContainerKind): Workflow | null {
  return workflowsOf(family).find((id) => workflowOf(id).readKind === kind) ?? null;
}

/** The page that opens a file, or null: then the page that it was dropped on, or the server, explains why. */
export function pageOf(recognised: Recognised): Workflow | null {
  return recognised.outcome === 'container' ? pageFor(recognised.family, recognised.kind) : null;
}

export interface TurnedAway {
  readonly fault: Fault;
  /** The page that opens the file instead. */
  readonly goesTo: Workflow | null;
}

/** The fault of a file that is refused before the upload. */
export function refusedFile(
  name: RecodErrorName | RefusalCode,
  given: Partial<FaultDetails> = {},
): Fault {
  const details: FaultDetails = { detail: null, cause: null, sizes: null, ...given };
  return { kind: 'refused', thrown: new Refusal(name, details) };
}

function tooLarge(actual: number, max: number): Fault {
  return refusedFile('FILE_TOO_LARGE', { sizes: { actual, allowed: { min: 0, max } } });
}

/** What a page accepts, apart from its family. */
export interface ReadLimits {
  readonly maxFileBytes: number;
  readonly takesForeignFiles?: boolean;
}

/**
 * Why a page refuses a file before the upload, or null if it may be uploaded. The server decides everything that the
 * first bytes do not reveal.
 */
export function whyTurnedAway(
  page: FamilyPage,
  recognised: Recognised,
  file: { readonly name: string; readonly size: number },
  { maxFileBytes, takesForeignFiles = false }: ReadLimits,
): TurnedAway | null {
  // a vendor's read file may be an archive
  if (recognised.outcome === 'archive' && !takesForeignFiles) {
    const fault = refusedFile(page.refuses.archive, { detail: recognised.archive });
    return { fault, goesTo: null };
  }
  if (file.size > maxFileBytes) {
    return { fault: tooLarge(file.size, maxFileBytes), goesTo: null };
  }
  if (recognised.outcome !== 'container') return null;
  const { family, kind } = recognised;
  if (family !== page.family) {
    // without a detail: the text and the button already name the page
    const name = page.refuses.families[family] ?? page.refuses.kind;
    return { fault: refusedFile(name), goesTo: pageFor(family, kind) };
  }
  if (kind === page.opens) return null;
  const fault = { kind: 'misplaced', code: page.refuses.kind, what: whatIs[kind] } as const;
  return { fault, goesTo: pageFor(family, kind) };
}

/** Why a modified or original file is refused before the upload: too large, an archive, or still sealed. */
export function whyPartTurnedAway(
  page: FamilyPage,
  recognised: Recognised,
  size: number,
  maxFileBytes: number,
): Fault | null {
  if (recognised.outcome === 'archive') {
    return refusedFile(page.refuses.archive, { detail: recognised.archive });
  }
  if (recognised.outcome === 'container') {
    return { kind: 'misplaced', code: page.refuses.kind, what: 'sealed' };
  }
  return size > maxFileBytes ? tooLarge(size, maxFileBytes) : null;
}
