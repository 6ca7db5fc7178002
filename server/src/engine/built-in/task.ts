/** Tasks and results of engine processes: the messages between the pool and its children. */
import type {
  Decoded,
  DecodedComponent,
  DecodeInput,
  EncodeInput,
  ModifiedToCheck,
  OriginalToCheck,
} from '@recodery/codec/recoding/family-codec';
import type { Finding, Repair } from '@recodery/codec/diagnosis/finding';
import type { ImageCheck } from '@recodery/codec/preflight/checks';
import type { PreflightInput } from '@recodery/codec/preflight/preflight';
import type { Room } from '@recodery/codec/container/sealing';
import type { InternalCode, WrongSize } from '@recodery/codec/errors';
import type { ComponentName } from '@recodery/contract/families/family';
import type { Workflow } from '@recodery/contract/families/registry';
import type { Changes } from '@recodery/contract/features/recoding/recoding';
import type { Correction } from '@recodery/contract/results';

/** Opens a read. Its components are written to `outFolder` as `{component}.bin`. */
export interface DecodeTask extends Pick<DecodeInput, 'pairKey' | 'skipChecksum'> {
  readonly kind: 'decode';
  readonly workflow: Workflow;
  readonly filePath: string;
  readonly outFolder: string;
}

/** Seals the answer to a read. The encoded file is written to `outPath`. */
export interface EncodeTask
  extends Omit<EncodeInput, keyof Room | 'file' | 'modified' | 'original'> {
  readonly kind: 'encode';
  readonly workflow: Workflow;
  readonly filePath: string;
  readonly modified: readonly { readonly name: ComponentName; readonly path: string }[];
  readonly originalPath: string | null;
  readonly outPath: string;
}

interface CheckPlace extends Pick<ModifiedToCheck, 'mode' | 'component'> {
  readonly workflow: Workflow;
  /** Null when the engine that decoded the read does not report it: then only size and similarity are checked. */
  readonly protocolId: number | null;
  /** The read's own component; null when the read did not contain it. */
  readonly decodedPath: string | null;
  readonly imagePath: string;
}

/** Checks an uploaded modified image, and returns what changed. */
export interface CheckModifiedTask extends CheckPlace {
  readonly kind: 'check-modified';
}

/** Checks an uploaded original image. */
export interface CheckOriginalTask extends CheckPlace, Pick<OriginalToCheck, 'identification'> {
  readonly kind: 'check-original';
}

/** Explains why an uploaded image does not fit. A repair is written to `outPath`. */
export interface DiagnoseTask extends CheckPlace, Pick<OriginalToCheck, 'identification'> {
  readonly kind: 'diagnose';
  readonly role: 'modified' | 'original';
  /** The other images of the read. */
  readonly others: readonly { readonly name: ComponentName; readonly path: string }[];
  readonly outPath: string;
}

/** Recognizes the images of a read that another engine decoded. */
export interface RecognizeTask {
  readonly kind: 'recognize';
  readonly images: readonly { readonly name: ComponentName; readonly path: string }[];
}

/** Checks the input of an encode: each component with the read's own image and the modified one. */
export interface PreflightTask extends Omit<PreflightInput, 'components' | 'original' | 'library'> {
  readonly kind: 'preflight';
  readonly workflow: Workflow;
  readonly components: readonly {
    readonly name: ComponentName;
    readonly decodedPath: string | null;
    readonly modifiedPath: string | null;
  }[];
  readonly originalPath: string | null;
  readonly library: { readonly component: ComponentName; readonly path: string } | null;
}

/** Corrects the checksums of a real control unit in a modified image. A corrected image is written to `outPath`. */
export interface CorrectTask {
  readonly kind: 'correct';
  readonly imagePath: string;
  /** The image before the user's changes; null if it is not known. */
  readonly readPath: string | null;
  readonly outPath: string;
}

/** The tasks of an engine. */
export type EngineTask =
  | DecodeTask
  | EncodeTask
  | CheckModifiedTask
  | CheckOriginalTask
  | DiagnoseTask
  | RecognizeTask
  | PreflightTask
  | CorrectTask;

/** The codec's facts that the portal uses; the bytes are in the task's folder. */
export interface DecodeAnswer extends Omit<Decoded, 'header' | 'components' | 'checksums'> {
  readonly components: readonly (Omit<DecodedComponent, 'bytes'> & { readonly size: number })[];
}

/** The encoded file is in the task's folder. */
export interface EncodeAnswer {
  /** Bytes of the encoded file. */
  readonly size: number;
  /** Checksum rules that are right in it. */
  readonly correctedChecksums: number;
}

/** The result of checking an uploaded image; an image that is refused throws instead. */
export interface CheckAnswer {
  /** The changes against the read's own component; null when there is nothing to compare with. */
  readonly changes: Changes | null;
  /** Whether it agrees with the read’s own component in so much that it needs no explanation. */
  readonly isSimilar: boolean;
}

/** Why an image does not fit; null: nothing is certain. The bytes of a repair are in the task's folder. */
export interface DiagnoseAnswer {
  readonly finding:
    | (Omit<Finding, 'repair'> & {
        readonly repair:
          | (Omit<Repair, 'bytes'> & { readonly size: number; readonly sha256: string })
          | null;
      })
    | null;
}

/** What the images were recognized as. */
export interface RecognizeAnswer {
  readonly images: readonly Pick<DecodedComponent, 'name' | 'recognition'>[];
}

/** The findings of a pre-flight. */
export interface PreflightFindings {
  readonly found: readonly ImageCheck[];
}

/** What was corrected in an image; null: its scheme is not known. Without bytes, nothing was written. */
export interface CorrectAnswer {
  readonly correction: (Omit<Correction, 'component'> & { readonly size: number }) | null;
}

/** The result of each task. */
export interface Answers {
  readonly decode: DecodeAnswer;
  readonly encode: EncodeAnswer;
  readonly 'check-modified': CheckAnswer;
  readonly 'check-original': CheckAnswer;
  readonly diagnose: DiagnoseAnswer;
  readonly recognize: RecognizeAnswer;
  readonly preflight: PreflightFindings;
  readonly correct: CorrectAnswer;
}
/** The result of a kind of task. */
export type AnswerTo<T extends EngineTask> = Answers[T['kind']];
/** Any result of an engine. */
export type EngineAnswer = Answers[keyof Answers];

/**
 * A message from a child: it is ready, begins its task, or has finished it: with success, an invalid file, or a
 * failure.
 */
export type EngineMessage =
  | { readonly kind: 'ready' }
  /** Sent before it opens a file: an engine that does not send it hangs for a different reason. */
  | { readonly kind: 'begun' }
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
      /** The fault of the machine, if it is one. */
      readonly code: MachineFault | null;
    };

/** The system's codes for temporary faults of the machine: out of disk space, file handles or memory, or a bad disk. */
export const machineFaults = ['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM'] as const;
export type MachineFault = (typeof machineFaults)[number];

/** The machine fault in the `code` of an error, or of an engine's message about one; else null. */
export function machineFaultOf(error: unknown): MachineFault | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return machineFaults.find((one) => one === code) ?? null;
}

/** The program of an engine process. */
export interface EngineProgram {
  /** The result of a task; errors are caught here, because the pool cannot catch them. Tests also have async ones. */
  workOn(task: EngineTask): EngineMessage | Promise<EngineMessage>;
}
