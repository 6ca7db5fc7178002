/** Asks for the recipient of an encoded file: before it is encoded, or of one that was encoded before. */
import {
  longestMailAddress,
  longestRecipientMessage,
  mailAddressForm,
} from '@recodery/contract/features/notifications';
import { notificationDetailsRoute } from '@recodery/contract/features/recoding/recoding';
import type { Family } from '@recodery/contract/families/registry';
import FileOutput from 'lucide-react/icons/file-output';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Icon, type IconPart } from '../../ui/display/icon.tsx';
import { LongText } from '../../ui/display/long-text.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

/** What the user has entered; null where the suggestion still applies. */
export interface SendForm {
  readonly email: string | null;
  readonly message: string;
  readonly isPrivate: boolean | null;
}

/** Who receives the file. */
export interface SendRecipient {
  readonly email: string | null;
  readonly message: string | null;
  readonly isPrivate: boolean;
}

/** The server also accepts a bare host name; typed here, it is an unfinished address. */
const isComplete = (email: string): boolean => mailAddressForm.test(email) && /@.+\./.test(email);

interface PrivateSwitchProps {
  readonly isPrivate: boolean;
  /** Whether anyone receives the file. */
  readonly sends: boolean;
  readonly onChange: (to: Pick<PrivateSwitchProps, 'isPrivate'>) => void;
}

function PrivateSwitch({ isPrivate, sends, onChange }: PrivateSwitchProps) {
  const { t } = useTexts();
  // without an address there is no email, and no link in it
  const privately = sends ? 'recoding.send.privateOn' : 'recoding.send.noRecipient';
  return (
    <div>
      <Switch isSelected={isPrivate} onChange={(isOn) => onChange({ isPrivate: isOn })}>
        {t('recoding.send.private')}
      </Switch>
      <p className="text-sm text-ink-3">{t(isPrivate ? privately : 'recoding.send.privateOff')}</p>
    </div>
  );
}

/** The file that is sent, or the read that it will be made from, and its slave. */
export interface SendSubject {
  readonly label: string;
  readonly name: string;
  readonly slave: string | null;
}

function Subject({ label, name, slave }: SendSubject) {
  const { t } = useTexts();
  return (
    <div className="flex items-center gap-4 rounded-s bg-sunken px-4 py-3 forced-colors:border">
      <Icon of={FileOutput} size={20} className="text-ink-2" />
      <dl className="flex min-w-0 flex-1 flex-wrap gap-x-8 gap-y-2">
        <div className="min-w-0">
          <dt className="text-sm text-ink-3">{label}</dt>
          <dd className="font-medium">
            <LongText>{name}</LongText>
          </dd>
        </div>
        {slave !== null && (
          <div>
            <dt className="text-sm text-ink-3">{t('recoding.slave')}</dt>
            <dd className="font-mono text-md leading-6">{slave}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}

/** The slave's organisation, proposed as the recipient. */
function useProposed(family: Family, slotGUID: string) {
  return useQuery({
    queryKey: ['code', 'recipient', slotGUID],
    queryFn: ({ signal }) =>
      call(notificationDetailsRoute(family), { params: { slotGUID } }, { signal }),
  });
}

/** The button that confirms: its words depend on whether anyone receives the file. */
export interface SendConfirm {
  readonly text: string;
  readonly icon: IconPart;
}

export interface SendDialogProps {
  readonly title: string;
  readonly subject: SendSubject;
  readonly family: Family;
  readonly slotGUID: string;
  readonly form: SendForm;
  readonly isPrivateByDefault: boolean;
  /** Whether the portal has a mail server; undefined: not known. */
  readonly sendsEmail: boolean | undefined;
  /** Shown below an empty address. */
  readonly emailHint: string;
  readonly confirm: (sends: boolean) => SendConfirm;
  /** Whether it can be confirmed although no one receives the file. */
  readonly needsNoRecipient: boolean;
  readonly isPending?: boolean;
  /** What failed, below the fields. */
  readonly problem?: ReactNode;
  readonly onChange: (to: Partial<SendForm>) => void;
  readonly onCancel: () => void;
  readonly onConfirm: (recipient: SendRecipient) => void;
}

/** What follows from the form and the suggestion. */
function useAddressee({ family, slotGUID, form, isPrivateByDefault }: SendDialogProps) {
  const { data: proposed, isLoading } = useProposed(family, slotGUID);
  const owner = proposed?.slaveOrganizationName ?? null;
  const isPrivate = form.isPrivate ?? isPrivateByDefault;
  const shownEmail = form.email ?? proposed?.slaveOrganizationEmailAddress ?? '';
  const email = shownEmail.trim();
  // an address may still arrive; without a network none does, and the button does not wait
  const isAwaited = isLoading && form.email === null;
  return {
    shownEmail,
    email,
    isPrivate,
    isAwaited,
    // private and without an address, it is not sent to anyone
    sends: !isPrivate || email !== '' || isAwaited,
    isWrong: email !== '' && !isComplete(email),
    // an emptied field sends no email: the owner's name below it would suggest the opposite
    owner: email === '' ? null : owner,
    hasNoOne: email === '' && !isAwaited && (isPrivate || owner === null),
  };
}

function Message(props: { readonly value: string; readonly onChange: (next: string) => void }) {
  const { t } = useTexts();
  return (
    <TextField
      label={t('recoding.send.message')}
      lines={4}
      maxLength={longestRecipientMessage}
      {...props}
    />
  );
}

function NoMailServer() {
  const { t } = useTexts();
  return (
    <p role="status" className="flex gap-2 text-sm text-ink">
      <Icon of={TriangleAlert} size={16} className="mt-0.5 text-modified" />
      {t('recoding.send.noMailServer')}
    </p>
  );
}

export function SendDialog(props: SendDialogProps) {
  const { t } = useTexts();
  const { form, onChange: change, onCancel: cancel, needsNoRecipient, isPending = false } = props;
  const { shownEmail, email, isPrivate, isAwaited, sends, isWrong, owner, hasNoOne } =
    useAddressee(props);
  const { message } = form;
  const [isChecked, setIsChecked] = useState(false);
  const confirm = (): void => {
    setIsChecked(true);
    if (isWrong) return;
    props.onConfirm({ email: email || null, message: message.trim() || null, isPrivate });
  };
  const { text, icon } = props.confirm(sends);
  return (
    <Dialog
      title={props.title}
      onClose={cancel}
      // while the request is in progress, it can no longer be canceled
      isDismissable={!isPending}
      actions={
        <>
          <Button isDisabled={isPending} onPress={cancel}>
            {t('ui.cancel')}
          </Button>
          <Button
            look="primary"
            icon={icon}
            isPending={isAwaited || isPending}
            isDisabled={!needsNoRecipient && hasNoOne}
            onPress={confirm}
          >
            {text}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <Subject {...props.subject} />
        <TextField
          label={t('recoding.send.email')}
          type="email"
          autoComplete="email"
          maxLength={longestMailAddress}
          value={shownEmail}
          onChange={(next) => change({ email: next })}
          hint={owner ?? props.emailHint}
          error={isChecked && isWrong ? t('recoding.send.emailWrong') : null}
        />
        {props.sendsEmail === false && email !== '' && <NoMailServer />}
        <Message value={message} onChange={(next) => change({ message: next })} />
        <PrivateSwitch isPrivate={isPrivate} sends={sends} onChange={change} />
        {props.problem}
      </div>
    </Dialog>
  );
}
