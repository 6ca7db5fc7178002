/** A file that is uploaded with the form: the present one by its hash, and the one that takes its place. */
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { sizeText } from '../../../i18n/formats.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { DropArea } from '../../../ui/fields/drop-area.tsx';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import { chosenFile, keepFile } from '../records/chosen-files.ts';
import type { RecordFieldProps } from './field-props.ts';

/** Whether the browser could not read the file; anything else, such as code that cannot be loaded, is not its fault. */
const isOfFile = (thrown: unknown): boolean => thrown instanceof DOMException;

/** The name and size of a chosen file, and the hash by which it is compared. */
function Chosen({ value }: Pick<RecordFieldProps, 'value'>) {
  const { t, language } = useTexts();
  if (value === null) return null;
  const file = chosenFile(value);
  return (
    <div className="mb-2 rounded-m bg-sunken px-3 py-2">
      <p className="wrap-anywhere">
        {file === null
          ? t('admin.file.present')
          : `${t('ui.labelled', { label: t('admin.file.chosen'), value: file.name })} · ${sizeText(file.size, language)}`}
      </p>
      <p className="font-mono text-sm break-all text-ink-2">SHA-256 {value}</p>
    </div>
  );
}

export function FileField({ field, label, hint, error, value, onChange }: RecordFieldProps) {
  const { t, language } = useTexts();
  const id = useId();
  const most = field.most ?? 0;
  const take = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > most) return file.name;
      onChange(await keepFile(file));
      return null;
    },
    onError: (thrown) => {
      if (!isOfFile(thrown)) showFailure(t, thrown);
    },
  });
  const size = sizeText(most, language);
  const tooLarge =
    typeof take.data === 'string' ? t('admin.file.tooLarge', { name: take.data, size }) : null;
  const fault = tooLarge ?? (isOfFile(take.error) ? t('admin.file.unreadable') : error);
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className="mb-1.5 text-sm font-medium text-ink-2">
        {label}
      </p>
      <Chosen {...{ value }} />
      <DropArea
        label={t('admin.file.drop')}
        owner={label}
        choose={t('admin.file.choose')}
        hint={t('admin.file.most', { size })}
        shape="row"
        isDisabled={take.isPending}
        onFile={(file) => take.mutate(file)}
      />
      {hint !== null && <p className="mt-1.5 text-sm text-ink-3">{hint}</p>}
      {fault !== null && (
        <p role="alert" className="text-sm text-bad">
          {fault}
        </p>
      )}
    </div>
  );
}
