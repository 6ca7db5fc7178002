/** Everything that can happen to a recoding page: what the user does, and what uploads and operations tell of themselves. */
import type { Workflow } from '@recodery/contract/families/registry';
import type { Notification } from '@recodery/contract/notifications';
import type { EncodeResult } from '@recodery/contract/results';
import type { UploadedFile } from '@recodery/contract/recoding';
import type { DecodedRead, FileLabel, PartName } from '../decoded-read.ts';
import type { EncodeSource, Recipient } from '../families/family-page.ts';
import type { Inputs, SettledPart } from '../inputs.ts';
import type { Fault } from '../fault.ts';

/** What one encode was asked for: enough to ask for it again, or to change something. */
export interface EncodePlan {
  readonly source: EncodeSource;
  /** Null: no one is notified of the result. */
  readonly recipient: Recipient | null;
  /** What was prepared; encoding the decoded file leaves it aside. */
  readonly prepared: Inputs<SettledPart>;
}

/**
 * Events of the read. `attempt` numbers each request, so that the late word of one that was cancelled is told from
 * the present one's.
 */
export type ReadEvent =
  | {
      readonly type: 'read-chosen';
      readonly attempt: number;
      readonly file: FileLabel;
      readonly isEngineUp: boolean;
    }
  | { readonly type: 'read-progressed'; readonly attempt: number; readonly fraction: number }
  | { readonly type: 'read-cancelled' }
  | { readonly type: 'read-accepted'; readonly attempt: number; readonly operationGUID: string }
  /** Refused before a byte was sent: a file of another family, an archive, one that is too large. */
  | {
      readonly type: 'read-turned-away';
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
      readonly type: 'read-taken-up';
      readonly read: DecodedRead;
      readonly inputs: Inputs<SettledPart>;
    }
  | {
      readonly type: 'encode-resumed';
      readonly operationGUID: string;
      /** The read and what was prepared for it; null where the read is no longer available. */
      readonly from: { readonly read: DecodedRead; readonly plan: EncodePlan } | null;
      /** The address that the result was sent to; null where the page waits for the result itself. */
      readonly sentTo: string | null;
    }
  | { readonly type: 'followed-again' }
  | { readonly type: 'retried' }
  | { readonly type: 'reset' };

/** What the notification of a sent encode tells: how the encode ended, its file, and where its mail stands. */
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
  | { readonly type: 'part-cancelled'; readonly part: PartName }
  | { readonly type: 'part-uploaded'; readonly attempt: number; readonly uploaded: UploadedFile }
  | { readonly type: 'part-refused'; readonly attempt: number; readonly fault: Fault }
  /** The error of a refused file is closed to choose another one. */
  | { readonly type: 'part-refusal-noted'; readonly part: PartName }
  | { readonly type: 'part-restored'; readonly part: PartName }
  | { readonly type: 'part-removed'; readonly part: PartName; readonly isRemoved: boolean }
  | { readonly type: 'cvn-switched'; readonly corrects: boolean }
  | { readonly type: 'checksum-switched'; readonly skips: boolean }
  | { readonly type: 'encode-asked'; readonly source: EncodeSource; readonly attempt: number }
  | { readonly type: 'send-asked'; readonly source: EncodeSource }
  | { readonly type: 'send-cancelled' }
  | { readonly type: 'send-confirmed'; readonly recipient: Recipient; readonly attempt: number }
  | { readonly type: 'encode-accepted'; readonly attempt: number; readonly operationGUID: string }
  | { readonly type: 'encode-refused'; readonly attempt: number; readonly fault: Fault }
  | {
      readonly type: 'encode-ended';
      readonly operationGUID: string;
      readonly result: EncodeResult;
    }
  | {
      readonly type: 'encode-failed';
      readonly operationGUID: string;
      readonly fault: Fault;
    }
  | { readonly type: 'sending-told'; readonly news: SendingNews }
  | { readonly type: 'another-asked' }
  /** The same request once more. */
  | { readonly type: 'encode-repeated'; readonly attempt: number }
  /** Back to the parts, to change something. */
  | { readonly type: 'encode-retried' };

export type FlowEvent = ReadEvent | EncodeEvent;
