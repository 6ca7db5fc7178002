/** Why a file is proposed for a part, or fits none, as texts of the page. */
import { blankFrom, type PartFingerprint } from '@recodery/contract/fingerprints';
import { bytesText, percentText, sizeText } from '../../../../i18n/formats.ts';
import type { Language } from '../../../../i18n/languages.ts';
import type { TextOf } from '../../../../i18n/texts.ts';
import { isAlike } from '../../../../i18n/wrong-size.ts';
import type { DecodedRead, PartName } from '../../decoded-read.ts';
import { lookOf } from '../../families/part-look.ts';
import type { PartState } from '../../inputs.ts';
import { type FoundImage, type MisfitFile, mostFiles, mostZipBytes } from './inspect-files.ts';
import { clearLikeness, type Proposal } from './place-rules.ts';

/** A reason, and whether the user should check it. */
export interface Why {
  readonly text: string;
  readonly isDoubtful: boolean;
}

/** What a reason depends on. */
export interface WordsGround {
  readonly t: TextOf;
  readonly language: Language;
  readonly read: DecodedRead;
  readonly parts: readonly PartFingerprint[];
}

/**
 * The most bytes in which a file can differ from an image: all of the blocks that are not equal. `likeness` is the share
 * of equal blocks among those that are not blank in both.
 */
export function mostDifferent(
  { sums, blockBytes }: NonNullable<PartFingerprint['fingerprint']>,
  likeness: number,
): number {
  const marked = sums.filter((sum) => sum < blankFrom).length;
  return Math.floor(marked * (1 / likeness - 1) + 1e-6) * blockBytes;
}

/** The likeness from which a percentage hides how little differs. */
const nearlySame = 0.99;

/** A share below 1 is never shown as 100 %, nor one above 0 as 0 %. */
function likenessShare(likeness: number, language: Language): string {
  const percent = Math.min(99, Math.max(likeness > 0 ? 1 : 0, Math.floor(likeness * 100)));
  return percentText(percent / 100, language);
}

/** The effect of a file on its part's present content; null if the part has none. */
export function consequenceText(t: TextOf, state: PartState | undefined): string | null {
  switch (state?.at) {
    case 'complete':
    case 'uploading':
      return t('places.replaces', { file: state.file.name });
    case 'removed':
      return t('places.returns');
    default:
      return null;
  }
}

/**
 * How similar a file is to the image of a part. At least as similar as it says: of a block that differs, most bytes may
 * be equal, and blank blocks are not counted.
 */
export function likenessText(ground: WordsGround, part: PartName, likeness: number | null): Why {
  const { t, language, read, parts } = ground;
  if (likeness === null) return { text: t('places.why.size'), isDoubtful: false };
  const fingerprint = parts.find((one) => one.part === part)?.fingerprint ?? null;
  const of = fingerprint?.of;
  const image = of === 'original' ? 'original' : read.shape === 'image' ? 'decoded' : 'component';
  const values = { share: likenessShare(likeness, language), part: t(lookOf(part).label) };
  if (likeness === 1) return { text: t(`places.why.same.${image}`, values), isDoubtful: false };
  if (likeness >= nearlySame && fingerprint !== null) {
    const bytes = bytesText(mostDifferent(fingerprint, likeness), language);
    const block = bytesText(fingerprint.blockBytes, language);
    return { text: t(`places.why.near.${image}`, { ...values, bytes, block }), isDoubtful: false };
  }
  return likeness >= clearLikeness
    ? { text: t(`places.why.like.${image}`, values), isDoubtful: false }
    : { text: t(`places.why.unlike.${image}`, values), isDoubtful: true };
}

/** Why a file goes to a part; `proposal` null: the user chose the part. */
export function whyText(
  ground: WordsGround,
  { likeness }: FoundImage,
  part: PartName,
  proposal: Proposal | null,
): Why {
  const { t } = ground;
  const alike = likenessText(ground, part, likeness.get(part) ?? null);
  if (alike.isDoubtful || proposal === null || proposal.basis === 'content') return alike;
  return proposal.basis === 'name'
    ? { text: t('places.why.name'), isDoubtful: false }
    : { text: t('places.why.nothing'), isDoubtful: true };
}

/** Why a file is not uploaded although it fits; `isBeaten`: another file was a better match. */
export function leftOutText({ t }: WordsGround, isBeaten: boolean): Why {
  return { text: t(isBeaten ? 'places.why.beaten' : 'places.why.leftOut'), isDoubtful: true };
}

/** The part whose size is nearly that of a file, and that size; rounded, the two would look the same. */
function nearSize(parts: readonly PartFingerprint[], size: number) {
  const near = parts
    .flatMap(({ part, sizes }) =>
      sizes !== null && 'length' in sizes ? sizes.map((one) => ({ part, size: one })) : [],
    )
    .toSorted((one, other) => Math.abs(one.size - size) - Math.abs(other.size - size))[0];
  return near !== undefined && isAlike(near.size, size) ? near : null;
}

/** Why a file fits nowhere. */
export function misfitText(ground: WordsGround, misfit: MisfitFile, maxFileBytes: number) {
  const { t, language, parts } = ground;
  const { reason, copyOf, size } = misfit;
  const near = reason === 'size' ? nearSize(parts, size) : null;
  if (near !== null) {
    return t('places.reason.sizeNear', {
      size: bytesText(size, language),
      part: t(lookOf(near.part).label),
      expected: bytesText(near.size, language),
    });
  }
  const bounds: Readonly<Partial<Record<MisfitFile['reason'], number>>> = {
    size,
    large: maxFileBytes,
    zipBytes: mostZipBytes,
  };
  return t(`places.reason.${reason}`, {
    size: sizeText(bounds[reason] ?? 0, language),
    most: String(mostFiles),
    file: copyOf ?? '',
  });
}
