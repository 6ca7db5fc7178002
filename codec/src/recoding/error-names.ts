/** The error name that a workflow shows for an internal code. */

import type { RecodErrorName } from '@recodery/contract/families/registry';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import {
  type ArchiveCode,
  type InternalCode,
  internalCodes,
  isArchiveCode,
  type WrongFamilyCode,
} from '../errors.ts';

/** A name that differs for a maps file or by mode; the first that applies is used. */
interface NamesByPlace {
  readonly mapfile?: RecodErrorName;
  readonly bootbench?: RecodErrorName;
  readonly otherwise: RecodErrorName;
}

type Name = RecodErrorName | NamesByPlace;

/**
 * A name for every internal code; all archives share one. A code that no file can cause is GENERIC_ERROR. A file of a
 * family that the table does not list is a file of the wrong kind.
 */
export type ErrorNames = Readonly<
  Record<Exclude<InternalCode, ArchiveCode | WrongFamilyCode> | 'FILE_IS_ARCHIVE', Name> &
    Partial<Record<WrongFamilyCode, Name>>
>;

/** Where an error occurred: what the error name may depend on. */
export interface FaultPlace {
  readonly mode?: Mode | null;
  readonly component?: ComponentName | null;
}

/** Whether an error's name covers other internal codes too: then the code says more than the name. */
export function coversSeveral(
  names: ErrorNames,
  internalCode: InternalCode,
  place: FaultPlace,
): boolean {
  const name = chooseErrorName(names, internalCode, place);
  const same = internalCodes.filter((code) => chooseErrorName(names, code, place) === name);
  return same.filter((code) => !isArchiveCode(code)).length > 1;
}

/** The name in a table for an error in this place. */
export function chooseErrorName(
  names: ErrorNames,
  internalCode: InternalCode,
  { mode, component }: FaultPlace,
): RecodErrorName {
  const code = isArchiveCode(internalCode) ? 'FILE_IS_ARCHIVE' : internalCode;
  const name: Name = names[code] ?? names.WRONG_FILE_KIND;
  if (typeof name === 'string') return name;
  if (component === 'mapfile' && name.mapfile !== undefined) return name.mapfile;
  if (mode === 'bootbench' && name.bootbench !== undefined) return name.bootbench;
  return name.otherwise;
}
