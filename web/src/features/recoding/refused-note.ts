/** What the server notes of a file that only a page has refused. */
import { faultDetails } from '@recodery/contract/features/operations';
import type { EncodeDraftChange } from '@recodery/contract/features/slots';
import { Refusal } from '@recodery/contract/refusal';
import type { Fault } from './fault.ts';
import type { RefusedFile } from './inputs.ts';

type RefusedNote = NonNullable<EncodeDraftChange['refused']>[string];

/** What the server notes of a file that was refused. */
export function noteOfRefused({ file: { name, size }, fault }: RefusedFile): RefusedNote {
  const code = fault.kind === 'misplaced' ? fault.code : thrownCode(fault);
  const details =
    fault.kind === 'refused' && fault.thrown instanceof Refusal && fault.thrown.details;
  const safe = faultDetails.safeParse(details || null).data ?? null;
  return { name: name.slice(0, 255), size, errorCode: code, details: safe };
}

/** The code of a refusal; of a request without an answer, that the upload was interrupted. */
function thrownCode(fault: Fault): string {
  const { thrown } = fault.kind === 'refused' ? fault : { thrown: null };
  return thrown instanceof Refusal ? thrown.code : 'UPLOAD_INTERRUPTED';
}
