/** Dropped files that were not taken: unchanged ones, those that fit nothing, and those whose place the user chooses. */
import X from 'lucide-react/icons/x';
import { bytesText } from '../../../i18n/formats.ts';
import { type TextOf, useTexts } from '../../../i18n/texts.ts';
import type { Language } from '../../../i18n/languages.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LongText } from '../../../ui/display/long-text.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { lookOf } from '../../recoding/families/part-look.ts';
import type { Place } from './match-modified.ts';
import { contestedPlace } from './take-files.ts';
import type { Unplaced } from './unplaced-store.ts';

export interface UnplacedFilesProps {
  readonly files: readonly Unplaced[];
  /** The user has chosen a place for a file. */
  readonly onPlace: (unplaced: Unplaced, place: Place) => void;
  readonly onDismiss: (unplaced: Unplaced) => void;
}

const idOf = ({ fileGUID, part }: Place): string => `${fileGUID}/${part}`;

/** What happened to a file, in a sentence. */
function reasonOf(t: TextOf, { file, match }: Unplaced, language: Language): string {
  switch (match.at) {
    case 'identical':
      return t('tray.unplaced.identical', { read: match.place.readName });
    case 'size':
      return t('tray.unplaced.size', {
        read: match.place.readName,
        actual: bytesText(file.size, language),
        expected: bytesText(match.place.image.size, language),
      });
    case 'none':
      return t('tray.unplaced.none');
    case 'asked': {
      const taken = contestedPlace(match);
      return taken === null
        ? t('tray.unplaced.asked')
        : t('tray.unplaced.taken', { read: taken.readName });
    }
    case 'place':
      return t('tray.unplaced.asked');
  }
}

function Choice({
  unplaced,
  onPlace,
}: {
  readonly unplaced: Unplaced;
  readonly onPlace: (place: Place) => void;
}) {
  const { t } = useTexts();
  const { match, file } = unplaced;
  if (match.at !== 'asked') return null;
  return (
    <Select
      className="mt-2 max-w-96"
      label={t('tray.unplaced.choose', { file: file.name })}
      value={null}
      options={match.places.map((place) => ({
        id: idOf(place),
        text: t('ui.labelled', { label: place.readName, value: t(lookOf(place.part).label) }),
      }))}
      onChange={(id) => {
        const place = match.places.find((one) => idOf(one) === id);
        if (place !== undefined) onPlace(place);
      }}
    />
  );
}

export function UnplacedFiles({ files, onPlace, onDismiss }: UnplacedFilesProps) {
  const { t, language } = useTexts();
  return (
    <Panel
      title={t('tray.unplaced.title')}
      actions={
        files.length > 1 && (
          <Button onPress={() => files.forEach(onDismiss)}>{t('recoding.part.dismiss')}</Button>
        )
      }
    >
      <ul>
        {files.map((unplaced) => (
          <li
            key={unplaced.key}
            className="flex items-start gap-3 border-line py-2.5 not-first:border-t"
          >
            <div className="min-w-0 flex-1">
              <p className="font-medium">
                <LongText>{unplaced.file.name}</LongText>
              </p>
              <p className="text-sm text-ink-2">{reasonOf(t, unplaced, language)}</p>
              <Choice unplaced={unplaced} onPlace={(place) => onPlace(unplaced, place)} />
            </div>
            <Button
              look="quiet"
              icon={X}
              label={t('tray.unplaced.dismiss', { file: unplaced.file.name })}
              onPress={() => onDismiss(unplaced)}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
