/** A value that is shown once, with a button that copies it. */
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useId, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../actions/button.tsx';

export interface SecretFieldProps {
  readonly label: string;
  readonly value: string;
  /** What the value is for. */
  readonly hint?: string;
}

export function SecretField({ label, value, hint }: SecretFieldProps) {
  const { t } = useTexts();
  const id = useId();
  const code = useRef<HTMLElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      setIsCopied(true);
    } catch {
      // without https the browser does not let pages copy: the user copies the selection
      if (code.current) getSelection()?.selectAllChildren(code.current);
    }
  };
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col gap-1.5">
      <span id={id} className="text-sm font-medium text-ink-2">
        {label}
      </span>
      <div className="flex items-start gap-2 rounded-s bg-sunken py-1 pr-1 pl-3">
        <code ref={code} className="min-w-0 flex-1 py-1.5 font-mono text-sm break-all select-all">
          {value}
        </code>
        <Button
          size="small"
          icon={isCopied ? Check : Copy}
          aria-label={t('settings.copyNamed', { name: label })}
          onPress={() => void copy()}
        >
          {t(isCopied ? 'ui.copied' : 'settings.copy')}
        </Button>
      </div>
      {hint !== undefined && <p className="text-sm text-ink-3">{hint}</p>}
      <span role="status" className="sr-only">
        {isCopied ? t('ui.copied') : ''}
      </span>
    </div>
  );
}
