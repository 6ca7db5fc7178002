/** The original that a read is compared with: the library's, or else one that the organisation keeps. */
import type { ComponentName } from '@recodery/contract/families/family';
import type { UncheckedReason } from '@recodery/contract/features/recoding/preflight';
import type { Db } from '../../postgres/tables/schema.ts';
import { findOriginalsFor, type StoredOriginal } from '../../slots/kept-originals.ts';
import type { Slot } from '../../slots/slots.ts';
import type { StoredFile } from '../../slots/files/stored-files.ts';
import type { RecordedFile } from '../../storage/verified-storage.ts';
import { askLibrary } from '../preflight/preflight-rules.ts';
import { imagesOfRead } from '../images/read-images.ts';
import type { DecodeFacts } from '../results/stored-result.ts';
import { softwareOf } from './kept-rules.ts';
import { findOriginal } from './originals.ts';

/**
 * The original of a read, or why it is not compared with one. `component`: null if it is not known. `kept`: null if the
 * original is the library's.
 */
export type Library =
  | {
      readonly component: ComponentName;
      readonly original: RecordedFile;
      readonly kept: StoredOriginal | null;
    }
  | { readonly component: ComponentName | null; readonly reason: UncheckedReason };

/** A decoded slot, and its files. */
interface Read {
  readonly slot: Pick<Slot, 'organisationId' | 'connectionGuid'>;
  readonly facts: DecodeFacts;
  readonly files: readonly StoredFile[];
}

/** The operator's library, which knows only the reads of our own protocols. */
export async function findInLibrary(
  db: Db,
  { slot, facts }: Pick<Read, 'slot' | 'facts'>,
): Promise<Library> {
  const asked = askLibrary(facts, slot.connectionGuid !== null);
  if ('reason' in asked) return asked;
  const { component, question } = asked;
  const original = await findOriginal(db, question);
  return original === null
    ? { component, reason: 'no-original-in-library' }
    : { component, original, kept: null };
}

/** The first image of a read for which the organisation keeps an original of another job. */
async function findKept(db: Db, { slot, facts, files }: Read): Promise<Library | null> {
  for (const { component, fileGuid } of imagesOfRead(facts)) {
    const file = files.find(({ guid }) => guid === fileGuid);
    if (file === undefined) continue;
    const { guid, size, sha256 } = file;
    const image = { guid, size, sha256, software: softwareOf(facts, component) };
    const found = await findOriginalsFor(db, slot.organisationId, image);
    const kept = found.find(({ fileGUID }) => fileGUID !== guid);
    if (kept !== undefined) return { component, original: kept, kept };
  }
  return null;
}

/** The original of a read. */
export async function findOriginalOfRead(db: Db, read: Read): Promise<Library> {
  const library = await findInLibrary(db, read);
  return 'reason' in library ? ((await findKept(db, read)) ?? library) : library;
}
