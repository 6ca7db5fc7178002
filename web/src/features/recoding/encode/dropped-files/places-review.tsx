/**
 * The dropped files, each with its proposed part and the reason; the user can change it before anything is uploaded.
 */
import CircleCheck from 'lucide-react/icons/circle-check';
import FileWarning from 'lucide-react/icons/file-warning';
import FileX from 'lucide-react/icons/file-x';
import Upload from 'lucide-react/icons/upload';
import { type ReactNode, useState } from 'react';
import { sizeText } from '../../../../i18n/formats.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { Icon } from '../../../../ui/display/icon.tsx';
import { LongText } from '../../../../ui/display/long-text.tsx';
import { Select } from '../../../../ui/fields/select.tsx';
import { useEngineIsUp } from '../../../service-status/service-status.ts';
import type { PartName } from '../../decoded-read.ts';
import { lookOf } from '../../families/part-look.ts';
import type { Inputs } from '../../inputs.ts';
import type { FoundImage, FoundImages, MisfitFile } from './inspect-files.ts';
import { isProposed, placeFiles, type Proposal } from './place-rules.ts';
import {
  consequenceText,
  leftOutText,
  misfitText,
  type Why,
  type WordsGround,
  whyText,
} from './place-words.ts';

/** A file that the user has confirmed. */
export interface Placed {
  readonly part: PartName;
  readonly file: File;
}

export interface PlacesReviewProps {
  readonly ground: Pick<WordsGround, 'read' | 'parts'>;
  readonly inputs: Inputs;
  /** Null while the files are being compared. */
  readonly found: FoundImages | null;
  /** Shown until then. */
  readonly waiting: ReactNode;
  readonly maxFileBytes: number;
  readonly onConfirm: (placed: readonly Placed[]) => void;
  readonly onClose: () => void;
}

const nothing: FoundImages = { images: [], misfits: [] };

/** The place of a file that is not uploaded; no part has this name. */
const leftOut = '-';
/** A part, or {@link leftOut}. */
type Place = PartName;
type Places = ReadonlyMap<number, Place>;

/** The places after a choice: a file that had the chosen part gets the other part if its size fits, else none. */
function choose(places: Places, images: readonly FoundImage[], id: number, to: Place): Places {
  const before = places.get(id) ?? leftOut;
  const displaced = images.find((one) => one.id !== id && places.get(one.id) === to);
  const changed = new Map(places).set(id, to);
  if (to === leftOut || displaced === undefined) return changed;
  return changed.set(displaced.id, displaced.likeness.has(before) ? before : leftOut);
}

/** The name and size of a file, and the archive that contained it. */
function FileName({ file }: { readonly file: Pick<MisfitFile, 'name' | 'size' | 'from'> }) {
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
  readonly place: Place;
  /** Null once the user has chosen another place. */
  readonly proposal: Proposal | null;
  /** Whether another file was a better match for its part. */
  readonly isBeaten: boolean;
  readonly onChoose: (place: Place) => void;
}

function ImageRow(props: ImageRowProps) {
  const { ground, inputs, image, place, proposal, isBeaten, onChoose } = props;
  const { t, parts } = ground;
  const { name, file, from, likeness } = image;
  const consequence = consequenceText(t, inputs.parts[place]);
  const options = parts
    .filter(({ part }) => likeness.has(part))
    .map(({ part }) => ({ id: part, text: t(lookOf(part).label) }));
  const why =
    place === leftOut ? leftOutText(ground, isBeaten) : whyText(ground, image, place, proposal);
  return (
    <li className="grid gap-x-4 gap-y-2 border-line py-3.5 not-last:border-b sm:grid-cols-[minmax(0,1fr)_12rem]">
      <FileName file={{ name, size: file.size, from }} />
      <Select
        label={t('places.placeOf', { file: name })}
        isLabelHidden
        value={place}
        options={[...options, { id: leftOut, text: t('places.leave') }]}
        onChange={onChoose}
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

interface MisfitsProps extends Pick<PlacesReviewProps, 'maxFileBytes'> {
  readonly ground: WordsGround;
  readonly misfits: readonly MisfitFile[];
  /** False if they are the only files. */
  readonly hasTitle: boolean;
}

function Misfits({ ground, misfits, hasTitle, maxFileBytes }: MisfitsProps) {
  const { t } = ground;
  return (
    // it can be the only content of the dialog, and must then be scrollable by keyboard
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section aria-label={t('places.nowhere')} tabIndex={0} className="mt-4 rounded-s">
      {hasTitle && <h3 className="mb-2 text-sm font-medium text-ink-3">{t('places.nowhere')}</h3>}
      <ul className="flex flex-col gap-3 rounded-s bg-sunken px-4 py-3 forced-colors:border">
        {misfits.map((misfit) => (
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

/** The places of the files: those that the user has chosen, else the proposed ones. */
function usePlaces({
  ground,
  inputs,
  found,
}: Pick<PlacesReviewProps, 'ground' | 'inputs' | 'found'>) {
  const [chosen, setChosen] = useState<Places>(new Map());
  const { images } = found ?? nothing;
  const proposals = placeFiles(
    images,
    ground.parts,
    (part) => inputs.parts[part]?.at === 'complete',
  );
  const places: Places = new Map(
    images.map(({ id }) => [id, chosen.get(id) ?? proposals.get(id)?.part ?? leftOut]),
  );
  return {
    placed: images.flatMap(({ id, file }) => {
      const part = places.get(id) ?? leftOut;
      return part === leftOut ? [] : [{ part, file }];
    }),
    /** The content of a file's row, and the effect of its choice. */
    rowOf: (image: FoundImage) => {
      const { id, likeness } = image;
      const proposal = proposals.get(id) ?? null;
      const place = places.get(id) ?? leftOut;
      return {
        place,
        proposal: proposal?.part === place ? proposal : null,
        isBeaten:
          proposal === null &&
          ground.parts.some((part) => isProposed(part, likeness.get(part.part))),
        onChoose: (to: Place) => setChosen(choose(places, images, id, to)),
      };
    },
  };
}

export function PlacesReview(props: PlacesReviewProps) {
  const { t, language } = useTexts();
  const isEngineUp = useEngineIsUp();
  const { found, waiting, maxFileBytes, inputs, onConfirm, onClose } = props;
  const { placed, rowOf } = usePlaces(props);
  const ground = { ...props.ground, t, language };
  const { images, misfits } = found ?? nothing;
  const actions = (
    <>
      <Button onPress={onClose}>{t('ui.cancel')}</Button>
      <Button
        look="primary"
        icon={Upload}
        isDisabled={!isEngineUp || placed.length === 0}
        onPress={() => onConfirm(placed)}
      >
        {t('places.confirm', { count: placed.length })}
      </Button>
    </>
  );
  return (
    <Dialog
      title={t('places.title')}
      onClose={onClose}
      actions={images.length > 0 ? actions : <Button onPress={onClose}>{t('ui.close')}</Button>}
    >
      {found === null && waiting}
      <p role="status" className="text-ink-2">
        {found !== null && t(images.length === 0 ? 'places.none' : 'places.about')}
      </p>
      {images.length > 0 && (
        <ul className="mt-1">
          {images.map((image) => (
            <ImageRow
              key={image.id}
              ground={ground}
              inputs={inputs}
              image={image}
              {...rowOf(image)}
            />
          ))}
        </ul>
      )}
      {misfits.length > 0 && (
        <Misfits
          ground={ground}
          misfits={misfits}
          hasTitle={images.length > 0}
          maxFileBytes={maxFileBytes}
        />
      )}
    </Dialog>
  );
}
