/** New recovery codes, which are shown once: to copy, or to save as a file. */
import Copy from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import { useRef, useState } from 'react';
import { saveText } from '../../../../api/files/download.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';

export interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

const fileName = 'recodery-recovery-codes.txt';

export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { t } = useTexts();
  const [isCopied, setIsCopied] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  // without https the browser does not let pages copy: the codes can be saved or selected
  const canCopy = 'clipboard' in navigator;
  const text = codes.map((code) => `${code}\n`).join('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      // the user has denied it: they copy the selection
      if (list.current) getSelection()?.selectAllChildren(list.current);
    }
  };
  return (
    <Dialog
      title={t('account.codes')}
      onClose={onClose}
      // Escape must not lose them
      isDismissable={false}
      actions={
        <Button look="primary" onPress={onClose}>
          {t('account.codesStored')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-pretty text-ink-2">{t('account.codesAbout')}</p>
        <ul
          ref={list}
          className="grid grid-cols-1 gap-x-4 gap-y-1 rounded-s bg-sunken p-3 font-mono text-md select-all sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap items-center gap-2">
          <Button icon={Download} onPress={() => saveText(text, fileName)}>
            {t('account.codesSave')}
          </Button>
          {canCopy && (
            <Button icon={Copy} onPress={() => void copy()}>
              {t('account.codesCopy')}
            </Button>
          )}
          <p role="status" className="text-md text-ink-2">
            {isCopied ? t('ui.copied') : ''}
          </p>
        </div>
      </div>
    </Dialog>
  );
}
