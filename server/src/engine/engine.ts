/**
 * The interface of an engine, which decodes and encodes for a master device: the built-in engine, or a vendor's
 * service.
 */
import type { Decoded } from '@recodery/codec/recoding/family-codec';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Recognition } from '@recodery/contract/families/recognition';
import type { Family, Workflow } from '@recodery/contract/families/registry';
import type { OrganisationId } from '../organisations/caller.ts';

/** A stored file that a job can use. */
export interface EngineFile {
  /** The name that its sender gave it. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly sha256: string;
  readonly storageKey: string;
}

/** A JSON object in which an engine keeps what it needs again later. Only that engine reads it. */
export type EngineContext = Readonly<Record<string, unknown>>;

/** What an engine keeps, each null until it has stored something. */
export interface EngineContexts {
  /** Of the slot: what its decode stored, for each later encode. Deleted with the slot. */
  readonly slot: EngineContext | null;
  /** Of the operation: what earlier attempts have begun, so that a resumed one begins nothing twice. */
  readonly operation: EngineContext | null;
}

/** The common part of decodes and encodes. */
export interface EngineJob {
  readonly operationGuid: string;
  readonly organisationId: OrganisationId;
  /** Empty when the organisation has none. */
  readonly customerCode: string;
  readonly family: Family;
  readonly workflow: Workflow;
  readonly groupCode: string;
  /** The slave that wrote the read, if it is known before a decode; null: it is not. */
  readonly slaveSerialNumber: string | null;
  readonly read: EngineFile;
  /** A folder for files, which exists until the result is stored. */
  readonly folder: string;
  /** Milliseconds since the operation was first worked on, by the database's clock. */
  readonly workedMs: number;
  /** Aborted when the result will not be used. */
  readonly signal: AbortSignal;
  /** Copies a stored file into the folder and returns its path. */
  bring(file: EngineFile): Promise<string>;
  /** Reports progress, 0..1, and whether the work waits because the engine is not responding. */
  report(fraction: number, isWaiting: boolean): void;
  /** What was stored with {@link EngineJob.remember}. */
  readonly contexts: EngineContexts;
  /**
   * Stores the contexts, encrypted; a slot's context that is null stays as it was. @throws when another worker continues
   * the operation
   */
  remember(contexts: EngineContexts): Promise<void>;
}

/** A read file to open. */
export interface DecodeJob extends EngineJob {
  readonly skipChecksum: boolean;
  /** Records which devices wrote the read, once this is proved: a decode that fails later still names its slave. */
  identify(origin: ReadOrigin): Promise<void>;
}

/** An image that an encode uses. */
export interface EngineImage {
  readonly component: ComponentName;
  readonly file: EngineFile;
}

/** The input of an encode. A component that is neither modified nor removed stays as it was read. */
export interface EncodeJob extends EngineJob {
  readonly mode: Mode;
  readonly modified: readonly EngineImage[];
  /** The decoded images of the slot. */
  readonly decoded: readonly EngineImage[];
  readonly original: { readonly file: EngineFile; readonly isFromLibrary: boolean } | null;
  readonly removed: readonly ComponentName[];
  /** No modified image: the decoded one is encoded again. */
  readonly reencode: boolean;
  readonly willCorrectCVN: boolean;
  readonly isCVNCorrectionPossible: boolean;
  readonly willSkipChecksum: boolean;
}

/** The devices that wrote and opened a read, from its header. */
export interface ReadOrigin {
  readonly readId: string;
  readonly masterSerialNumber: string;
  readonly masterGuid: string;
  readonly slaveSerialNumber: string;
  readonly slaveGuid: string;
  readonly slaveOwnerGuid: string | null;
  /** The number of the key that sealed the read. */
  readonly keyId: number;
}

/** The contents of a read. Each image is in the job's folder, as `{component}.bin`. */
export interface EngineDecode
  extends Omit<Decoded, 'header' | 'protocol' | 'components' | 'checksums'> {
  /** The engine's name for the read, without extension; null: the portal composes one. */
  readonly name: string | null;
  /** Null when the engine does not report it. */
  readonly protocol: Decoded['protocol'] | null;
  /** Null when the engine does not report it; then there is no ID file either. */
  readonly origin: ReadOrigin | null;
  readonly components: readonly ComponentName[];
  /** The control units that the images belong to; null: the engine has not looked for them. */
  readonly recognitions: Recognitions | null;
  /** A double of the demo opened the read at the vendor, in place of the maker's service; absent: none did. */
  readonly isDouble?: boolean;
}

/** What was recognized in the images of a read; a component whose image is not identified is absent. */
export type Recognitions = Readonly<Partial<Record<ComponentName, Recognition>>>;

/** An encoded file. */
export interface EngineEncode {
  readonly path: string;
  /** The engine's name for the file, with extension; null: the portal composes one. */
  readonly name: string | null;
  /** Of a file that is not one of the family's encoded files, including the dot; absent: it is one. */
  readonly extension?: string;
  /** 0 when the engine does not report it. */
  readonly correctedChecksums: number;
  /** NUMB of the file; null when the engine does not report it. */
  readonly number: number | null;
}

/** Decodes and encodes for a master device. Both throw {@link EngineRefused} and {@link EngineUnavailable}. */
export interface Engine {
  decode(job: DecodeJob): Promise<EngineDecode>;
  encode(job: EncodeJob): Promise<EngineEncode>;
}

/** A vendor's engine refuses the work; it is not retried. The message is the vendor's. */
export class EngineRefused extends Error {
  /** The HTTP status of the refusal; null: it is in the engine's response. */
  readonly status: number | null;
  constructor(word: string, status: number | null = null) {
    super(word);
    this.name = 'EngineRefused';
    this.status = status;
  }
}

/**
 * A vendor's engine gave no usable response for as long as an operation waits. The message describes the most recent
 * problem.
 */
export class EngineUnavailable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'EngineUnavailable';
  }
}
