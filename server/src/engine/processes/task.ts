/** What an engine process is asked and what it answers: the messages between the pool and its children. */
import type { Decoded, DecodedComponent, Encoded } from '@recodery/codec/families/codec';
import type { InternalCode, WrongSize } from '@recodery/codec/errors';
import type { ComponentName, Mode } from '@recodery/contract/families/family';
import type { Workflow } from '@recodery/contract/families/registry';
import type { Changes } from '@recodery/contract/recoding';

/** Opens a read. Its components are laid into `outFolder` as `{component}.bin`. */
export interface DecodeTask {
  readonly kind: 'decode';
  readonly workflow: Workflow;
  readonly filePath: string;
  readonly pairKey: Uint8Array;
  readonly skipChecksum: boolean;
  readonly outFolder: string;
}

/** Seals the answer to a read. The encoded file is written to `outPath`. */
export interface EncodeTask {
  readonly kind: 'encode';
  readonly workflow: Workflow;
  readonly filePath: string;
  readonly pairKey: Uint8Array;
  readonly modified: readonly { readonly name: ComponentName; readonly path: string }[];
  readonly originalPath: string | null;
  readonly isOriginalFromLibrary?: boolean;
  readonly removed: readonly ComponentName[];
  readonly reencode: boolean;
  readonly willCorrectCVN: boolean;
  readonly willSkipChecksum: boolean;
  /** 32 bytes. */
  readonly fileSalt: Uint8Array;
  readonly number: number;
  readonly tool?: string;
  readonly time?: string;
  readonly outPath: string;
}

interface CheckPlace {
  readonly workflow: Workflow;
  readonly protocolId: number;
  readonly mode: Mode;
  readonly component: ComponentName;
  /** The read's own component; null where the read did not hold it. */
  readonly decodedPath: string | null;
  readonly imagePath: string;
}

/** Checks a modified image that was uploaded, and says what changed. */
export interface CheckModifiedTask extends CheckPlace {
  readonly kind: 'check-modified';
}

/** Checks an original image that was uploaded. */
export interface CheckOriginalTask extends CheckPlace {
  readonly kind: 'check-original';
  readonly identification: {
    readonly hardware: string | null;
    readonly software: string | null;
  } | null;
}

/** What an engine can be asked to do. */
export type EngineTask = DecodeTask | EncodeTask | CheckModifiedTask | CheckOriginalTask;

/** The codec's facts; the bytes lie in the task's folder. */
export interface DecodeAnswer extends Omit<Decoded, 'components'> {
  readonly components: readonly (Omit<DecodedComponent, 'bytes'> & { readonly size: number })[];
}

/** The codec's facts of an encode; the encoded file lies in the task's folder. */
export interface EncodeAnswer extends Omit<Encoded, 'file'> {
  /** Bytes of the encoded file. */
  readonly size: number;
}

/** What the check of an uploaded image answers; an image that is refused throws instead. */
export interface CheckAnswer {
  /** What changed against the read's own component; null where there is nothing to compare with. */
  readonly changes: Changes | null;
}

/** What each task is answered with. */
export interface Answers {
  readonly decode: DecodeAnswer;
  readonly encode: EncodeAnswer;
  readonly 'check-modified': CheckAnswer;
  readonly 'check-original': CheckAnswer;
}
/** The answer to a kind of task. */
export type AnswerTo<T extends EngineTask> = Answers[T['kind']];
/** Any answer of an engine. */
export type EngineAnswer = Answers[keyof Answers];

/** What a child says: that it is there, what came of its task, that the file is at fault, or that the engine is. */
export type EngineMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly answer: EngineAnswer }
  | {
      readonly kind: 'fault';
      readonly internalCode: InternalCode;
      readonly detail: string | null;
      readonly sizes: WrongSize | null;
    }
  | {
      readonly kind: 'failure';
      readonly stack: string;
      /** The machine's fault, where it is one. */
      readonly code: MachineFault | null;
    };

/** The system's words for faults of the machine, which pass: lack of room, of files, of memory, a bad disk. */
const machineFaults = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM'] as const;
type MachineFault = (typeof machineFaults)[number];

/** The fault of the machine that an error, or what an engine says of one, bears as its `code`; else null. */
export function machineFaultOf(error: unknown): MachineFault | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return machineFaults.find((one) => one === code) ?? null;
}
