/**
 * Encoding, the same for every family: input is the modified images and the unmodified rest of the read; output is a
 * file that its slave accepts.
 */

import { workflowOf } from '@recodery/contract/families/registry';
import { hash } from 'node:crypto';
import type { ComponentName, ContainerComponent } from '@recodery/contract/families/family';
import { correctImage, requireOriginal } from './correct-image.ts';
import { checkAgainstRead } from './image-checks.ts';
import { faultOfLost, findLost, hasCopies } from './lost-changes.ts';
import type {
  ComponentReport,
  EncodeInput,
  Encoded,
  EncodedComponent,
  WorkflowRules,
} from './family-codec.ts';
import { defaultSegmentLog2, limits, longestHeader, tableNameOf } from '../container/container.ts';
import { authenticateRead, checkMapFiles, openRead } from './decode.ts';
import type { OpenedRead } from './decode.ts';
import { CodecError } from '../errors.ts';
import type { ComponentSpec } from '../protocols/shape.ts';
import { componentsOf } from './open-read.ts';
import type { AuthenticFile } from './open-read.ts';
import { sealContainer } from '../container/sealing.ts';
import type { PlainComponent } from '../container/sealing.ts';

/** One component of the encoded file, before it is sealed. */
interface Planned {
  readonly spec: ComponentSpec;
  /** Null: as in the read. */
  readonly modified: Uint8Array | null;
  /** Whether checksums and CVN are corrected in it. */
  readonly isCorrected: boolean;
}

/**
 * Which components the encoded file gets, and from where; throws COMPONENT_NOT_IN_PROTOCOL for one that is not
 * possible.
 */
function plan(authentic: AuthenticFile, input: EncodeInput): Planned[] {
  const isKnown = (name: ComponentName): boolean =>
    authentic.specs.some((spec) => spec.name === name);
  const unknown = input.modified.find(({ name }) => !isKnown(name));
  if (unknown !== undefined) {
    throw new CodecError('COMPONENT_NOT_IN_PROTOCOL', unknown.name);
  }
  const modified = new Map(input.modified.map(({ name, bytes }) => [name, bytes]));
  const present = componentsOf(authentic);
  const planned = authentic.specs
    .filter(({ name }) => modified.has(name) || present.has(name))
    .filter(({ name }) => !input.removed.includes(name))
    .map((spec): Planned => {
      const bytes = modified.get(spec.name) ?? null;
      return { spec, modified: bytes, isCorrected: bytes !== null || input.reencode === true };
    });
  if (planned.length === 0) {
    throw new CodecError('ENCODE_FAILED');
  }
  return planned;
}

/** The data of an encode. */
interface Encoding {
  readonly authentic: AuthenticFile;
  /** Null if nothing of the read's payload is needed: decrypting it would cost as much again as the encode. */
  readonly read: OpenedRead | null;
  readonly input: EncodeInput;
}

/** Whether something of the read is kept, or a modified image is compared with it. */
function isReadNeeded(
  rules: WorkflowRules,
  planned: readonly Planned[],
  input: EncodeInput,
): boolean {
  return (
    rules.keepsInformation ||
    input.original !== null ||
    planned.some(
      ({ spec, modified }) =>
        modified === null ||
        spec.ident !== undefined ||
        (hasCopies(spec) && !input.willSkipChecksum) ||
        (input.willCorrectCVN && spec.cvn !== undefined),
    )
  );
}

/** The read's own image of a component, if it was decrypted and contains one. */
function decodedOf({ read }: Encoding, spec: ComponentSpec): Uint8Array | null {
  return read?.opened.images.get(spec.name)?.bytes ?? null;
}

/** The checked original of the single image; null if none is needed and none was given. */
function originalOf(encoding: Encoding, spec: ComponentSpec): Uint8Array | null {
  const { authentic, read, input } = encoding;
  return requireOriginal(spec, {
    original: input.original,
    decoded: decodedOf(encoding, spec),
    isMissing: !componentsOf(authentic).has(spec.name),
    identification: read?.slave ?? null,
    isFromLibrary: input.isOriginalFromLibrary === true,
    willSkipChecksum: input.willSkipChecksum,
  });
}

/** The bytes that one planned component is sealed with. */
interface Built {
  readonly spec: ComponentSpec;
  readonly component: PlainComponent & { readonly name: ContainerComponent };
  readonly source: EncodedComponent['source'];
  readonly reports: readonly ComponentReport[];
}

function build(encoding: Encoding, { spec, modified, isCorrected }: Planned): Built {
  const entry = componentsOf(encoding.authentic).get(spec.name);
  const decoded = decodedOf(encoding, spec);
  const original = spec.name === 'obd' ? originalOf(encoding, spec) : null;
  const base = original ?? decoded;
  if (modified !== null) {
    checkAgainstRead(spec, modified, base, base?.length ?? entry?.size ?? null);
  }
  const image = modified ?? decoded;
  if (image === null) {
    throw new CodecError('ENCODE_FAILED', spec.name);
  }
  const { image: bytes, reports } = isCorrected
    ? correctImage(encoding.input, spec, image, base)
    : { image, reports: [] };
  const before = decoded ?? original;
  if (modified !== null && before !== null && hasCopies(spec)) {
    const fault = faultOfLost(findLost(spec, encoding.input, { before, modified, encoded: bytes }));
    if (fault !== null) {
      throw fault;
    }
  }
  return {
    spec,
    component: { name: tableNameOf(spec.name), bytes, base: entry?.base ?? 0 },
    source: modified === null ? 'backup' : 'modified',
    reports: reports.map((report) => ({ ...report, component: spec.name })),
  };
}

function infoOf(rules: WorkflowRules, { read }: Encoding): PlainComponent[] {
  const info = rules.keepsInformation ? (read?.opened.info ?? null) : null;
  return info === null ? [] : [{ name: 'info', bytes: info }];
}

/** Every reader would refuse a file over the limits, including the slave. */
function checkTogether(components: readonly PlainComponent[]): void {
  const together = components.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (together > limits.fileSize - longestHeader) {
    throw new CodecError('ENCODE_FAILED');
  }
}

/**
 * Encodes for the slave that made this read. Throws CodecError for an invalid file; the same input gives the same
 * bytes.
 */
export function encode(rules: WorkflowRules, input: EncodeInput): Encoded {
  const authentic = authenticateRead(rules, input);
  const planned = plan(authentic, input);
  const read = isReadNeeded(rules, planned, input) ? openRead(authentic, input) : null;
  const encoding: Encoding = { authentic, read, input };
  const built = planned.map((component) => build(encoding, component));
  checkMapFiles(
    authentic.specs,
    built.map(({ spec, component }) => ({ spec, bytes: component.bytes })),
  );
  const components = [...built.map(({ component }) => component), ...infoOf(rules, encoding)];
  checkTogether(components);
  const workflow = workflowOf(rules.workflow);
  const { preamble, fields, bytes } = authentic.raw;
  const sealed = sealContainer(
    {
      family: workflow.family,
      kind: workflow.encodedKind,
      segmentLog2: defaultSegmentLog2,
      keyId: preamble.keyId,
      fileSalt: input.fileSalt,
      pairKey: input.pairKey,
      fields: {
        MCOD: fields.MCOD,
        SSER: fields.SSER,
        PROT: fields.PROT,
        MODE: fields.MODE,
        RDID: fields.RDID,
        PREV: hash('sha256', bytes, 'buffer'),
        NUMB: input.number,
        ...(input.tool === undefined ? {} : { tool: input.tool }),
        ...(input.time === undefined ? {} : { time: input.time }),
      },
    },
    components,
    input,
  );
  return {
    sealed,
    components: built.map(({ component, source }, index) => ({
      name: component.name,
      size: component.bytes.length,
      sha256: sealed.sha256[index] ?? '',
      source,
    })),
    checksums: built.flatMap(({ reports }) => reports),
  };
}
