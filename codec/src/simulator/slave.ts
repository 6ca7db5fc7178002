/** The device simulator: acts as a slave with its pair key. It seals reads, and opens what was encoded for it. */

import type { ComponentName, Mode } from '@recodery/contract/families/family';
import {
  type Family,
  type Workflow,
  workflowOf,
  workflowsOf,
} from '@recodery/contract/families/registry';
import { defaultSegmentLog2, tableNameOf } from '../container/container.ts';
import { CodecError } from '../errors.ts';
import type { InternalCode } from '../errors.ts';
import { checkRawSize, describeAnyHeader, readRawHeader } from '../container/header.ts';
import type { Header, NumberedHeader } from '../container/header.ts';
import { parseInfo, writeInfo } from '../recoding/information.ts';
import { authenticateFile, openFile, readExpectedHeader } from '../recoding/open-read.ts';
import {
  authenticateHeader,
  checkTable,
  openComponents,
  sealContainer,
} from '../container/sealing.ts';
import type { PlainComponent } from '../container/sealing.ts';

/** The data of a slave. */
export interface Slave {
  readonly family: Family;
  /** 32 bytes. */
  readonly pairKey: Uint8Array;
  readonly keyId: number;
  readonly masterSerial: string;
  readonly slaveSerial: string;
}

/** An image with the name under which the slave read it. */
export interface DeviceComponent {
  readonly name: ComponentName;
  readonly bytes: Uint8Array;
}

/** What a slave seals after it has read an ECU. */
export type ReadToSeal = Slave & {
  readonly protocolId: number;
  readonly mode: Mode;
  readonly components: readonly DeviceComponent[];
  /** INFO; keys as `informationKeys` names them, other keys are kept. */
  readonly information: Readonly<Record<string, string>>;
  /** Only INFO is sealed, even if components are given. */
  readonly identificationOnly: boolean;
  /** The target of the slave's file; default: the family's own page. */
  readonly workflow?: Workflow;
  /** 16 bytes. */
  readonly readId: Uint8Array;
  /** 32 bytes. */
  readonly fileSalt: Uint8Array;
  /** 12 to 20; default: 16. */
  readonly segmentLog2?: number;
  /** Components are deflated before they are sealed. */
  readonly deflate?: boolean;
  readonly tool?: string;
  readonly time?: string;
};

/**
 * Writes a read (or, for the utility, a packed backup) as the slave would: it seals any input, including input that no
 * protocol allows, so that the master's checks can be tested.
 */
export function sealRead(input: ReadToSeal): Uint8Array {
  const isDeflated = input.deflate === true;
  const images: PlainComponent[] = input.identificationOnly
    ? []
    : input.components.map(({ name, bytes }) => ({ name: tableNameOf(name), bytes, isDeflated }));
  const info: PlainComponent = { name: 'info', bytes: writeInfo(input.information), isDeflated };
  const sealed = sealContainer(
    {
      family: input.family,
      kind: workflowOf(input.workflow ?? input.family).readKind,
      segmentLog2: input.segmentLog2 ?? defaultSegmentLog2,
      keyId: input.keyId,
      fileSalt: input.fileSalt,
      pairKey: input.pairKey,
      fields: {
        MCOD: input.masterSerial,
        SSER: input.slaveSerial,
        PROT: input.protocolId,
        MODE: input.mode,
        RDID: input.readId,
        ...(input.tool === undefined ? {} : { tool: input.tool }),
        ...(input.time === undefined ? {} : { time: input.time }),
      },
    },
    [info, ...images],
  );
  return sealed.whole();
}

/**
 * Accepts an encoded file as the slave would, and returns what it would flash. Throws CodecError: WRONG_FILE_KIND for a
 * read, WRONG_MASTER_CODE or TOOL_NOT_FOUND for another device's file, AUTHENTICATION_FAILED or FILE_CORRUPTED for one
 * that was tampered with. It keeps no state: the same file is accepted twice.
 */
export function acceptEncoded(input: Slave & { readonly file: Uint8Array }): {
  components: DeviceComponent[];
  header: Header;
} {
  const { file, family } = input;
  const kinds = workflowsOf(family).map((workflow) => workflowOf(workflow).encodedKind);
  const { raw, header } = readExpectedHeader(file, family, kinds);
  if (header.masterDeviceSerialNumber !== input.masterSerial) {
    throw new CodecError('WRONG_MASTER_CODE');
  }
  if (header.slaveSerialNumber !== input.slaveSerial) {
    throw new CodecError('TOOL_NOT_FOUND');
  }
  if (header.keyId !== input.keyId) {
    checkRawSize(raw, file.length);
    throw new CodecError('AUTHENTICATION_FAILED');
  }
  const authentic = authenticateFile(file, { raw, header }, input.pairKey);
  const { images } = openFile(authentic, {});
  return { components: Array.from(images, ([name, { bytes }]) => ({ name, bytes })), header };
}

/**
 * An entry of the component table; the type as the container numbers it, the size in plain bytes, SHA-256 in
 * hexadecimal.
 */
export interface InspectedComponent {
  readonly type: number;
  readonly size: number;
  readonly sha256: string;
}

/** The result of inspecting a container: all of its data, or the one error. */
export type ContainerInspection =
  | {
      readonly outcome: 'OK';
      readonly header: NumberedHeader;
      readonly components: readonly InspectedComponent[];
    }
  | { readonly outcome: InternalCode };

/**
 * Inspects only the container: family, kind, master, slave, protocol and ident are not checked. With a pair key
 * everything is opened and verified; without one the result covers only the unencrypted header and the length.
 */
export function inspect(file: Uint8Array, pairKey: Uint8Array | null): ContainerInspection {
  // The only caller for which an invalid file is a result, not a failure.
  try {
    return inspectOrThrow(file, pairKey);
  } catch (error) {
    if (error instanceof CodecError) {
      return { outcome: error.internalCode };
    }
    throw error;
  }
}

function inspectOrThrow(file: Uint8Array, pairKey: Uint8Array | null): ContainerInspection {
  const raw = readRawHeader(file, file.length);
  checkRawSize(raw, file.length);
  const header = describeAnyHeader(raw);
  const declared = raw.fields.COMP.map(({ type, size, sha256 }) => ({
    type,
    size,
    sha256: Buffer.from(sha256).toString('hex'),
  }));
  if (pairKey === null) {
    return { outcome: 'OK', header, components: declared };
  }
  authenticateHeader(file, raw, pairKey);
  checkTable(raw);
  const opened = openComponents(file, raw, pairKey, {});
  const info = opened.find(({ name }) => name === 'info');
  if (info !== undefined) {
    parseInfo(info.bytes);
  }
  return { outcome: 'OK', header, components: declared };
}
