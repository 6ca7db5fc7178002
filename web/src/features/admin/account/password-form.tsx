/** Changes the user's own password, which the portal stores. */
import Check from 'lucide-react/icons/check';
import { type FormEvent, useState } from 'react';
import { thrownProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { NewPassword } from '../new-password.tsx';
import { faultsOf } from '../records/record-faults.ts';
import { faultText } from '../records/resource-words.ts';
import { useChangePassword } from './own-account.ts';

const empty = { oldPassword: '', newPassword: '' };

export function PasswordForm() {
  const { t } = useTexts();
  const { mutate, isPending, isSuccess, error, reset } = useChangePassword();
  const [typed, setTyped] = useState(empty);
  const faults = faultsOf(error);
  const { oldPassword: oldFault } = faults;
  const change = (next: Partial<typeof empty>): void => {
    if (error !== null || isSuccess) reset();
    setTyped({ ...typed, ...next });
  };
  const isComplete = typed.oldPassword !== '' && typed.newPassword !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isComplete && !isPending) mutate(typed, { onSuccess: () => setTyped(empty) });
  };
  return (
    <Panel title={t('admin.password.label')}>
      <form noValidate onSubmit={submit} className="flex max-w-xl flex-col gap-5">
        <p className="text-md text-pretty text-ink-2">{t('account.passwordAbout')}</p>
        <TextField
          label={t('account.oldPassword')}
          value={typed.oldPassword}
          type="password"
          autoComplete="current-password"
          maxLength={200}
          error={oldFault === undefined ? null : faultText(t, oldFault)}
          onChange={(oldPassword) => change({ oldPassword })}
        />
        <NewPassword
          label={t('account.newPassword')}
          value={typed.newPassword}
          fault={faults['newPassword']}
          onChange={(newPassword) => change({ newPassword })}
        />
        {error !== null && Object.keys(faults).length === 0 && (
          <ProblemPanel {...thrownProblem(t, error)} />
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button type="submit" isPending={isPending} isDisabled={!isComplete}>
            {t('account.changePassword')}
          </Button>
          <p role="status" className="flex items-center gap-1.5 text-md text-ink-2">
            {isSuccess && (
              <>
                <Icon of={Check} size={16} className="text-good" />
                {t('account.passwordChanged')}
              </>
            )}
          </p>
        </div>
      </form>
    </Panel>
  );
}
