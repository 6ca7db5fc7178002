/** Invites users by email: one address or a pasted list, and what became of each. */
import { type Invited, mostInvitedAtOnce } from '@recodery/contract/admin/invitations';
import { type FormEvent, useId, useState } from 'react';
import { thrownProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Badge } from '../../../ui/display/badge.tsx';
import { Button } from '../../../ui/actions/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import { SecretField } from '../../../ui/fields/secret-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { addressesIn } from './addresses.ts';
import { useInvite } from './use-invite.ts';

/** What became of each address, with the link that the manager has to send if the portal does not. */
function Outcomes({ items }: { readonly items: readonly Invited[] }) {
  const { t } = useTexts();
  const hasLinks = items.some(({ link }) => link !== null);
  const isMailed = items.some((item) => item.isMailed);
  return (
    <div className="flex flex-col gap-4">
      {isMailed && <p>{t('people.mailed')}</p>}
      {hasLinks && <p>{t('people.link')}</p>}
      <ul className="flex flex-col gap-4">
        {items.map(({ email, outcome, link }) => (
          <li key={email} className="flex flex-col gap-2">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium wrap-anywhere">{email}</span>
              <Badge state={outcome === 'invited' ? 'good' : 'bad'}>
                {t(`people.outcome.${outcome}`)}
              </Badge>
            </p>
            {link !== null && <SecretField label={email} value={link} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The form's state; what is missing is shown after the first attempt to send it. */
function useInviteForm() {
  const { t } = useTexts();
  const { mutate, isPending, error, data, reset } = useInvite();
  const [text, setText] = useState('');
  const [isManager, setIsManager] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const emails = addressesIn(text);
  const isTooMany = emails.length > mostInvitedAtOnce;
  const missing = isTried && emails.length === 0 ? t('admin.fault.REQUIRED') : null;
  return {
    text,
    isManager,
    setIsManager,
    isPending,
    error,
    items: data?.items ?? null,
    fault: isTooMany ? t('people.tooMany', { most: String(mostInvitedAtOnce) }) : missing,
    change: (next: string): void => {
      if (error !== null) reset();
      setText(next);
    },
    submit: (event: FormEvent): void => {
      event.preventDefault();
      setIsTried(true);
      if (emails.length > 0 && !isTooMany && !isPending) mutate({ emails, isManager });
    },
  };
}

type InviteForm = ReturnType<typeof useInviteForm>;

function Fields({ id, form }: { readonly id: string; readonly form: InviteForm }) {
  const { t } = useTexts();
  const { text, isManager, setIsManager, error, fault, change, submit } = form;
  return (
    <form id={id} noValidate onSubmit={submit} className="flex flex-col gap-5">
      <TextField
        label={t('people.emails')}
        hint={t('people.emailsHint')}
        value={text}
        lines={5}
        autoComplete="off"
        error={fault}
        onChange={change}
      />
      <Checkbox isSelected={isManager} onChange={setIsManager}>
        {t('people.asManager')}
        <span className="block text-ink-2">{t('people.asManagerHint')}</span>
      </Checkbox>
      {error !== null && <ProblemPanel {...thrownProblem(t, error)} />}
    </form>
  );
}

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts();
  const id = useId();
  const form = useInviteForm();
  const { items, isPending } = form;
  return (
    <Dialog
      title={t('people.invite')}
      onClose={onClose}
      actions={
        items === null ? (
          <>
            <Button onPress={onClose}>{t('ui.cancel')}</Button>
            <Button look="primary" type="submit" form={id} isPending={isPending}>
              {t('people.invite')}
            </Button>
          </>
        ) : (
          <Button look="primary" onPress={onClose}>
            {t('ui.close')}
          </Button>
        )
      }
    >
      {items === null ? <Fields id={id} form={form} /> : <Outcomes items={items} />}
    </Dialog>
  );
}
