/** Requirements for files in the originals library; pure, on their bytes. Messages are for the operator. */
import { verifyChecksums, isChecksumFault } from '@recodery/codec/checksum/checksum';
import type { Identification } from '@recodery/codec/recoding/family-codec';
import { readIdent } from '@recodery/codec/protocols/ident';
import type { ComponentSpec, Protocol } from '@recodery/codec/protocols/shape';
import {
  findProtocol,
  identifiedComponent,
  isSizeAllowed,
} from '@recodery/codec/protocols/protocols';
import { isSealed } from '@recodery/codec/container/preamble';
import { recognizeArchive } from '@recodery/contract/recognize';

/** Either a message that explains why the file cannot be an original for the protocol, or the numbers in the image. */
export type OriginalVerdict =
  | { readonly fault: string }
  | { readonly fault: null; readonly own: Identification };

/** Checks a file that is to become the original of the component by which a protocol identifies its reads. */
export function judgeOriginal(protocolId: number, image: Uint8Array): OriginalVerdict {
  const protocol = findProtocol(protocolId);
  if (protocol === null) return { fault: `Protocol ${protocolId} does not exist.` };
  const title = `${protocol.id} ${protocol.name}`;
  const spec = identifiedComponent(protocol);
  if (spec === null) {
    return {
      fault: `Protocol ${title} knows no identification by which an original can be found.`,
    };
  }
  const fault = faultOf(protocol, spec, image);
  if (fault !== null) return { fault };
  const ident = readIdent(spec, image);
  return {
    fault: null,
    own: { hardware: ident?.hardware ?? null, software: ident?.software ?? null },
  };
}

function faultOf(protocol: Protocol, spec: ComponentSpec, image: Uint8Array): string | null {
  const title = `${protocol.id} ${protocol.name}`;
  if (image.length === 0) return 'The file is empty.';
  if (recognizeArchive(image) !== null) return 'The file is an archive. Unpack it first.';
  if (isSealed(image)) return 'The file is still sealed. An original must be a plain image.';
  if (!isSizeAllowed(spec.sizes, image.length)) {
    return `The file has ${image.length} bytes. Protocol ${title} does not support this size.`;
  }
  if (spec.ident !== undefined && readIdent(spec, image) === null) {
    return `The file does not match any ECU of protocol ${title}.`;
  }
  const wrong = wrongRules(spec, image);
  return wrong.length === 0
    ? null
    : `The file is not an original, because its checksums are wrong (${wrong.join(', ')}).`;
}

/** A tuned image stored as the original would become the base of every later tune. */
function wrongRules({ checksums }: ComponentSpec, image: Uint8Array): readonly string[] {
  if (checksums === undefined) return [];
  return verifyChecksums(checksums, image)
    .filter((report) => isChecksumFault(checksums, report))
    .map(({ rule }) => rule);
}
