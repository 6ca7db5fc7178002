/** The user's own name and language. */
import type { OwnAccount } from '@recodery/contract/admin/account';
import { checkFields } from '@recodery/contract/admin/check-fields';
import { users } from '@recodery/contract/admin/resources';
import Check from 'lucide-react/icons/check';
import { type FormEvent, useState } from 'react';
import { thrownProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { Icon } from '../../../ui/display/icon.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import { LeaveGuard } from '../../../ui/dialogs/leave-guard.tsx';
import type { Values } from '../records/record-draft.ts';
import { faultsOf } from '../records/record-faults.ts';
import { RecordField } from '../form/record-field.tsx';
import { faultText } from '../records/resource-words.ts';
import { useUpdateAccount } from './own-account.ts';

export interface ProfileFormProps {
  readonly account: OwnAccount;
  readonly onSaved: (account: OwnAccount) => void;
}

const labels = { name: 'admin.users.name', culture: 'admin.field.culture' } as const;

interface FieldsProps {
  readonly values: Values;
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (next: Values) => void;
}

function Fields({ values, faults, onChange }: FieldsProps) {
  const { t } = useTexts();
  return (['name', 'culture'] as const).map((name) => {
    const code = faults[name];
    return (
      <RecordField
        key={name}
        name={name}
        field={users.fields[name]}
        label={t(labels[name])}
        hint={null}
        error={code === undefined ? null : faultText(t, code)}
        value={values[name] ?? null}
        onChange={(value) => onChange({ [name]: value })}
      />
    );
  });
}

/** The values as they are sent. */
function bodyOf({ name, culture }: Values): Pick<OwnAccount, 'name' | 'culture'> {
  return { name: String(name), culture: typeof culture === 'string' ? culture : null };
}

export function ProfileForm({ account, onSaved }: ProfileFormProps) {
  const { t } = useTexts();
  const { mutate, isPending, isSuccess, error, reset } = useUpdateAccount();
  const [changes, setChanges] = useState<Values>({});
  const values = { name: account.name, culture: account.culture, ...changes };
  const isChanged = values.name !== account.name || values.culture !== account.culture;
  const own = checkFields(users, values, 'update');
  const faults: Readonly<Record<string, string>> = { ...faultsOf(error), ...own };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isChanged || isPending || Object.keys(own).length > 0) return;
    mutate(bodyOf(values), {
      onSuccess: (saved) => {
        setChanges({});
        onSaved(saved);
      },
    });
  };
  const discard = (): void => {
    reset();
    setChanges({});
  };
  return (
    <Panel title={t('account.profile')}>
      <form noValidate onSubmit={submit} className="flex max-w-xl flex-col gap-5">
        <LeaveGuard kind="changes" isChanged={isChanged} onDiscard={discard} />
        <div>
          <p className="text-sm font-medium text-ink-2">{t('admin.field.email')}</p>
          <p className="text-base wrap-anywhere">{account.email}</p>
        </div>
        <Fields
          {...{ values, faults }}
          onChange={(next) => {
            if (error !== null || isSuccess) reset();
            setChanges({ ...changes, ...next });
          }}
        />
        {error !== null && Object.keys(faultsOf(error)).length === 0 && (
          <ProblemPanel {...thrownProblem(t, error)} />
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button type="submit" look="primary" isPending={isPending} isDisabled={!isChanged}>
            {t('admin.save')}
          </Button>
          <Button look="quiet" isDisabled={!isChanged || isPending} onPress={discard}>
            {t('ui.discard')}
          </Button>
          <p role="status" className="flex items-center gap-1.5 text-md text-ink-2">
            {isSuccess && !isChanged && (
              <>
                <Icon of={Check} size={16} className="text-good" />
                {t('admin.saved')}
              </>
            )}
          </p>
        </div>
      </form>
    </Panel>
  );
}
