/** Inspects a file before the upload: which page opens it, and why another page does not. */
import type { RefusalCode } from '@recodery/contract/errors';
import {
  definitionOf,
  families,
  type Family,
  findWorkflow,
  type RecodErrorName,
  type Workflow,
  workflowOf,
  workflowsOf,
} from '@recodery/contract/families/registry';
import { Refusal } from '@recodery/contract/refusal';
import type { FileKind } from '@recodery/contract/families/family';
import { type Recognized, recognizeStart, recognizedBytes } from '@recodery/contract/recognize';
import type { FaultDetails } from '@recodery/contract/features/operations';
import type { Fault } from '../../fault.ts';
import type { TrayError } from '@recodery/contract/features/trays';
import type { FamilyPage } from '../../families/family-page.ts';
import type { Foreign } from './inspect-foreign.ts';

/** The type of a file, by its first bytes. */
export async function recognizeFile(file: File): Promise<Recognized> {
  return recognizeStart(new Uint8Array(await file.slice(0, recognizedBytes).arrayBuffer()));
}

/** The family whose slaves give their read files this extension, if one does. */
function makerOf(name: string): Family | undefined {
  return families.find((one) => {
    const { readFileExtension: extension } = definitionOf(one);
    return extension !== undefined && name.toLowerCase().endsWith(extension);
  });
}

/**
 * The type of a file where the user cannot be asked: the name decides if the content does not show it, for the families
 * whose slaves give read files an extension of their own.
 */
export function recognizeByName(recognized: Recognized, { name }: Pick<File, 'name'>): Recognized {
  // some makers' read files are archives
  if (recognized.outcome !== 'unknown' && recognized.outcome !== 'archive') return recognized;
  if ('isWebPage' in recognized) return recognized;
  const family = makerOf(name);
  const page = family && findWorkflow(family, { isUtility: false });
  if (!family || !page) return recognized;
  const { readKind: kind } = workflowOf(page);
  return { outcome: 'recognized', family, kind, isContainer: false };
}

/** The role of a recognized file for the user. */
const whatIs = {
  'read-file': 'read-file',
  'read-backup': 'read-file',
  'encoded-file': 'encoded-file',
  'encoded-backup': 'encoded-file',
  'utility-backup': 'utility-backup',
} as const satisfies Record<FileKind, string>;

/** The page that opens this kind of file; no page opens an encoded file, which belongs to the slave. */
function pageFor(family: Family, kind: FileKind): Workflow | null {
  return workflowsOf(family).find((id) => workflowOf(id).readKind === kind) ?? null;
}

/** The page that opens a file, or null: then the page that it was dropped on, or the server, explains why. */
export function pageOf(recognized: Recognized): Workflow | null {
  return recognized.outcome === 'recognized' ? pageFor(recognized.family, recognized.kind) : null;
}

export interface ReadRefusal {
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

/** What a file is instead of a read, as the error and the detail that explain it. */
const explained = {
  WEB_PAGE: ['INVALID_FILE', 'web-page'],
  ARCHIVE_WITH_PASSWORD: ['FILE_IS_ZIP_ARCHIVE', 'archive-with-password'],
  ARCHIVE_OF_IMAGES: ['FILE_IS_ZIP_ARCHIVE', 'archive-of-images'],
} as const satisfies Readonly<Partial<Record<TrayError, readonly [RecodErrorName, string]>>>;

/** The error of a file of a kind that no page opens. */
export function errorOfUnopened(
  recognized: Recognized,
  { name, foreign = null }: { readonly name: string; readonly foreign?: Foreign | null },
) {
  if (foreign !== null) return foreign.what === 'own-file' ? 'OWN_FILE' : 'ARCHIVE_OF_IMAGES';
  const isOfMaker = makerOf(name) !== undefined && !('isWebPage' in recognized);
  switch (recognized.outcome) {
    case 'recognized':
      return recognized.isContainer ? 'ENCODED_FILE' : 'OTHER_MAKER';
    case 'archive':
      if (isOfMaker) return 'OTHER_MAKER';
      return recognized.hasPassword ? 'ARCHIVE_WITH_PASSWORD' : 'FILE_IS_ZIP_ARCHIVE';
    case 'text-transfer':
      return 'FILE_CORRUPTED';
    case 'empty':
      return 'FILE_EMPTY';
    case 'unknown':
      if (isOfMaker) return 'OTHER_MAKER';
      return recognized.isWebPage ? 'WEB_PAGE' : 'INVALID_FILE';
  }
}

/** The fault of a file that is refused with an error, which may be one that a tray has stored. */
export function faultOfError(
  error: TrayError,
  { name, ...given }: Partial<FaultDetails> & { readonly name: string },
): Fault {
  const code = 'INVALID_FILE';
  switch (error) {
    case 'ENCODED_FILE':
      return { kind: 'misplaced', code, what: 'encoded-file' };
    case 'OWN_FILE':
      return { kind: 'misplaced', code, what: 'own-file' };
    case 'OTHER_MAKER':
      return otherMaker(name, code) ?? refusedFile(code);
    case 'WEB_PAGE':
    case 'ARCHIVE_WITH_PASSWORD':
    case 'ARCHIVE_OF_IMAGES': {
      const [named, detail] = explained[error];
      return refusedFile(named, { detail });
    }
    default:
      return refusedFile(error, given);
  }
}

function otherMaker(name: string, code: RecodErrorName): Fault | null {
  const family = makerOf(name);
  return family === undefined
    ? null
    : { kind: 'misplaced', code, what: 'other-maker', maker: definitionOf(family).name };
}

function tooLarge(actual: number, max: number): Fault {
  return refusedFile('FILE_TOO_LARGE', { sizes: { actual, allowed: { min: 0, max } } });
}

/** The limits of a page, apart from its family. */
export interface ReadLimits {
  readonly maxFileBytes: number;
  readonly takesForeignFiles?: boolean;
}

/**
 * Why a page refuses a file before the upload, or null if it may be uploaded. The server decides everything that the
 * first bytes do not reveal.
 */
export function readRefusalReason(
  page: FamilyPage,
  content: Recognized,
  file: { readonly name: string; readonly size: number },
  { maxFileBytes, takesForeignFiles = false }: ReadLimits,
  foreign: Foreign | null = null,
): ReadRefusal | null {
  const refuse = (fault: Fault): ReadRefusal => ({ fault, goesTo: null });
  if (foreign?.what === 'own-file') {
    return refuse({ kind: 'misplaced', code: page.refuses.kind, ...foreign });
  }
  if ('isWebPage' in content) {
    return refuse(refusedFile(page.refuses.kind, { detail: 'web-page' }));
  }
  const recognized = recognizeByName(content, file);
  // a vendor's read file may be an archive
  if (recognized.outcome === 'archive' && !takesForeignFiles) {
    const own = recognized.hasPassword ? 'archive-with-password' : recognized.archive;
    const detail = foreign?.what ?? own;
    return refuse(refusedFile(page.refuses.archive, { detail }));
  }
  if (file.size > maxFileBytes) {
    return refuse(tooLarge(file.size, maxFileBytes));
  }
  if (recognized.outcome !== 'recognized') return null;
  const { family, kind, isContainer } = recognized;
  if (family !== page.family) {
    const maker = isContainer ? null : otherMaker(file.name, page.refuses.kind);
    if (maker !== null) return { fault: maker, goesTo: pageFor(family, kind) };
    // without a detail: the text and the button already name the page
    const name = page.refuses.families[family];
    const fault: Fault =
      name === undefined
        ? { kind: 'misplaced', code: page.refuses.kind, what: 'other-family' }
        : refusedFile(name);
    return { fault, goesTo: pageFor(family, kind) };
  }
  if (kind === page.opens) return null;
  const fault = { kind: 'misplaced', code: page.refuses.kind, what: whatIs[kind] } as const;
  return { fault, goesTo: pageFor(family, kind) };
}

/** Why a modified or original file is refused before the upload: too large, an archive, or still sealed. */
export function partRefusalReason(
  page: FamilyPage,
  recognized: Recognized,
  size: number,
  maxFileBytes: number,
): Fault | null {
  if (recognized.outcome === 'archive') {
    return refusedFile(page.refuses.archive, { detail: recognized.archive });
  }
  if (recognized.outcome === 'recognized') {
    return { kind: 'misplaced', code: page.refuses.kind, what: 'sealed' };
  }
  return size > maxFileBytes ? tooLarge(size, maxFileBytes) : null;
}
