/** What an operation's end is called: the family's error name for a fault of the file, and for one of our own. */
import { CodecError } from '@recodery/codec/errors';
import { errorNameOf } from '@recodery/codec/families/registry';
import { componentNames, modes } from '@recodery/contract/families/family';
import type { Fault } from '../operations/claim.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import { NothingStored } from '../storage/storage.ts';

/** The fault of a file that an error stands for, or null when the file is not at fault. */
export function nameFault(operation: OperationRow, error: unknown): Fault | null {
  if (error instanceof CodecError) return describe(operation, error);
  // the retention or an operator took the file away: no further attempt will find it
  if (error instanceof NothingStored) return describe(operation, new CodecError('FILE_IO'));
  return null;
}

/** What the user is told when we are at fault: the operation's guid is what support asks for. */
export function nameOwnFault(operation: OperationRow): Fault {
  return describe(operation, new CodecError('GENERIC_ERROR', operation.guid));
}

function describe(
  { workflow, request }: OperationRow,
  { internalCode, detail, sizes }: CodecError,
): Fault {
  const errorName = errorNameOf(internalCode, {
    workflow,
    mode: modes.find((mode) => mode === request['mode']) ?? null,
    component: componentNames.find((name) => name === detail) ?? null,
  });
  // the one text that shows a code needs one
  const isWithCode = errorName === 'KESS3_GENERIC_ERROR_WITH_CODE';
  return { errorName, internalCode, detail: detail ?? (isWithCode ? internalCode : null), sizes };
}
