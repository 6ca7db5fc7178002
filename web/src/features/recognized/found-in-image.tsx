/** The control units that were recognized in the images of a read: their numbers, and where each is in the image. */
import type { Recognition, RecognizedField } from '@recodery/contract/families/recognition';
import { hexAddress } from '../../i18n/formats.ts';
import { type TextKey, useTexts } from '../../i18n/texts.ts';
import { DescriptionList } from '../../ui/display/description-list.tsx';
import { LongText } from '../../ui/display/long-text.tsx';

export interface RecognizedImage {
  /** The name of the component; null for the only image of a read. */
  readonly part: string | null;
  readonly recognition: Recognition;
}

const labels: Readonly<Record<RecognizedField['name'], TextKey>> = {
  hardware: 'recoding.information.hardware',
  software: 'recoding.information.software',
  program: 'recognized.program',
  calibration: 'recognized.calibration',
  partNumber: 'recognized.partNumber',
  version: 'recognized.version',
  engine: 'recoding.information.engine',
  date: 'recognized.date',
};

/** A value, its address as a hex editor shows it, and the text there if it is written differently. */
function Value({ field: { value, text, offset } }: { readonly field: RecognizedField }) {
  const { t } = useTexts();
  const address = hexAddress(offset);
  return (
    <>
      <LongText>{value}</LongText>
      <span className="block text-xs text-ink-3">
        {t('recognized.at', { address })}
        {text.trim() !== value && ` · ${text}`}
      </span>
    </>
  );
}

function Image({ part, recognition }: RecognizedImage) {
  const { t } = useTexts();
  const { name, certainty, isSwapped, isValidated, fields } = recognition;
  const family = certainty === 'certain' ? name : t('recognized.probable', { name });
  return (
    <div>
      <p className="mb-3 font-semibold">
        {part === null ? family : t('ui.labelled', { label: part, value: family })}
      </p>
      <DescriptionList
        items={fields.map((field) => ({
          label: t(labels[field.name]),
          value: <Value field={field} />,
          isMono: true,
        }))}
        missing=""
      />
      {(isSwapped || !isValidated) && (
        <p className="mt-3 text-sm text-ink-3">
          {isSwapped && `${t('recognized.swapped')} `}
          {!isValidated && t('recognized.unproven')}
        </p>
      )}
    </div>
  );
}

/** `images`: those that were recognized, at least one. */
export function FoundInImagePanel({ images }: { readonly images: readonly RecognizedImage[] }) {
  const { t } = useTexts();
  return (
    <section>
      <h3 className="mb-2 text-md text-ink-2">{t('recognized.title')}</h3>
      <div className="flex flex-col gap-5">
        {images.map((image) => (
          <Image key={image.part} {...image} />
        ))}
      </div>
    </section>
  );
}
