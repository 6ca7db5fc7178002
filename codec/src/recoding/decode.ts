/** Decoding, the same for every family: input is a sealed read; output is its components and information. */

import { workflowOf } from '@recodery/contract/families/registry';
import { isChecksumFault, needsOriginal, verifyChecksums } from '../checksum/checksum.ts';
import { checkMapFile } from './image-checks.ts';
import type { ComponentReport, DecodeInput, Decoded, WorkflowRules } from './family-codec.ts';
import { explainForeignRead } from '../diagnosis/foreign-read.ts';
import { CodecError, isForeign } from '../errors.ts';
import { readIdent } from '../protocols/ident.ts';
import type { Ident } from '../protocols/ident.ts';
import { type InformationKey, informationKeys } from '@recodery/contract/families/information';
import { parseInfo, readInformation, type SlaveInformation, tidy } from './information.ts';
import type { ComponentSpec } from '../protocols/shape.ts';
import { recognizeImage } from '../recognition/recognize.ts';
import { authenticateFile, checkComplete, openFile, readExpectedHeader } from './open-read.ts';
import type { AuthenticFile, OpenedFile } from './open-read.ts';
import type { Room } from '../container/sealing.ts';

/** A read, opened and parsed. */
export interface OpenedRead {
  readonly authentic: AuthenticFile;
  readonly opened: OpenedFile;
  readonly slave: SlaveInformation;
}

/** Opens a read's header and checks its table; the payload stays sealed. */
export function authenticateRead(
  rules: WorkflowRules,
  input: Pick<DecodeInput, 'file' | 'pairKey'>,
): AuthenticFile {
  const { family, readKind } = workflowOf(rules.workflow);
  const header = readExpectedHeader(input.file, family, [readKind]);
  const authentic = authenticateFile(input.file, header, input.pairKey);
  checkComplete(authentic, rules.mayImageBeMissing);
  return authentic;
}

/** Opens the payload of a read: segments, digests, INFO. */
export function openRead(authentic: AuthenticFile, room: Room): OpenedRead {
  const opened = openFile(authentic, room);
  return { authentic, opened, slave: readInformation(parseInfo(opened.info)) };
}

/** An image and its specification in the protocol. */
export interface SpecifiedImage {
  readonly spec: ComponentSpec;
  readonly bytes: Uint8Array;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** The read's images with their specifications, in the protocol's order. */
export function imagesOf({ authentic, opened }: OpenedRead): SpecifiedImage[] {
  return authentic.specs.flatMap((spec) => {
    const image = opened.images.get(spec.name);
    return image === undefined ? [] : [{ spec, bytes: image.bytes, sha256: image.sha256 }];
  });
}

/** The ident of each image for which the protocol defines one; throws ECU_NOT_RECOGNIZED. */
function readIdents(images: readonly SpecifiedImage[]): Ident[] {
  const idents: Ident[] = [];
  for (const { spec, bytes } of images) {
    if (spec.ident !== undefined) {
      const ident = readIdent(spec, bytes);
      if (ident === null) {
        throw new CodecError('ECU_NOT_RECOGNIZED', spec.name);
      }
      idents.push(ident);
    }
  }
  return idents;
}

/** Checks each maps file against its image. */
export function checkMapFiles(
  specs: readonly ComponentSpec[],
  images: readonly Pick<SpecifiedImage, 'spec' | 'bytes'>[],
): void {
  for (const { spec, bytes } of images) {
    const image = images.find((other) => other.spec.name === spec.format?.appliesTo);
    checkMapFile(specs, spec, bytes, image?.bytes.length ?? null);
  }
}

/** Verifies every image's own checksums; never writes. */
function verifyImages(images: readonly SpecifiedImage[]): {
  reports: ComponentReport[];
  faults: string[];
} {
  const reports: ComponentReport[] = [];
  const faults: string[] = [];
  for (const { spec, bytes } of images) {
    if (spec.checksums !== undefined) {
      for (const report of verifyChecksums(spec.checksums, bytes)) {
        reports.push({ ...report, component: spec.name });
        if (isChecksumFault(spec.checksums, report)) {
          faults.push(report.rule);
        }
      }
    }
  }
  return { reports, faults };
}

/**
 * The slave's information. Missing values come from the images, the family from the protocol, the serial number from
 * the slave itself.
 */
function complete({ authentic, slave }: OpenedRead, idents: readonly Ident[]): SlaveInformation {
  const { header, protocol } = authentic;
  const find = (key: InformationKey): string | null | undefined => {
    if (key === 'family') {
      return protocol.ecuFamily;
    }
    return key === 'serialNumber'
      ? tidy(header.slaveSerialNumber)
      : idents.find((ident) => ident[key] !== undefined)?.[key];
  };
  const entries = informationKeys.map((key) => [key, slave[key] ?? find(key) ?? null]);
  return Object.fromEntries(entries) as SlaveInformation;
}

function countRules(specs: readonly ComponentSpec[]): number {
  return specs.reduce((sum, { checksums }) => sum + (checksums?.length ?? 0), 0);
}

/** What to look for in the originals library when the image is missing. */
function lookupOf({ authentic, slave }: OpenedRead): Decoded['virtualReading'] {
  const { protocol } = authentic;
  if (!protocol.isVirtualReadingPossible) {
    throw new CodecError('VR_UNSUPPORTED', protocol.name);
  }
  const { hardware, software } = slave;
  return hardware === null || software === null
    ? null
    : { protocolId: protocol.id, hardware, software };
}

/** Opens a read; the detail of the error for a file in no container is what it is instead, if that is certain. */
function openContainer(rules: WorkflowRules, input: DecodeInput): AuthenticFile {
  try {
    return authenticateRead(rules, input);
  } catch (error) {
    if (!(error instanceof CodecError) || !isForeign(error)) throw error;
    const kind = explainForeignRead(input.file);
    throw kind === null ? error : new CodecError(error.internalCode, kind);
  }
}

/** Decodes a read of any family. Throws CodecError with the code of the first check that fails. */
export function decode(rules: WorkflowRules, input: DecodeInput): Decoded {
  const authentic = openContainer(rules, input);
  const read = openRead(authentic, input);
  const { header, protocol, specs } = authentic;
  const images = imagesOf(read);
  const idents = readIdents(images);
  checkMapFiles(specs, images);
  const { reports, faults } = verifyImages(images);
  const warning = input.skipChecksum ? rules.wrongChecksumsWarning : null;
  if (faults.length > 0 && warning === null) {
    throw new CodecError('READ_CHECKSUM_ERROR', faults.join(', '));
  }
  const isImageMissing = images.length === 0;
  return {
    header,
    protocol: { id: protocol.id, name: protocol.name },
    mode: header.mode,
    components: images.map(({ spec, bytes, sha256 }) => ({
      name: spec.name,
      bytes,
      sha256,
      // a maps file is no image
      recognition: spec.format === undefined ? recognizeImage(bytes) : null,
    })),
    information: complete(read, idents),
    isChecksumRight: reports.length === 0 ? null : faults.length === 0,
    isRecognised: idents.length === 0 ? null : true,
    virtualReading: isImageMissing ? lookupOf(read) : null,
    isImageMissing,
    isChecksumCorrectionNeeded: specs.some(({ checksums }) => needsOriginal(checksums ?? [])),
    isCVNCorrectionPossible: protocol.components.some(({ cvn }) => cvn !== undefined),
    checksumRules: countRules(isImageMissing ? specs : images.map(({ spec }) => spec)),
    checksums: reports,
    wrongChecksums: faults,
    warnings: faults.length > 0 && warning !== null ? [warning] : [],
  };
}
