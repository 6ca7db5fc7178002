/** Adds a passkey: the browser creates it after the user has shown that it is them. */
import { Refusal } from '@recodery/contract/refusal';
import { type FormEvent, useId, useState } from 'react';
import { thrownProblem } from '../../../../i18n/problems.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { ProblemPanel } from '../../../../ui/display/problem-panel.tsx';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import { deviceName } from '../device-name.ts';
import { faultsOf } from '../../records/record-faults.ts';
import { faultText } from '../../records/resource-words.ts';
import { useAddPasskey } from './own-factors.ts';

export interface AddPasskeyProps {
  /** What the browser needs, as JSON. */
  readonly options: string;
  readonly onClose: () => void;
  /** `codes`: the recovery codes of a user who had no factor before. */
  readonly onAdded: (codes: readonly string[] | null) => void;
}

export function AddPasskey({ options, onClose, onAdded }: AddPasskeyProps) {
  const { t } = useTexts();
  const form = useId();
  const { mutate, isPending, error } = useAddPasskey();
  const [name, setName] = useState(() => deviceName(navigator.userAgent));
  const { name: nameFault, credential } = faultsOf(error);
  // whatever else is thrown comes from the browser: mostly, the user has canceled
  const isOurs = error instanceof Refusal;
  const problem = error !== null && !isOurs ? t('account.passkeyCanceled') : null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isPending) return;
    mutate({ options, name }, { onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes) });
  };
  return (
    <Dialog
      title={t('account.addPasskey')}
      onClose={onClose}
      isDismissable={!isPending}
      actions={
        <>
          <Button onPress={onClose} isDisabled={isPending}>
            {t('ui.cancel')}
          </Button>
          <Button
            type="submit"
            form={form}
            look="primary"
            isPending={isPending}
            isDisabled={name.trim() === ''}
          >
            {t('account.createPasskey')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-pretty text-ink-2">{t('account.passkeyAbout')}</p>
        <TextField
          label={t('account.factorName')}
          value={name}
          maxLength={64}
          hint={t('account.factorNameHint')}
          error={nameFault === undefined ? null : faultText(t, nameFault)}
          onChange={setName}
        />
        {(problem !== null || credential !== undefined) && (
          <p role="alert" className="text-md text-bad">
            {problem ?? faultText(t, credential ?? '')}
          </p>
        )}
        {isOurs && nameFault === undefined && credential === undefined && (
          <ProblemPanel {...thrownProblem(t, error)} />
        )}
      </form>
    </Dialog>
  );
}
