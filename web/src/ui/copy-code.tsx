/** A code in small type that one click copies, for a support ticket. */
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useEffect, useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Icon } from './icon.tsx';
import { PlainButton } from './plain-button.tsx';

export function CopyCode({ code }: { readonly code: string }) {
  const { t } = useTexts();
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <PlainButton
      aria-label={t('ui.copyCode', { code })}
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
