/** What the server notes of a file that only a page has refused. */
import { faultDetails } from '@recodery/contract/features/operations';
import type { EncodeDraftChange } from '@recodery/contract/features/slots';
import { Refusal } from '@recodery/contract/refusal';
import { codeOf } from './fault.ts';
import type { RefusedFile } from './inputs.ts';

type RefusedNote = NonNullable<EncodeDraftChange['refused']>[string];

/** What the server notes of a file that was refused. */
export function noteOfRefused({ file: { name, size }, fault }: RefusedFile): RefusedNote {
  const details =
    fault.kind === 'refused' && fault.thrown instanceof Refusal && fault.thrown.details;
  const safe = faultDetails.safeParse(details || null).data ?? null;
  return { name: name.slice(0, 255), size, errorCode: codeOf(fault), details: safe };
}
