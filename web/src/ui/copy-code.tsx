/** An error code, a hash or a GUID in small type that one click copies. */
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useEffect, useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Icon } from './icon.tsx';
import { PlainButton } from './plain-button.tsx';

interface Props {
  readonly code: string;
  /** What the label calls the code. */
  readonly kind?: keyof typeof labels;
}

/** The button's label for each kind of code. */
const labels = { error: 'ui.copyCode', hash: 'ui.copyHash', GUID: 'ui.copyGUID' } as const;

export function CopyCode({ code, kind = 'error' }: Props) {
  const { t } = useTexts();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <PlainButton
      aria-label={t(labels[kind], { code })}
      onPress={() => {
        void navigator.clipboard?.writeText(code).then(() => setIsCopied(true));
      }}
      className="inline-flex max-w-full items-center gap-2 rounded-s px-1.5 py-1 text-left font-mono text-xs text-ink-2 hover:text-ink"
    >
      <span className="min-w-0 break-all">{code}</span>
      <Icon of={isCopied ? Check : Copy} size={14} />
      <span role="status" className="sr-only">
        {isCopied ? t('ui.copied') : ''}
      </span>
    </PlainButton>
  );
}
