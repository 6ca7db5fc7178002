/** The context data that an encode carries, so that a reloaded page finds the read and what was encoded. */
import type { EncodeDraft } from '@recodery/contract/features/slots';
import type { DecodedRead } from '../../decoded-read.ts';
import type { Recipient } from '../../families/family-page.ts';
import type { EncodePlan, KnownPlan } from '../state/flow-events.ts';
import {
  completePart,
  freshInputs,
  type Inputs,
  inputsOfDraft,
  ready,
  type SettledPart,
  withMoreFiles,
} from '../../inputs.ts';

/** Longer names are truncated to leave room for the rest. */
const longestName = 80;

const operation = 'decodeOperationGUID';
const uploaded = 'uploaded.';
const removed = 'removed.';
const cvn = 'correctsCVN';
const checksum = 'skipsChecksum';
const known = 'correctsChecksums';
const decoded = 'decoded';
const sent = 'sentTo';
const privately = 'private';
const note = 'message';

/** Bytes that the server stores. */
const mostBytes = 4096;

/** The context of an encode. */
export function writeContext(
  read: DecodedRead,
  inputs: Inputs<SettledPart>,
  { source, recipient }: Pick<KnownPlan, 'source' | 'recipient'>,
): string {
  const context = new URLSearchParams({ [operation]: read.operationGUID });
  for (const [name, part] of Object.entries(inputs.parts)) {
    if (part.at === 'removed') context.set(`${removed}${name}`, '');
    if (part.at !== 'complete') continue;
    context.set(`${uploaded}${name}`, `${part.fileGUID} ${part.file.name.slice(0, longestName)}`);
  }
  if (inputs.correctsCVN) context.set(cvn, '');
  if (inputs.skipsChecksum) context.set(checksum, '');
  if (inputs.correctsChecksums === true) context.set(known, '');
  if (source === 'decoded') context.set(decoded, '');
  if (recipient?.email) context.set(sent, recipient.email);
  const bare = context.toString();
  if (!recipient) return bare;
  context.set(privately, recipient.isPrivate ? 'yes' : 'no');
  if (recipient.message) context.set(note, recipient.message);
  // a long message does not fit: the exact request is then unknown
  const whole = context.toString();
  return whole.length <= mostBytes ? whole : bare;
}

/** The requested recipient of the result; null when unknown, or when the result was not sent to anyone. */
function recipientIn(context: URLSearchParams): Recipient | null {
  if (!context.has(privately)) return null;
  const isPrivate = context.get(privately) === 'yes';
  return { email: context.get(sent), message: context.get(note), isPrivate };
}

/** The operation that decoded the read, or null when another program wrote the context. */
export function decodeOperationIn(contextData: string | null): string | null {
  return new URLSearchParams(contextData ?? '').get(operation);
}

/** The address that the result was sent to, or null when the page waited for it. */
export function sentToIn(contextData: string | null): string | null {
  return decodeOperationIn(contextData) === null
    ? null
    : new URLSearchParams(contextData ?? '').get(sent);
}

/**
 * The state of a part in a context. The draft has the size and the check result of its file, if it still has the file.
 */
function partIn(context: URLSearchParams, name: string, draft: EncodeDraft): SettledPart {
  const { files } = draft;
  if (context.has(`${removed}${name}`)) {
    const kept = files.find(({ part }) => part === name);
    return { at: 'removed', kept: kept ? completePart(kept) : null };
  }
  const [fileGUID = '', ...words] = (context.get(`${uploaded}${name}`) ?? '').split(' ');
  const stored = files.find((file) => file.fileGUID === fileGUID);
  if (fileGUID === '') return ready;
  if (stored) return completePart(stored);
  return { at: 'complete', file: { name: words.join(' '), size: null }, fileGUID, changes: null };
}

/**
 * What was encoded, and the inputs to return to: those of the draft if it has files that were not encoded. `encoded`
 * contains the GUIDs of the encoded files. The inputs are empty if another program wrote the context.
 */
export function planIn(
  contextData: string | null,
  read: DecodedRead,
  draft: EncodeDraft,
  encoded: readonly string[],
): EncodePlan {
  const context = new URLSearchParams(contextData ?? '');
  const source = context.has(decoded) ? 'decoded' : 'parts';
  const drafted = inputsOfDraft(read, draft);
  if (decodeOperationIn(contextData) === null) {
    const prepared = freshInputs(read);
    return { source, recipient: null, prepared, unused: withMoreFiles(drafted, prepared, encoded) };
  }
  const recipient = recipientIn(context);
  if (source === 'decoded') return { source, recipient, prepared: drafted, unused: drafted };
  const prepared = {
    parts: Object.fromEntries(read.parts.map(({ name }) => [name, partIn(context, name, draft)])),
    correctsCVN: context.has(cvn),
    skipsChecksum: context.has(checksum),
    ...(context.has(known) ? { correctsChecksums: true } : {}),
  };
  return { source, recipient, prepared, unused: withMoreFiles(drafted, prepared, encoded) };
}
