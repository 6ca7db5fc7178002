/** Adds an authenticator app: the user scans the key, and enters the code that the app shows. */
import type { AppDraft } from '@recodery/contract/admin/factors';
import { type FormEvent, useId, useState } from 'react';
import { thrownProblem } from '../../../../i18n/problems.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { ProblemPanel } from '../../../../ui/display/problem-panel.tsx';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import { faultsOf } from '../../records/record-faults.ts';
import { faultText } from '../../records/resource-words.ts';
import { useAddApp } from './own-factors.ts';
import { QrCode } from './qr-code.tsx';

export interface AddAppProps {
  readonly draft: AppDraft;
  readonly onClose: () => void;
  /** `codes`: the recovery codes of a user who had no factor before. */
  readonly onAdded: (codes: readonly string[] | null) => void;
}

interface ActionsProps extends Pick<AddAppProps, 'onClose'> {
  readonly form: string;
  readonly isPending: boolean;
  readonly isComplete: boolean;
}

function Actions({ form, isPending, isComplete, onClose }: ActionsProps) {
  const { t } = useTexts();
  return (
    <>
      <Button onPress={onClose} isDisabled={isPending}>
        {t('ui.cancel')}
      </Button>
      <Button type="submit" look="primary" {...{ form, isPending }} isDisabled={!isComplete}>
        {t('account.add')}
      </Button>
    </>
  );
}

/** The key, for the app's camera and to type. */
function AppKey({ draft }: Pick<AddAppProps, 'draft'>) {
  const { t } = useTexts();
  return (
    <>
      <p className="text-pretty text-ink-2">{t('account.appScan')}</p>
      <QrCode rows={draft.rows} label={t('account.appQr')} />
      <div>
        <p className="text-sm font-medium text-ink-2">{t('account.appKey')}</p>
        <code className="font-mono text-md break-words select-all">{groupsOf(draft.secret)}</code>
      </div>
    </>
  );
}

/** The key in groups that are easier to type. */
const groupsOf = (secret: string): string => secret.replace(/(.{4})(?!$)/g, '$1 ');

export function AddApp({ draft, onClose, onAdded }: AddAppProps) {
  const { t } = useTexts();
  const form = useId();
  const { mutate, isPending, error, reset } = useAddApp();
  const [name, setName] = useState(t('account.app'));
  const [code, setCode] = useState('');
  const faults = faultsOf(error);
  const { code: codeFault, name: nameFault } = faults;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isPending) return;
    mutate(
      { draft: draft.draft, code, name },
      { onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes) },
    );
  };
  const change = (set: (value: string) => void) => (value: string) => {
    if (error !== null) reset();
    set(value);
  };
  return (
    <Dialog
      title={t('account.addApp')}
      onClose={onClose}
      isDismissable={!isPending}
      actions={
        <Actions
          {...{ form, isPending, onClose }}
          isComplete={code.trim() !== '' && name.trim() !== ''}
        />
      }
    >
      <form id={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
        <AppKey draft={draft} />
        <TextField
          label={t('account.appCode')}
          value={code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          isMono
          error={codeFault === undefined ? null : faultText(t, codeFault)}
          onChange={change(setCode)}
        />
        <TextField
          label={t('account.factorName')}
          value={name}
          maxLength={64}
          hint={t('account.factorNameHint')}
          error={nameFault === undefined ? null : faultText(t, nameFault)}
          onChange={change(setName)}
        />
        {error !== null && Object.keys(faults).length === 0 && (
          <ProblemPanel {...thrownProblem(t, error)} />
        )}
      </form>
    </Dialog>
  );
}
