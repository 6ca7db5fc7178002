/** Error names of failed operations: the family's names for file faults and for internal faults. */
import { CodecError } from '@recodery/codec/errors';
import { detailOf, errorNameOf } from '@recodery/codec/families/registry';
import {
  engineRefusedName,
  engineUnavailableName,
  fileDamagedName,
  quotaReachedName,
} from '@recodery/contract/errors';
import type { RecodErrorName } from '@recodery/contract/families/registry';
import { Refusal } from '@recodery/contract/refusal';
import { componentNames, modes } from '@recodery/contract/families/family';
import { EngineRefused, EngineUnavailable } from '../../engine/engine.ts';
import type { OperationFault } from '../../operations/claim.ts';
import type { OperationRow } from '../../operations/operation-rules.ts';
import { NothingStored } from '../../storage/storage.ts';
import { DamagedFile } from '../../storage/verified-storage.ts';

/** The fault that an error of the file or of a vendor's engine represents, or null for any other error. */
export function nameFault(operation: OperationRow, error: unknown): OperationFault | null {
  if (error instanceof CodecError) return describe(operation, error);
  // retention or an operator deleted the file: a retry would not find it
  if (error instanceof NothingStored) return describe(operation, new CodecError('FILE_IO'));
  if (error instanceof DamagedFile) return nameDamage(error);
  if (error instanceof Refusal && error.code === quotaReachedName) return quotaFault;
  if (error instanceof EngineRefused) return nameEngineFault(engineRefusedName, error);
  if (error instanceof EngineUnavailable) return nameEngineFault(engineUnavailableName, error);
  return null;
}

/** The result does not fit into the storage of the organisation. */
const quotaFault: OperationFault = {
  errorName: quotaReachedName,
  internalCode: quotaReachedName,
  detail: null,
  sizes: null,
};

/** The bytes of a stored file are not those of its upload: a retry would read the same. */
function nameDamage({ file }: DamagedFile): OperationFault {
  const errorName = fileDamagedName;
  return { errorName, internalCode: errorName, detail: file.name ?? null, sizes: null };
}

/** For a vendor's engine, the detail is the engine's own message, or describes what was wrong with its responses. */
function nameEngineFault(errorName: RecodErrorName, { message }: Error): OperationFault {
  return { errorName, internalCode: errorName, detail: message, sizes: null };
}

/** The fault shown to the user for an internal error: support asks for the operation's guid. */
export function nameOwnFault(operation: OperationRow): OperationFault {
  return describe(operation, new CodecError('GENERIC_ERROR', operation.guid));
}

function describe(
  { workflow, request }: OperationRow,
  { internalCode, detail, sizes }: CodecError,
): OperationFault {
  const place = {
    workflow,
    mode: modes.find((mode) => mode === request['mode']) ?? null,
    component: componentNames.find((name) => name === detail) ?? null,
  };
  const errorName = errorNameOf(internalCode, place);
  return { errorName, internalCode, detail: detailOf({ internalCode, detail }, place), sizes };
}
