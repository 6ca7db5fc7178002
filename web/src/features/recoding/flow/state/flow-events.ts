/** All events of a recoding page: user actions, and the progress of uploads and operations. */
import type { Workflow } from '@recodery/contract/families/registry';
import type { Notification } from '@recodery/contract/features/notifications';
import type { EncodeResult } from '@recodery/contract/results';
import type { UploadedFile } from '@recodery/contract/features/recoding/recoding';
import type { DecodedRead, FileLabel, PartName } from '../../decoded-read.ts';
import type { EncodeSource, Recipient } from '../../families/family-page.ts';
import type { DraftNews } from '../../draft-news.ts';
import type { Inputs, SettledPart } from '../../inputs.ts';
import type { Fault } from '../../fault.ts';
import type { SendForm } from '../../../sending/send-dialog.tsx';

/** The request of one encode: enough to repeat it, or to change its inputs. */
export interface EncodePlan {
  readonly source: EncodeSource;
  /** Null: the result is not sent to anyone. `unknown`: it is sent, but the exact request is unknown. */
  readonly recipient: Recipient | null | 'unknown';
  /** The user's inputs, with the errors of refused files; encoding the decoded file does not use them. */
  readonly prepared: Inputs<SettledPart>;
  /**
   * Inputs with files that this encode does not use, and that the user returns to after it; they may still be
   * uploading. Null: none.
   */
  readonly unused: Inputs | null;
}

/** A plan that can be requested. */
export type KnownPlan = EncodePlan & { readonly recipient: Recipient | null };

/**
 * Events of the read. `attempt` numbers each request, so that a late event of a canceled one is not mistaken for the
 * current one.
 */
export type ReadEvent =
  | {
      readonly type: 'read-chosen';
      readonly attempt: number;
      readonly file: FileLabel;
      readonly isEngineUp: boolean;
    }
  | { readonly type: 'read-progressed'; readonly attempt: number; readonly fraction: number }
  | { readonly type: 'read-canceled' }
  | { readonly type: 'read-accepted'; readonly attempt: number; readonly operationGUID: string }
  /** Refused before the upload: a file of another family, an archive, or one that is too large. */
  | {
      readonly type: 'read-rejected';
      readonly file: FileLabel;
      readonly fault: Fault;
      readonly goesTo: Workflow | null;
    }
  | { readonly type: 'read-refused'; readonly attempt: number; readonly fault: Fault }
  | { readonly type: 'decode-ended'; readonly operationGUID: string; readonly read: DecodedRead }
  | { readonly type: 'decode-failed'; readonly operationGUID: string; readonly fault: Fault }
  | {
      readonly type: 'decode-resumed';
      readonly operationGUID: string;
      readonly file: FileLabel | null;
    }
  | {
      readonly type: 'read-resumed';
      readonly read: DecodedRead;
      readonly inputs: Inputs<SettledPart>;
      /** The version of the draft. */
      readonly version: number;
    }
  | {
      readonly type: 'encode-resumed';
      readonly operationGUID: string;
      /** The read and its draft; null when the read is no longer available. */
      readonly from: { readonly read: DecodedRead; readonly plan: EncodePlan } | null;
      /** The address that the result was sent to; null when the page waits for the result. */
      readonly sentTo: string | null;
    }
  | { readonly type: 'followed-again' }
  | { readonly type: 'retried' }
  | { readonly type: 'reset' };

/** What the notification of a sent encode reports: the result of the encode, its file, and the status of the email. */
export type SendingNews = Pick<
  Notification,
  | 'guid'
  | 'isSuccessful'
  | 'message'
  | 'longMessage'
  | 'targetURL'
  | 'targetURLFileName'
  | 'errorCode'
  | 'errorDetail'
  | 'errorCause'
  | 'mail'
>;

/** Events of the encode step. */
export type EncodeEvent =
  | {
      readonly type: 'part-chosen';
      readonly part: PartName;
      readonly attempt: number;
      readonly file: FileLabel;
      readonly isEngineUp: boolean;
    }
  | { readonly type: 'part-progressed'; readonly attempt: number; readonly fraction: number }
  | { readonly type: 'part-canceled'; readonly part: PartName }
  | { readonly type: 'part-uploaded'; readonly attempt: number; readonly uploaded: UploadedFile }
  /** `isLocal`: the server has not noted it: the file was not sent, or not received, or there was no answer. */
  | {
      readonly type: 'part-refused';
      readonly attempt: number;
      readonly fault: Fault;
      readonly isLocal?: boolean;
    }
  /** The user closes the error of a refused file to choose another one. */
  | { readonly type: 'part-refusal-noted'; readonly part: PartName }
  | { readonly type: 'part-refusal-cleared'; readonly part: PartName }
  /** Removes the file of a part; with `fileGUID`: only that file. */
  | { readonly type: 'part-restored'; readonly part: PartName; readonly fileGUID?: string }
  /** Restores the file that was replaced or removed last. */
  | { readonly type: 'part-undone'; readonly part: PartName }
  | { readonly type: 'part-removed'; readonly part: PartName; readonly isRemoved: boolean }
  /** The server has another version of the draft; `from` are the inputs that no longer apply. */
  | {
      readonly type: 'draft-changed';
      readonly from: Inputs;
      readonly to: Inputs;
      readonly version: number;
      /** What to report to the user. */
      readonly news: readonly DraftNews[];
    }
  | { readonly type: 'news-dismissed' }
  | { readonly type: 'cvn-switched'; readonly corrects: boolean }
  | { readonly type: 'checksum-switched'; readonly skips: boolean }
  | { readonly type: 'known-switched'; readonly corrects: boolean }
  | { readonly type: 'encode-asked'; readonly source: EncodeSource; readonly attempt: number }
  | { readonly type: 'send-asked'; readonly source: EncodeSource }
  | { readonly type: 'send-changed'; readonly to: Partial<SendForm> }
  | { readonly type: 'send-canceled' }
  | { readonly type: 'send-confirmed'; readonly recipient: Recipient; readonly attempt: number }
  | { readonly type: 'encode-accepted'; readonly attempt: number; readonly operationGUID: string }
  | { readonly type: 'encode-refused'; readonly attempt: number; readonly fault: Fault }
  | { readonly type: 'encode-ended'; readonly operationGUID: string; readonly result: EncodeResult }
  | { readonly type: 'encode-failed'; readonly operationGUID: string; readonly fault: Fault }
  | { readonly type: 'sending-reported'; readonly news: SendingNews }
  | { readonly type: 'another-asked' }
  /** Retries the same request. */
  | { readonly type: 'encode-repeated'; readonly attempt: number }
  /** Returns to the parts, to change something. */
  | { readonly type: 'encode-retried' };

export type FlowEvent = ReadEvent | EncodeEvent;
