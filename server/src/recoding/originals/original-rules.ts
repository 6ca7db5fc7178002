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

/** Why a file cannot be an original. */
export type OriginalFaultCode =
  | 'NO_PROTOCOL'
  | 'NO_IDENTIFICATION'
  | 'EMPTY_FILE'
  | 'ARCHIVE'
  | 'SEALED_FILE'
  | 'WRONG_SIZE'
  | 'OTHER_ECU'
  | 'WRONG_CHECKSUMS';

interface OriginalFault {
  readonly code: OriginalFaultCode;
  /** The reason as the command line prints it. */
  readonly fault: string;
}

/** Either why the file cannot be an original for the protocol, or the numbers in the image. */
export type OriginalVerdict =
  | OriginalFault
  | { readonly fault: null; readonly own: Identification };

/** Checks a file that is to become the original of the component by which a protocol identifies its reads. */
export function judgeOriginal(protocolId: number, image: Uint8Array): OriginalVerdict {
  const protocol = findProtocol(protocolId);
  if (protocol === null) {
    return { code: 'NO_PROTOCOL', fault: `Protocol ${protocolId} does not exist.` };
  }
  const title = `${protocol.id} ${protocol.name}`;
  const spec = identifiedComponent(protocol);
  if (spec === null) {
    return {
      code: 'NO_IDENTIFICATION',
      fault: `Protocol ${title} knows no identification by which an original can be found.`,
    };
  }
  const fault = faultOf(protocol, spec, image);
  if (fault !== null) return fault;
  const ident = readIdent(spec, image);
  return {
    fault: null,
    own: { hardware: ident?.hardware ?? null, software: ident?.software ?? null },
  };
}

function faultOf(protocol: Protocol, spec: ComponentSpec, image: Uint8Array): OriginalFault | null {
  const title = `${protocol.id} ${protocol.name}`;
  if (image.length === 0) return { code: 'EMPTY_FILE', fault: 'The file is empty.' };
  if (recognizeArchive(image) !== null) {
    return { code: 'ARCHIVE', fault: 'The file is an archive. Unpack it first.' };
  }
  if (isSealed(image)) {
    const fault = 'The file is still sealed. An original must be a plain image.';
    return { code: 'SEALED_FILE', fault };
  }
  if (!isSizeAllowed(spec.sizes, image.length)) {
    const fault = `The file has ${image.length} bytes. Protocol ${title} does not support this size.`;
    return { code: 'WRONG_SIZE', fault };
  }
  if (spec.ident !== undefined && readIdent(spec, image) === null) {
    return { code: 'OTHER_ECU', fault: `The file does not match any ECU of protocol ${title}.` };
  }
  const wrong = wrongRules(spec, image);
  if (wrong.length === 0) return null;
  const fault = `The file is not an original, because its checksums are wrong (${wrong.join(', ')}).`;
  return { code: 'WRONG_CHECKSUMS', fault };
}

/** A tuned image stored as the original would become the base of every later tune. */
function wrongRules({ checksums }: ComponentSpec, image: Uint8Array): readonly string[] {
  if (checksums === undefined) return [];
  return verifyChecksums(checksums, image)
    .filter((report) => isChecksumFault(checksums, report))
    .map(({ rule }) => rule);
}
