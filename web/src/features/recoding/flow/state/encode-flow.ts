/** The states and transitions of the encode step, after a read has been decoded; pure. */
import type { EncodeResult } from '@recodery/contract/results';
import type { DecodedRead, Part, PartName } from '../../decoded-read.ts';
import { type Fault, failedImage, mayBeTemporary } from '../../fault.ts';
import type { EncodeSource } from '../../families/family-page.ts';
import type { SendForm } from '../../../sending/send-dialog.tsx';
import type { EncodePlan, FlowEvent, KnownPlan, SendingNews } from './flow-events.ts';
import { type DraftNews, withNews } from '../../draft-news.ts';
import { changeParts, partOfEvent } from './part-flow.ts';
import {
  freshInputs,
  type Inputs,
  inputsForAnother,
  isSameDraft,
  isSameFile,
  isSameShown,
  leavesNothing,
  ready,
  type SettledPart,
  settled,
  uploadedIn,
  withMoreFiles,
  withoutErrors,
} from '../../inputs.ts';

/** The input of an encode. `plan` is null when it was resumed without its read. */
interface Planned {
  readonly inputs: Inputs<SettledPart>;
  readonly plan: EncodePlan | null;
}

export interface Preparing {
  readonly at: 'preparing';
  readonly inputs: Inputs;
  /** What others have changed, until the user dismisses it; absent: nothing. */
  readonly news?: readonly DraftNews[];
  /** What the user had entered in the send popup when they closed it; absent: nothing. */
  readonly form?: SendForm;
}
interface Addressing {
  readonly at: 'addressing';
  readonly inputs: Inputs<SettledPart>;
  /** As while preparing: shown again when the popup is canceled. */
  readonly news?: readonly DraftNews[];
  readonly source: EncodeSource;
  /** Part of the flow, so that it is still there when the user returns to the page. */
  readonly form: SendForm;
}

const emptyForm: SendForm = { email: null, message: '', isPrivate: null };

interface Requesting extends Planned {
  readonly at: 'requesting';
  readonly plan: KnownPlan;
  readonly attempt: number;
}
export interface Encoding extends Planned {
  readonly at: 'encoding';
  readonly operationGUID: string;
  readonly isResumed: boolean;
}
export interface EncodeSucceeded extends Planned {
  readonly at: 'encoded';
  readonly operationGUID: string;
  readonly result: EncodeResult;
  /**
   * The address that the file is sent to, while this page has no notification about it. A colleague of the sender has
   * none, and the sender's may be older than the latest ones. Null: the file is not sent.
   */
  readonly mailTo: string | null;
}
/** Submitted for encoding and sending; `news` is null until the page has the notification about its result. */
export interface Sent extends Planned {
  readonly at: 'sent';
  readonly operationGUID: string;
  readonly mailTo: string;
  readonly news: SendingNews | null;
  /** Whether it was opened or reloaded. */
  readonly isResumed: boolean;
}
export interface EncodeFailed extends Planned {
  readonly at: 'failed';
  readonly fault: Fault;
}

/** The states of one encode request. */
export type Encode =
  | Preparing
  | Addressing
  | Requesting
  | Encoding
  | EncodeSucceeded
  | Sent
  | EncodeFailed;

/** Whether the inputs can still change. While the send popup is open, canceling it leads back to them. */
export function isOpen(encode: Encode): encode is Preparing | Addressing {
  return encode.at === 'preparing' || encode.at === 'addressing';
}

/**
 * Whether encoding may start: no upload is in progress, every required part is complete, and at least one part remains
 * to be written.
 */
export function mayEncode(read: DecodedRead, inputs: Inputs): boolean {
  if (leavesNothing(inputs)) return false;
  const isThere = (part: Part) => !part.isNeeded || inputs.parts[part.name]?.at === 'complete';
  return settled(inputs) !== null && read.parts.every(isThere);
}

/** Whether the decoded file can be encoded again now: not while a file is uploading next to it. */
export function mayReencode(read: DecodedRead, inputs: Inputs): boolean {
  return read.isReencodePossible && settled(inputs) !== null;
}

/** Whether the same request may succeed if it is sent again; the exact request must be known. */
export function isRepeatable(
  encode: EncodeFailed,
): encode is EncodeFailed & { readonly plan: KnownPlan } {
  const { plan, fault } = encode;
  return plan !== null && plan.recipient !== 'unknown' && mayBeTemporary(fault);
}

/** The user's inputs that are not part of a finished encode; null if there are none. */
export function unencodedInputs(encode: Encode): Inputs | null {
  if (isOpen(encode)) return encode.inputs;
  const plan = 'plan' in encode ? encode.plan : null;
  if (plan?.unused) return plan.unused;
  const isOver = encode.at === 'encoded' || encode.at === 'sent';
  return isOver ? null : (plan?.prepared ?? encode.inputs);
}

function whilePreparing(read: DecodedRead, encode: Preparing, event: FlowEvent): Encode {
  const { inputs } = encode;
  switch (event.type) {
    case 'draft-changed':
      return followDraft(read, encode, event);
    case 'news-dismissed':
      return withoutNews(encode);
    case 'cvn-switched':
      return read.isCVNCorrectionPossible
        ? { ...encode, inputs: { ...inputs, correctsCVN: event.corrects } }
        : encode;
    case 'checksum-switched':
      return { ...encode, inputs: { ...inputs, skipsChecksum: event.skips } };
    case 'known-switched':
      return { ...encode, inputs: { ...inputs, correctsChecksums: event.corrects } };
    case 'encode-asked':
    case 'send-asked': {
      const { source } = event;
      const isPossible = source === 'decoded' ? mayReencode : mayEncode;
      const prepared = isPossible(read, inputs) ? settled(inputs) : null;
      if (prepared === null) return encode;
      return event.type === 'send-asked'
        ? ({ form: emptyForm, ...encode, at: 'addressing', inputs: prepared, source } as const)
        : requesting(read, newPlan(source, null, prepared), event.attempt);
    }
    default: {
      const next = changeParts(read, inputs, event);
      if (next === inputs) return encode;
      return { ...withoutNews(encode), inputs: next, ...newsAfter(encode, event) };
    }
  }
}

function withoutNews({ news: _news, ...others }: Preparing): Preparing {
  return others;
}

/** The inputs of a new version of the draft, unless the user has changed something in the meantime. */
function followDraft(
  read: DecodedRead,
  encode: Preparing | Addressing,
  { from, to, news: newer }: Extract<FlowEvent, { readonly type: 'draft-changed' }>,
): Preparing | Addressing {
  const { inputs } = encode;
  if (!isSameShown(from, inputs) || isSameShown(to, inputs)) return encode;
  const news = withNews(encode.news ?? [], newer);
  if (encode.at === 'preparing') return { ...encode, inputs: to, news };
  const prepared = settled(to);
  if (prepared !== null && isSameEncode(read, encode.source, encode.inputs, prepared)) {
    return { ...encode, inputs: prepared, news };
  }
  // the send popup closes: nothing may be sent that the user has not seen
  return { at: 'preparing', inputs: to, news, form: encode.form };
}

/** Whether the same file would be encoded from both inputs. */
function isSameEncode(
  read: DecodedRead,
  source: EncodeSource,
  one: Inputs<SettledPart>,
  other: Inputs<SettledPart>,
): boolean {
  const encodedFrom = (prepared: Inputs<SettledPart>) => plannedInputs(read, { source, prepared });
  return isSameDraft(encodedFrom(one), encodedFrom(other));
}

/** The news after an event of a part, whose own change the user has seen; or with a file that an upload overtook. */
function newsAfter({ inputs, news = [] }: Preparing, event: FlowEvent): Pick<Preparing, 'news'> {
  const part = partOfEvent(inputs, event);
  const left = event.type === 'part-progressed' ? news : news.filter((one) => one.part !== part);
  const overtaken = part === undefined ? [] : overtakenBy(inputs, part, event);
  const next = withNews(left, overtaken);
  return next.length === 0 ? {} : { news: next };
}

/** The file of someone else that the upload of a part has replaced, if the page had not shown it. */
function overtakenBy(inputs: Inputs, part: PartName, event: FlowEvent): readonly DraftNews[] {
  const replaced = event.type === 'part-uploaded' ? event.uploaded.replaced : null;
  const isKnown = replaced?.fileGUID === uploadedIn(inputs.parts[part])?.fileGUID;
  if (!replaced || isKnown) return [];
  const { userDisplayName: by, uploadedOn: on } = replaced;
  return [{ kind: 'overtaken', part, by, on }];
}

/** The plan of a new request. Encoding the decoded file uses none of the uploads. */
function newPlan(
  source: EncodeSource,
  recipient: KnownPlan['recipient'],
  prepared: Inputs<SettledPart>,
): KnownPlan {
  return { source, recipient, prepared, unused: source === 'decoded' ? prepared : null };
}

/** The request of a plan. Encoding the decoded file uses none of the uploads, so none is shown. */
function requesting(read: DecodedRead, plan: KnownPlan, attempt: number): Encode {
  return { at: 'requesting', inputs: plannedInputs(read, plan), plan, attempt };
}

/** The inputs of the encoded file. */
export function plannedInputs(
  read: DecodedRead,
  { source, prepared }: Pick<EncodePlan, 'source' | 'prepared'>,
): Inputs<SettledPart> {
  return source === 'decoded'
    ? { ...prepared, parts: freshInputs(read).parts }
    : withoutErrors(prepared);
}

/** The send popup is canceled: what was entered is kept. */
function closed({ source: _source, ...others }: Addressing): Preparing {
  return { ...others, at: 'preparing' };
}

function whileRequesting(encode: Requesting, event: FlowEvent): Encode {
  const { inputs, plan } = encode;
  const mailTo = plan.recipient?.email ?? null;
  if (event.type === 'encode-accepted' && event.attempt === encode.attempt) {
    const { operationGUID } = event;
    // With an address, the page neither waits nor downloads.
    return mailTo === null
      ? { at: 'encoding', inputs, plan, operationGUID, isResumed: false }
      : { at: 'sent', inputs, plan, operationGUID, mailTo, news: null, isResumed: false };
  }
  return event.type === 'encode-refused' && event.attempt === encode.attempt
    ? { at: 'failed', inputs, plan, fault: event.fault }
    : encode;
}

/** After a reload, encoding also continues without the read, so it is separate. */
export function whileEncoding<E extends Encoding | Sent>(
  encode: E,
  event: FlowEvent,
): E | EncodeSucceeded | EncodeFailed {
  const { inputs, plan, operationGUID } = encode;
  if (event.type === 'encode-ended' && event.operationGUID === operationGUID) {
    const mailTo = encode.at === 'sent' ? encode.mailTo : null;
    return { at: 'encoded', inputs, plan, operationGUID, result: event.result, mailTo };
  }
  return event.type === 'encode-failed' && event.operationGUID === operationGUID
    ? { at: 'failed', inputs, plan, fault: event.fault }
    : encode;
}

/** Prepares the next encode: with the files that this one did not use, else with those that apply to the next one. */
function prepareAnother(read: DecodedRead, { inputs, plan }: Planned): Preparing {
  return { at: 'preparing', inputs: plan?.unused ?? inputsForAnother(read, inputs) };
}

/**
 * The notification reports the result of a sent encode, and later the status of the email. If the operation is known to
 * have finished, its result is shown until then.
 */
function afterSending(read: DecodedRead, encode: Sent | EncodeSucceeded, event: FlowEvent): Encode {
  const { inputs, plan, operationGUID, mailTo } = encode;
  if (event.type === 'another-asked') return prepareAnother(read, encode);
  if (encode.at === 'sent' && encode.news === null && event.type !== 'sending-reported') {
    return whileEncoding(encode, event);
  }
  if (event.type !== 'sending-reported' || event.news.guid !== operationGUID) return encode;
  if (mailTo === null) return encode;
  const { isSuccessful, errorCode, errorDetail, errorCause } = event.news;
  if (isSuccessful) {
    const isResumed = encode.at === 'encoded' || encode.isResumed;
    return { at: 'sent', inputs, plan, operationGUID, mailTo, news: event.news, isResumed };
  }
  const errorName = errorCode ?? 'GENERIC_ERROR';
  const error = { errorName, detail: errorDetail, cause: errorCause };
  return { at: 'failed', inputs, plan, fault: { kind: 'failed', error, operationGUID } };
}

/**
 * After a failure, the user can retry the same request or change the inputs. An image that must be replaced is removed;
 * among several components the cause is unknown, so all stay.
 */
function whileFailed(read: DecodedRead, encode: EncodeFailed, event: FlowEvent): Encode {
  if (event.type === 'encode-repeated' && isRepeatable(encode)) {
    return requesting(read, encode.plan, event.attempt);
  }
  if (event.type !== 'encode-retried') return encode;
  const { inputs, plan, fault } = encode;
  const prepared = plan?.prepared ?? inputs;
  const next = plan?.unused ?? prepared;
  const usesImages = read.shape === 'image' && plan?.source !== 'decoded';
  const replaced = usesImages ? failedImage(fault) : null;
  if (replaced === null || !next.parts[replaced] || !isSameFile(replaced, next, prepared)) {
    return { at: 'preparing', inputs: next };
  }
  return { at: 'preparing', inputs: { ...next, parts: { ...next.parts, [replaced]: ready } } };
}

/** The inputs that an encode does not use, after an event of their uploads or of the draft. */
function changeUnused(read: DecodedRead, plan: EncodePlan, event: FlowEvent): Inputs | null {
  const { unused, prepared, source } = plan;
  switch (event.type) {
    case 'draft-changed': {
      const { from, to } = event;
      if (!isSameDraft(from, unused ?? prepared)) return unused;
      return source === 'decoded' ? to : withMoreFiles(to, prepared);
    }
    case 'part-progressed':
    case 'part-uploaded':
    case 'part-refused':
    case 'part-canceled':
      return unused && changeParts(read, unused, event);
    default:
      return unused;
  }
}

/** Once an encode is requested, the uploads next to it still finish. Null if the event is not about them. */
function besideEncode(read: DecodedRead, encode: Encode, event: FlowEvent): Encode | null {
  if (isOpen(encode) || encode.plan === null) return null;
  const unused = changeUnused(read, encode.plan, event);
  if (unused === encode.plan.unused) return null;
  return encode.at === 'requesting'
    ? { ...encode, plan: { ...encode.plan, unused } }
    : { ...encode, plan: { ...encode.plan, unused } };
}

/** The encode step after an event; an event that does not belong to the state is ignored. */
export function encodeStep(read: DecodedRead, encode: Encode, event: FlowEvent): Encode {
  const beside = besideEncode(read, encode, event);
  if (beside !== null) return beside;
  switch (encode.at) {
    case 'preparing':
      return whilePreparing(read, encode, event);
    case 'addressing':
      if (event.type === 'draft-changed') return followDraft(read, encode, event);
      if (event.type === 'send-canceled') return closed(encode);
      if (event.type === 'send-changed')
        return { ...encode, form: { ...encode.form, ...event.to } };
      if (event.type !== 'send-confirmed') return encode;
      return requesting(
        read,
        newPlan(encode.source, event.recipient, encode.inputs),
        event.attempt,
      );
    case 'requesting':
      return whileRequesting(encode, event);
    case 'encoding':
      return whileEncoding(encode, event);
    case 'sent':
    case 'encoded':
      return afterSending(read, encode, event);
    case 'failed':
      return whileFailed(read, encode, event);
  }
}
