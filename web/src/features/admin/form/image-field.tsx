/** A picture: shown, replaced by another file, or removed. */
import ImageOff from 'lucide-react/icons/image-off';
import Trash from 'lucide-react/icons/trash-2';
import Upload from 'lucide-react/icons/upload';
import { useId, useRef, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { sizeText } from '../../../i18n/formats.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import type { RecordFieldProps } from './field-props.ts';

/** Reads a file as a data URL. @throws when the browser cannot read it */
async function dataUrlOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('');
  return `data:${file.type};base64,${btoa(letters)}`;
}

export function ImageField({ field, label, error, value, onChange }: RecordFieldProps) {
  const { t, language } = useTexts();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const most = field.most ?? 131_072;
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const isPicture = file.type === 'image/png' || file.type === 'image/svg+xml';
    if (!isPicture || file.size > most) {
      setFault(t('admin.image.refused', { name: file.name, size: sizeText(most, language) }));
      return;
    }
    setFault(null);
    onChange(await dataUrlOf(file));
  };
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className="mb-1.5 text-sm font-medium text-ink-2">
        {label}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <span className="flex size-12 items-center justify-center rounded-s border border-line bg-surface text-ink-3">
          {typeof value === 'string' ? (
            <img src={value} alt={label} className="size-full object-contain p-1" />
          ) : (
            <Icon of={ImageOff} />
          )}
        </span>
        <input
          ref={input}
          type="file"
          accept="image/png,image/svg+xml"
          hidden
          onChange={({ target }) => {
            void take(target.files?.[0]);
            target.value = '';
          }}
        />
        <Button icon={Upload} onPress={() => input.current?.click()}>
          {t('admin.image.choose')}
        </Button>
        {value !== null && (
          <Button look="quiet" icon={Trash} onPress={() => onChange(null)}>
            {t('admin.image.remove')}
          </Button>
        )}
      </div>
      <p className="mt-1.5 text-sm text-ink-3">
        {t('admin.image.hint', { size: sizeText(most, language) })}
      </p>
      {(fault ?? error) !== null && (
        <p role="alert" className="text-sm text-bad">
          {fault ?? error}
        </p>
      )}
    </div>
  );
}
