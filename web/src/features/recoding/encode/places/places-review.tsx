/** The dropped files, each with its proposed part and the reason; the user can change it before anything is uploaded. */
import CircleCheck from 'lucide-react/icons/circle-check';
import FileWarning from 'lucide-react/icons/file-warning';
import FileX from 'lucide-react/icons/file-x';
import Upload from 'lucide-react/icons/upload';
import { useState } from 'react';
import { sizeText } from '../../../../i18n/formats.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { Button } from '../../../../ui/button.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { LongText } from '../../../../ui/long-text.tsx';
import { Select } from '../../../../ui/select.tsx';
import type { PartName } from '../../decoded-read.ts';
import { lookOf } from '../../families/part-look.ts';
import type { Inputs } from '../../inputs.ts';
import type { Found, FoundImage, Misfit } from './inspect-files.ts';
import { isProposed, placeFiles, type Proposal } from './place-rules.ts';
import { leftOutText, misfitText, type Why, type WordsGround, whyText } from './place-words.ts';

/** A file that the user has confirmed. */
export interface Placed {
  readonly part: PartName;
  readonly file: File;
}

export interface PlacesReviewProps {
  readonly ground: Pick<WordsGround, 'read' | 'parts'>;
  readonly inputs: Inputs;
  readonly found: Found;
  readonly maxFileBytes: number;
  readonly onConfirm: (placed: readonly Placed[]) => void;
  readonly onClose: () => void;
}

/** The value of the choice that uploads nothing. */
const leftOut = '-';

type Places = ReadonlyMap<number, PartName | null>;

/** The places after a choice: a file that had the chosen part takes the other one if its size fits, else none. */
function choose(places: Places, images: readonly FoundImage[], id: number, part: PartName | null) {
  const before = places.get(id) ?? null;
  const displaced = images.find((one) => one.id !== id && places.get(one.id) === part);
  const changed = new Map(places).set(id, part);
  if (part === null || displaced === undefined) return changed;
  const mayTake = before !== null && displaced.likeness.has(before);
  return changed.set(displaced.id, mayTake ? before : null);
}

/** The name and size of a file, and the archive that contained it. */
function FileName({ file }: { readonly file: Pick<Misfit, 'name' | 'size' | 'from'> }) {
  const { t, language } = useTexts();
  return (
    <div className="min-w-0">
      <p className="line-clamp-2 font-semibold" title={file.name}>
        <LongText>{file.name}</LongText>
      </p>
      <p className="text-sm text-ink-3">
        <span className="font-mono">{sizeText(file.size, language)}</span>
        {file.from !== null && (
          <>
            {' · '}
            <LongText>{t('places.fromArchive', { archive: file.from })}</LongText>
          </>
        )}
      </p>
    </div>
  );
}

function WhyLine({ why }: { readonly why: Why }) {
  return (
    <p
      className={classNames(
        'flex items-start gap-1.5 text-sm',
        why.isDoubtful ? 'text-modified' : 'text-ink-2',
      )}
    >
      <Icon
        of={why.isDoubtful ? FileWarning : CircleCheck}
        size={16}
        className={classNames('mt-0.5 shrink-0', !why.isDoubtful && 'text-good')}
      />
      <span className="min-w-0">{why.text}</span>
    </p>
  );
}

interface ImageRowProps {
  readonly ground: WordsGround;
  readonly inputs: Inputs;
  readonly image: FoundImage;
  readonly part: PartName | null;
  /** Null once the user has chosen another part. */
  readonly proposal: Proposal | null;
  /** Whether another file was a better match for its part. */
  readonly isBeaten: boolean;
  readonly onChoose: (part: PartName | null) => void;
}

/** What happens to the file that a part has now, if it has one. */
function useConsequence(inputs: Inputs, part: PartName | null): string | null {
  const { t } = useTexts();
  const state = part === null ? undefined : inputs.parts[part];
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

function ImageRow({ ground, inputs, image, part, proposal, isBeaten, onChoose }: ImageRowProps) {
  const { t, parts } = { ...ground };
  const { name, file, from, likeness } = image;
  const consequence = useConsequence(inputs, part);
  const options = parts
    .filter((one) => likeness.has(one.part))
    .map((one) => ({ id: one.part, text: t(lookOf(one.part).label) }));
  const why =
    part === null ? leftOutText(ground, isBeaten) : whyText(ground, image, part, proposal);
  return (
    <li className="grid gap-x-4 gap-y-2 border-line py-3.5 not-last:border-b sm:grid-cols-[minmax(0,1fr)_12rem]">
      <FileName file={{ name, size: file.size, from }} />
      <Select
        label={t('places.placeOf', { file: name })}
        isLabelHidden
        value={part ?? leftOut}
        options={[...options, { id: leftOut, text: t('places.leave') }]}
        onChange={(id) => onChoose(id === leftOut ? null : id)}
      />
      <div className="flex flex-col gap-1 sm:col-span-2">
        <WhyLine why={why} />
        {consequence !== null && (
          <p className="pl-[22px] text-sm text-ink-2">
            <LongText>{consequence}</LongText>
          </p>
        )}
      </div>
    </li>
  );
}

function Misfits({
  ground,
  found,
  maxFileBytes,
}: Pick<PlacesReviewProps, 'found' | 'maxFileBytes'> & { readonly ground: WordsGround }) {
  const { t } = ground;
  return (
    <section aria-label={t('places.nowhere')} className="mt-4">
      <h3 className="mb-2 text-sm font-medium text-ink-3">{t('places.nowhere')}</h3>
      <ul className="flex flex-col gap-3 rounded-s bg-sunken px-4 py-3 forced-colors:border">
        {found.misfits.map((misfit) => (
          <li key={misfit.id} className="flex items-start gap-3">
            <Icon of={FileX} size={20} className="mt-0.5 shrink-0 text-ink-3" />
            <div className="min-w-0">
              <FileName file={misfit} />
              <p className="mt-0.5 text-sm text-ink-2">
                <LongText>{misfitText(ground, misfit, maxFileBytes)}</LongText>
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function PlacesReview(props: PlacesReviewProps) {
  const { t, language } = useTexts();
  const { inputs, found, maxFileBytes, onConfirm, onClose } = props;
  const ground = { ...props.ground, t, language };
  const { images } = found;
  const [proposals] = useState(() =>
    placeFiles(images, ground.parts, (part) => inputs.parts[part]?.at === 'complete'),
  );
  const [places, setPlaces] = useState<Places>(
    () => new Map(images.map(({ id }) => [id, proposals.get(id)?.part ?? null])),
  );
  const placed = images.flatMap(({ id, file }) => {
    const part = places.get(id) ?? null;
    return part === null ? [] : [{ part, file }];
  });
  const proposalOf = (id: number): Proposal | null => {
    const proposal = proposals.get(id) ?? null;
    return proposal?.part === places.get(id) ? proposal : null;
  };
  const isBeaten = ({ id, likeness }: FoundImage): boolean =>
    !proposals.has(id) && ground.parts.some((part) => isProposed(part, likeness.get(part.part)));
  return (
    <Dialog
      isOpen
      title={t('places.title')}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('ui.cancel')}</Button>
          <Button
            look="primary"
            icon={Upload}
            isDisabled={placed.length === 0}
            onPress={() => onConfirm(placed)}
          >
            {t('places.confirm', { count: placed.length })}
          </Button>
        </>
      }
    >
      <p role="status" className="text-ink-2">
        {images.length === 0 ? t('places.none') : t('places.about')}
      </p>
      {images.length > 0 && (
        <ul className="mt-1">
          {images.map((image) => (
            <ImageRow
              key={image.id}
              ground={ground}
              inputs={inputs}
              image={image}
              part={places.get(image.id) ?? null}
              proposal={proposalOf(image.id)}
              isBeaten={isBeaten(image)}
              onChoose={(part) => setPlaces(choose(places, images, image.id, part))}
            />
          ))}
        </ul>
      )}
      {found.misfits.length > 0 && (
        <Misfits ground={ground} found={found} maxFileBytes={maxFileBytes} />
      )}
    </Dialog>
  );
}
