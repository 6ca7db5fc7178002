/**
 * Explains why a file does not fit: compares it with the read, in a fixed order of tests, and offers the image that it
 * should have been. Pure; its time is linear in the sizes, for hostile files as well.
 */

import { recognizeArchive } from '@recodery/contract/recognize';
import { isSealed } from '../container/preamble.ts';
import { compareAt, fits, makeReference, type Reference } from './agreement.ts';
import { readZipDirectory } from './archive.ts';
import type { Explained } from './candidate.ts';
import { explainErasedPart, isDense, onlyValue } from './content.ts';
import { isTextOf, onlyBlock, placeText, readText } from './convert.ts';
import type { Ask, Details, Finding, Repair } from './finding.ts';
import type { DiagnosisKind } from './kinds.ts';
import { searchImage, smallComponent } from './place-in-image.ts';
import { explainSevenBit } from './text-damage.ts';
import { recognizeText } from './text/registry.ts';

/** Between this share and the one that fits, much was changed, but the file is an image of the same software. */
const leastOfSameImage = 0.5;
/** Votes as a share of the anchors from which a file is related to the read. */
const leastRelated = 0.03;

/** A diagnosis with its prepared image. */
interface Case {
  readonly ask: Ask;
  /** Null if the read does not contain the image. */
  readonly reference: Reference | null;
}

function sizesOf({ ask, reference }: Case): Pick<Details, 'size' | 'imageSize'> {
  return { size: ask.upload.length, imageSize: reference?.image.length ?? null };
}

function find(
  one: Case,
  kind: DiagnosisKind,
  facts: Explained['details'] = {},
  repair: Repair | null = null,
) {
  return { kind, details: { ...sizesOf(one), ...facts }, repair } satisfies Finding;
}

/**
 * What an explanation reports. Its result must fit the read and have its identification: with another one, the file is
 * of another software whose program is the same.
 */
function settle(one: Case, { kind, details, ...explained }: Explained): Finding {
  const { ask, reference } = one;
  const bytes = explained.result?.() ?? null;
  if (bytes === null || (reference && !fits(reference, bytes))) return find(one, kind, details);
  if (!ask.accepts(bytes)) return findOtherSoftware(one, bytes, details);
  const { isOffered, isLossless } = explained;
  return find(one, kind, details, isOffered ? { component: null, isLossless, bytes } : null);
}

function findOtherSoftware(one: Case, image: Uint8Array, facts: Explained['details']): Finding {
  const { ask } = one;
  const file = ask.identify(image);
  const read = ask.image && ask.identify(ask.image);
  return find(one, 'other-software', { ...facts, identification: { file, read } });
}

/** Why a file can not be an image at all, whatever the read is. */
function explainStart(one: Case): Finding | null {
  const { upload } = one.ask;
  if (upload.length === 0) return find(one, 'empty');
  if (isSealed(upload)) return find(one, 'sealed');
  const archive = recognizeArchive(upload);
  if (archive !== null) return explainArchive(one, archive);
  return explainText(one);
}

function explainArchive(one: Case, format: string): Finding {
  const zip = format === 'zip' ? readZipDirectory(one.ask.upload) : null;
  if (zip?.hasPassword) return find(one, 'archive-with-password', { format });
  const size = one.reference?.image.length ?? null;
  const content = size === null ? null : (zip?.only(size) ?? null);
  if (content === null) return find(one, 'archive', { format });
  const result = () => content;
  const details = { format };
  return settle(one, { kind: 'archive', details, result, isOffered: true, isLossless: true });
}

function explainText(one: Case): Finding | null {
  const recognized = recognizeText(one.ask.upload);
  if (recognized === null) return null;
  const { kind, name: format } = recognized;
  if (recognized.format === null) return find(one, kind, { format });
  const { segments, fault } = readText(recognized);
  // words without blanks look like Base64 until they are decoded
  if (fault && kind === 'base64') return find(one, 'text', { format: 'plain' });
  if (fault) return find(one, kind, { format, fault });
  const stored = segments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const facts = { format, stored };
  const { reference, ask } = one;
  const block = onlyBlock(segments);
  if (reference === null) {
    const repair =
      block && ask.accepts(block) ? { component: null, isLossless: true, bytes: block } : null;
    return find(one, kind, facts, repair);
  }
  const placed = placeText(reference, segments);
  const explained = { ...placed, kind, details: { ...facts, ...placed.details } };
  const isPlaced = placed.result !== null && fits(reference, placed.result());
  if (isPlaced) return settle(one, explained);
  return explainTextOfOther(one, kind, facts, segments) ?? explainBlock(one, explained, block);
}

/** A text that stores an image of another component. */
function explainTextOfOther(
  one: Case,
  kind: DiagnosisKind,
  facts: Explained['details'],
  segments: Parameters<typeof onlyBlock>[0],
): Finding | null {
  const bytes = onlyBlock(segments);
  const other = one.ask.others.find(({ image }) => isTextOf(makeReference(image), segments));
  if (bytes === null || other === undefined) return null;
  const component = other.name;
  return find(one, kind, { ...facts, component }, { component, isLossless: true, bytes });
}

/** A text whose bytes do not fit as they are: they are diagnosed like a file. */
function explainBlock(one: Case, explained: Explained, block: Uint8Array | null): Finding {
  const inner = block && explainImage({ ...one, ask: { ...one.ask, upload: block } });
  const { kind, details } = explained;
  if (!inner) return find(one, kind, details);
  const facts = { ...inner.details, ...details, ...sizesOf(one), content: inner.kind };
  return find(one, kind, facts, inner.repair);
}

/** The component that the file belongs to. */
function explainOther(one: Case): Finding | null {
  const { upload, others } = one.ask;
  for (const { name: component, image } of others) {
    const reference = makeReference(image);
    if (fits(reference, upload)) {
      return find(
        one,
        'other-component',
        { component },
        { component, isLossless: true, bytes: upload },
      );
    }
    const { explained } = searchImage(reference, upload);
    const bytes = explained?.isLossless ? explained.result?.() : null;
    if (explained && bytes && explained.isOffered && fits(reference, bytes)) {
      const details = { ...explained.details, component, content: explained.kind };
      return find(one, 'other-component', details, { component, isLossless: true, bytes });
    }
  }
  return null;
}

/** What a file is that was found nowhere in the read. */
function explainRest(one: Case, reference: Reference, share: number | null): Finding | null {
  const { ask } = one;
  const { upload, image } = ask;
  const explained = explainErasedPart(reference, upload);
  if (explained) return settle(one, explained);
  if (isDense(upload)) return find(one, 'dense');
  const sevenBit = explainSevenBit(reference, upload);
  if (sevenBit) return settle(one, sevenBit);
  const isSize = upload.length === image?.length;
  const isAccepted = ask.accepts(upload);
  // a few bytes that are not found prove nothing
  if (reference.image.length < smallComponent) return null;
  const agreement = isSize ? compareAt(reference, upload, 0).share : null;
  if (isAccepted && (agreement ?? 0) >= leastOfSameImage) return null;
  const facts = agreement === null ? {} : { agreement };
  // an identification of the protocol proves the type of ECU, however little else is equal
  const isRelated =
    (share ?? 0) >= leastRelated ||
    (agreement ?? 0) >= leastOfSameImage ||
    (!isAccepted && ask.identify(upload) !== null);
  return isRelated ? findOtherSoftware(one, upload, facts) : find(one, 'unrelated', facts);
}

/** Compares bytes that are no text and no archive with the read. */
function explainImage(one: Case): Finding | null {
  const { ask, reference } = one;
  const { upload } = ask;
  const fill = onlyValue(upload);
  if (reference && fits(reference, upload)) {
    if (ask.accepts(upload)) return null;
    const erased = explainErasedPart(reference, upload);
    const { share: agreement } = compareAt(reference, upload, 0);
    return erased ? settle(one, erased) : findOtherSoftware(one, upload, { agreement });
  }
  if (fill !== null) return find(one, 'erased', { fill });
  if (reference === null) return explainOther(one) ?? (isDense(upload) ? find(one, 'dense') : null);
  const { explained, share } = searchImage(reference, upload);
  if (explained) return settle(one, explained);
  return explainOther(one) ?? explainRest(one, reference, share);
}

/**
 * Why a file does not fit; null if it fits, if so much was changed that nothing is certain, or if the read contains
 * nothing to compare it with. A repair has been checked: it fits the read, and would be accepted.
 */
export function diagnose(ask: Ask): Finding | null {
  const reference = ask.image && makeReference(ask.image);
  if (reference && ask.accepts(ask.upload) && fits(reference, ask.upload)) return null;
  const one = { ask, reference };
  return explainStart(one) ?? explainImage(one);
}
