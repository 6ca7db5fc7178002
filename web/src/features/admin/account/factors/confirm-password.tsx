/** Asks for the password, or for a new sign-in if there is none, before what could take over an account. */
import { type FormEvent, useId, useState } from 'react';
import { signInAddress } from '../../../../api/read-refusal.ts';
import { thrownProblem } from '../../../../i18n/problems.ts';
import { useTexts } from '../../../../i18n/texts.ts';
import { Button } from '../../../../ui/actions/button.tsx';
import { LinkButton } from '../../../../ui/actions/link-button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { ProblemPanel } from '../../../../ui/display/problem-panel.tsx';
import { TextField } from '../../../../ui/fields/text-field.tsx';
import { faultsOf } from '../../records/record-faults.ts';
import { faultText } from '../../records/resource-words.ts';
import { useAccount } from '../own-account.ts';
import { useConfirm } from './own-factors.ts';

export interface ConfirmPasswordProps {
  readonly onClose: () => void;
  readonly onConfirmed: () => void;
}

/** Asks for what the account has; the page is loaded again after a new sign-in. */
export function ConfirmPassword(props: ConfirmPasswordProps) {
  const { data, isPending } = useAccount();
  if (isPending) return null;
  return data?.hasPassword === false ? (
    <SignInAgain onClose={props.onClose} />
  ) : (
    <PasswordQuestion {...props} />
  );
}

function SignInAgain({ onClose }: Pick<ConfirmPasswordProps, 'onClose'>) {
  const { t } = useTexts();
  return (
    <Dialog
      title={t('account.again')}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('ui.cancel')}</Button>
          <LinkButton href={`${signInAddress()}&again=1`} look="primary">
            {t('account.again')}
          </LinkButton>
        </>
      }
    >
      <p className="text-pretty text-ink-2">{t('account.againAbout')}</p>
    </Dialog>
  );
}

function PasswordQuestion({ onClose, onConfirmed }: ConfirmPasswordProps) {
  const { t } = useTexts();
  const form = useId();
  const { mutate, isPending, error, reset } = useConfirm();
  const [password, setPassword] = useState('');
  const { password: fault } = faultsOf(error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isPending && password !== '') mutate(password, { onSuccess: onConfirmed });
  };
  return (
    <Dialog
      title={t('account.confirmTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('ui.cancel')}</Button>
          <Button
            type="submit"
            form={form}
            look="primary"
            isPending={isPending}
            isDisabled={password === ''}
          >
            {t('account.confirm')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-pretty text-ink-2">{t('account.confirmAbout')}</p>
        <TextField
          label={t('account.oldPassword')}
          value={password}
          type="password"
          autoComplete="current-password"
          maxLength={200}
          error={fault === undefined ? null : faultText(t, fault)}
          onChange={(value) => {
            if (error !== null) reset();
            setPassword(value);
          }}
        />
        {error !== null && fault === undefined && <ProblemPanel {...thrownProblem(t, error)} />}
      </form>
    </Dialog>
  );
}
