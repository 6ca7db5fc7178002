/** Asks about a file that was dropped on the row of one part, and resembles another part or none. */
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import { useTexts } from '../../../../i18n/texts.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { LongText } from '../../../../ui/display/long-text.tsx';
import { useEngineIsUp } from '../../../service-status/service-status.ts';
import type { DecodedRead, PartName } from '../../decoded-read.ts';
import { lookOf } from '../../families/part-look.ts';
import { useOpenPage } from '../../flow/open-page.ts';
import type { Inputs } from '../../inputs.ts';
import type { OwnPlaceFound } from './own-place.ts';
import { consequenceText, likenessText } from './place-words.ts';
import { putFile } from './put-file.ts';

export interface OwnPlaceDialogProps {
  readonly read: DecodedRead;
  readonly inputs: Inputs;
  readonly file: File;
  /** The part whose row it was dropped on. */
  readonly own: PartName;
  readonly found: OwnPlaceFound;
  readonly onClose: () => void;
}

export function OwnPlaceDialog({ read, inputs, file, own, found, onClose }: OwnPlaceDialogProps) {
  const { t, language } = useTexts();
  const { recoding } = useOpenPage();
  const isEngineUp = useEngineIsUp();
  const { place, parts, likeness } = found;
  if (place.kind === 'fits') return null;
  const other = place.kind === 'other' ? place.part : null;
  const nameOf = (part: PartName): string => t(lookOf(part).label);
  const shown = other ?? own;
  const consequence = consequenceText(t, inputs.parts[shown]);
  const ground = { t, language, read, parts };
  const put = (part: PartName) => (): void => {
    onClose();
    putFile(recoding, part, file);
  };
  return (
    <Dialog
      title={
        other === null ? t('places.unlike.title') : t('places.other.title', { part: nameOf(other) })
      }
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('ui.cancel')}</Button>
          {place.kind === 'other' && place.fitsHere && (
            <Button isDisabled={!isEngineUp} onPress={put(own)}>
              {t('places.other.stay', { part: nameOf(own) })}
            </Button>
          )}
          <Button
            look="primary"
            {...(other === null ? {} : { icon: ArrowRightLeft })}
            isDisabled={!isEngineUp}
            onPress={put(shown)}
          >
            {other === null ? t('places.unlike.go') : t('places.other.go', { part: nameOf(other) })}
          </Button>
        </>
      }
    >
      <p className="font-semibold">
        <LongText>{file.name}</LongText>
      </p>
      <p className="mt-1 text-ink-2">
        {likenessText(ground, shown, likeness.get(shown) ?? null).text}
      </p>
      {consequence !== null && (
        <p className="mt-1 text-ink-2">
          <LongText>{consequence}</LongText>
        </p>
      )}
    </Dialog>
  );
}
