/** What a test of one or several records has found. The sentences are the server's, in English. */
import type { ActionFinding } from '@recodery/contract/admin/derive-routes';
import { type TextOf, useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { findingLook, findingText } from './finding-words.ts';

export interface NamedFinding extends ActionFinding {
  /** What names the record. */
  readonly name: string;
}

export interface FindingsDialogProps {
  readonly findings: readonly NamedFinding[];
  readonly onClose: () => void;
}

/** Each part of a check, or the check itself if it has none. */
function partsOf(t: TextOf, { name, state, text, checks }: NamedFinding) {
  return checks === undefined || checks.length === 0
    ? [{ id: name, name, state, text }]
    : checks.map(({ what, ...found }) => ({
        id: `${name} ${what}`,
        name: t(`admin.signIn.part.${what}`),
        ...found,
      }));
}

export function FindingsDialog({ findings, onClose }: FindingsDialogProps) {
  const { t } = useTexts();
  return (
    <Dialog
      title={t('admin.findings')}
      onClose={onClose}
      actions={
        <Button look="primary" onPress={onClose}>
          {t('ui.close')}
        </Button>
      }
    >
      <ul className="flex flex-col gap-4">
        {findings
          .flatMap((one) => partsOf(t, one))
          .map(({ id, name, state, text }) => (
            <li key={id} className="flex flex-col gap-1">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-medium wrap-anywhere">{name}</span>
                <Badge state={findingLook[state]}>{t(findingText[state])}</Badge>
              </p>
              <p lang="en" className="text-md wrap-anywhere text-ink-2">
                {text}
              </p>
            </li>
          ))}
      </ul>
    </Dialog>
  );
}
