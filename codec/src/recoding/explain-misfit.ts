/** Explains why an uploaded image does not fit its read: tells the diagnosis what the checks of an upload accept. */

import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Family } from '@recodery/contract/families/registry';
import { fits, makeReference } from '../diagnosis/agreement.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import type { Finding, ReadComponent } from '../diagnosis/finding.ts';
import { CodecError } from '../errors.ts';
import { readIdent } from '../protocols/ident.ts';
import type { ComponentSpec } from '../protocols/shape.ts';
import type { Identification } from './family-codec.ts';
import { checkAgainstRead, checkOriginalAgainstRead, checkSize, specOf } from './image-checks.ts';

/** An upload that was refused, or that hardly resembles the read. */
export interface MisfitToExplain {
  /** Null when the engine that decoded the read does not report it. */
  readonly protocolId: number | null;
  readonly mode: Mode;
  readonly component: ComponentName;
  readonly role: 'modified' | 'original';
  readonly upload: Uint8Array;
  /** The read's own image; null if the read does not contain it. */
  readonly decoded: Uint8Array | null;
  /** What the slave reported about the ECU; null if that is not compared. */
  readonly identification: Identification | null;
  /** The other images of the read. */
  readonly others: readonly ReadComponent[];
}

function hasPassed(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    return false;
  }
}

function accepts(
  spec: ComponentSpec | null,
  misfit: MisfitToExplain,
  candidate: Uint8Array,
): boolean {
  const { component, decoded, identification, role } = misfit;
  return hasPassed(() => {
    if (spec === null) checkSize(component, candidate, decoded);
    else if (role === 'modified') checkAgainstRead(spec, candidate, decoded);
    else checkOriginalAgainstRead(spec, { decoded, identification, original: candidate });
  });
}

/** Why an upload does not fit; null if nothing is certain. A maps file is no image, so it is compared with nothing. */
export function explainMisfit(family: Family, misfit: MisfitToExplain): Finding | null {
  const { protocolId, component, upload, decoded, others } = misfit;
  const spec = protocolId === null ? null : specOf(family, { ...misfit, protocolId }).spec;
  const isMapFile = spec === null ? component === 'mapfile' : spec.format !== undefined;
  return diagnose({
    upload,
    image: isMapFile ? null : decoded,
    others,
    accepts: (candidate) => accepts(spec, misfit, candidate),
    identify: (image) => spec && readIdent(spec, image),
  });
}

/** Whether an upload agrees with the read's own image in so much that its content needs no explanation. */
export function isSimilar(decoded: Uint8Array, upload: Uint8Array): boolean {
  return fits(makeReference(decoded), upload);
}
