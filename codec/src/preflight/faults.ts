/** The faults that an encode would throw, as checks. */

import type { ComponentName } from '@recodery/contract/families/family';
import { CodecError, type InternalCode } from '../errors.ts';
import type { CheckFault, ImageCheck } from './checks.ts';

/** The check that a fault belongs to. */
export function checkOf(
  code: InternalCode,
): 'size' | 'identification' | 'original' | 'checksums' | 'overwritten' | 'cvn' {
  switch (code) {
    case 'MOD_IDENT_MISMATCH':
      return 'identification';
    case 'ORI_MISSING':
    case 'ORI_MISMATCH':
      return 'original';
    case 'CHECKSUM_UNCORRECTABLE':
      return 'checksums';
    case 'CHANGE_OVERWRITTEN':
      return 'overwritten';
    case 'CVN_ERROR':
      return 'cvn';
    default:
      return 'size';
  }
}

/** What a step returns, or the fault that it throws. */
export type StepOutcome<T> =
  | { readonly value: T; readonly fault: null }
  | { readonly value: null; readonly fault: CheckFault };

/** What the pre-flight keeps of an error. */
export function checkFaultOf({ internalCode, detail, sizes }: CodecError): CheckFault {
  return { internalCode, detail, sizes };
}

/** Runs a step of the encode. */
export function attempt<T>(step: () => T): StepOutcome<T> {
  try {
    return { value: step(), fault: null };
  } catch (error) {
    if (!(error instanceof CodecError)) {
      throw error;
    }
    return { value: null, fault: checkFaultOf(error) };
  }
}

/** The check that a fault belongs to, with the fault. */
export function red(component: ComponentName, fault: CheckFault): ImageCheck {
  const id = checkOf(fault.internalCode);
  return { id, status: 'red', component, fault, reason: null, values: null };
}
