/** What others have changed in the draft that a page shows; pure. */
import type { DraftFieldChange } from '@recodery/contract/features/recoding/draft-changes';
import type { EncodeDraftChange } from '@recodery/contract/features/slots';
import type { PartName } from './decoded-read.ts';
import { type Inputs, uploadedIn } from './inputs.ts';

/**
 * One change by another user, or in another tab. `overtaken`: an upload of this page has replaced a file of theirs that
 * the page had not shown yet. `unsaved`: the change is this page's own, and the server has refused it.
 */
export interface DraftNews {
  readonly kind:
    | 'added'
    | 'replaced'
    | 'removed'
    | 'overtaken'
    | 'unsaved'
    | 'components'
    | 'cvn'
    | 'checksum'
    | 'known';
  /** Of a file; otherwise null. */
  readonly part: PartName | null;
  /** The user or client application; null: unknown. */
  readonly by: string | null;
  /** ISO 8601; null: unknown. */
  readonly on: string | null;
}

/** A change of this page that the server has refused. */
export type LostChange = EncodeDraftChange;

/** A lost change without the fields of a later one, which was saved or is reported instead. */
export function withoutChange(
  lost: LostChange | null,
  later: EncodeDraftChange,
): LostChange | null {
  if (lost === null) return null;
  const without = <T extends object>(all: T, names: object) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !(name in names)));
  const { files, ...choices } = lost;
  return { ...without(choices, later), files: without(files, later.files) };
}

const removedIn = ({ parts }: Inputs): string =>
  Object.keys(parts)
    .filter((name) => parts[name]?.at === 'removed')
    .join();

const correctsIn = ({ correctsChecksums = false }: Inputs): boolean => correctsChecksums;

/** The differences between what a page shows and what the server has, with who made them and when. */
export function newsOf(
  shown: Inputs,
  stored: Inputs,
  changes: readonly DraftFieldChange[],
  lost: LostChange | null = null,
): readonly DraftNews[] {
  const news = (
    kind: DraftNews['kind'],
    field: DraftFieldChange['field'],
    part: PartName | null = null,
  ): DraftNews => {
    const isLost = part === null ? field in (lost ?? {}) : part in (lost?.files ?? {});
    if (isLost) return { kind: 'unsaved', part, by: null, on: null };
    const change = changes.find((one) => one.field === field && one.part === part);
    return { kind, part, by: change?.userDisplayName ?? null, on: change?.changedOn ?? null };
  };
  const files: readonly DraftNews[] = Object.keys(stored.parts).flatMap((part) => {
    const before = uploadedIn(shown.parts[part])?.fileGUID;
    const after = uploadedIn(stored.parts[part])?.fileGUID;
    if (before === after) return [];
    if (before === undefined) return [news('added', 'file', part)];
    return [news(after === undefined ? 'removed' : 'replaced', 'file', part)];
  });
  const choices = [
    ...(removedIn(shown) === removedIn(stored) ? [] : [news('components', 'removed')]),
    ...(shown.correctsCVN === stored.correctsCVN ? [] : [news('cvn', 'willCorrectCVN')]),
    ...(shown.skipsChecksum === stored.skipsChecksum ? [] : [news('checksum', 'willSkipChecksum')]),
    ...(correctsIn(shown) === correctsIn(stored) ? [] : [news('known', 'willCorrectChecksums')]),
  ];
  return choices.reduce((all, one) => withNews(all, [one]), files);
}

/** The news with newer ones, which replace those about the same part or choice. */
export function withNews(
  news: readonly DraftNews[],
  newer: readonly DraftNews[],
): readonly DraftNews[] {
  const subject = ({ kind, part }: DraftNews): string => part ?? kind;
  const replaced = newer.map(subject);
  return [...news.filter((one) => !replaced.includes(subject(one))), ...newer];
}
