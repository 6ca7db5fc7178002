/** An error code, a hash or a GUID in small type, and a button that copies it. */
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useEffect, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Icon } from '../display/icon.tsx';
import { PlainButton } from './plain-button.tsx';

type Props = { readonly code: string } & (
  | { readonly kind?: 'error' }
  /** `of`: what the code belongs to. Its many digits are not part of the button's name. */
  | { readonly kind: keyof typeof labels; readonly of: string }
);

/** The button's label for codes that are too long to be read aloud. */
const labels = { hash: 'ui.copyHash', GUID: 'ui.copyGUID' } as const;

export function CopyCode(props: Props) {
  const { t } = useTexts();
  const { code } = props;
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <span className="inline-flex max-w-full items-center gap-0.5 font-mono text-xs text-ink-2">
      <span className="min-w-0 px-1.5 py-1 break-all">{code}</span>
      <PlainButton
        aria-label={
          'of' in props ? t(labels[props.kind], { name: props.of }) : t('ui.copyCode', { code })
        }
        onPress={() => {
          void navigator.clipboard?.writeText(code).then(() => setIsCopied(true));
        }}
        className="inline-flex size-7 shrink-0 items-center justify-center rounded-s hover:bg-sunken hover:text-ink"
      >
        <Icon of={isCopied ? Check : Copy} size={14} />
      </PlainButton>
      <span role="status" className="sr-only">
        {isCopied ? t('ui.copied') : ''}
      </span>
    </span>
  );
}
