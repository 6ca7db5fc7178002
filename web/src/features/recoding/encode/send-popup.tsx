/** Asks for the recipient of the encoded file; canceling it encodes nothing. */
import {
  longestMailAddress,
  longestMessage,
  mailAddressForm,
} from '@recodery/contract/features/notifications';
import { notificationDetailsRoute } from '@recodery/contract/features/recoding';
import FileOutput from 'lucide-react/icons/file-output';
import Send from 'lucide-react/icons/send';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { LongText } from '../../../ui/long-text.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { DecodedRead } from '../decoded-read.ts';
import type { SendForm } from '../flow/flow-events.ts';
import { slaveOf } from '../flow/part-state-text.ts';
import { useOpenPage } from '../flow/open-page.ts';

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

/** The read and the slave that the sent file is for. */
function Subject({ read }: { readonly read: DecodedRead }) {
  const { t } = useTexts();
  const slave = slaveOf(useOpenPage().page, read);
  return (
    <div className="flex items-center gap-4 rounded-s bg-sunken px-4 py-3 forced-colors:border">
      <Icon of={FileOutput} size={20} className="text-ink-2" />
      <dl className="flex min-w-0 flex-1 flex-wrap gap-x-8 gap-y-2">
        <div className="min-w-0">
          <dt className="text-sm text-ink-3">{t('recoding.readFile')}</dt>
          <dd className="font-medium">
            <LongText>{read.readFile.name}</LongText>
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
function useProposed({ slotGUID }: DecodedRead) {
  const { family } = useOpenPage().page;
  return useQuery({
    queryKey: ['code', 'recipient', slotGUID],
    queryFn: ({ signal }) =>
      call(notificationDetailsRoute(family), { params: { slotGUID } }, { signal }),
  });
}

interface ConfirmButtonProps {
  /** Whether anyone receives the file. */
  readonly sends: boolean;
  readonly isPending: boolean;
  readonly onPress: () => void;
}

function ConfirmButton({ sends, ...rest }: ConfirmButtonProps) {
  const { t } = useTexts();
  const { words } = useOpenPage().page;
  return (
    <Button look="primary" icon={sends ? Send : ShieldCheck} {...rest}>
      {t(sends ? words.encodeAndSend : words.encode)}
    </Button>
  );
}

export interface SendPopupProps {
  readonly read: DecodedRead;
  readonly form: SendForm;
}

export function SendPopup({ read, form }: SendPopupProps) {
  const { t } = useTexts();
  const { entry, recoding } = useOpenPage();
  const { data: proposed, isLoading } = useProposed(read);
  const { email: typed, message } = form;
  const isPrivate = form.isPrivate ?? entry.isPrivateByDefault;
  const change = (to: Partial<SendForm>) => recoding.dispatch({ type: 'send-changed', to });
  const [isChecked, setIsChecked] = useState(false);
  const shownEmail = typed ?? proposed?.slaveOrganizationEmailAddress ?? '';
  const email = shownEmail.trim();
  // an address may still arrive; without a network none does, and the button does not wait
  const isAwaited = isLoading && typed === null;
  // private and without an address, it is not sent to anyone
  const sends = !isPrivate || email !== '' || isAwaited;
  const isWrong = email !== '' && !isComplete(email);
  // an emptied field sends no email: the owner's name below it would suggest the opposite
  const owner = email === '' ? null : (proposed?.slaveOrganizationName ?? null);
  const cancel = (): void => recoding.dispatch({ type: 'send-canceled' });
  const confirm = (): void => {
    setIsChecked(true);
    if (isWrong) return;
    recoding.confirmSend({ email: email || null, message: message.trim() || null, isPrivate });
  };
  return (
    <Dialog
      title={t('recoding.send.title')}
      onClose={cancel}
      actions={
        <>
          <Button onPress={cancel}>{t('ui.cancel')}</Button>
          <ConfirmButton sends={sends} isPending={isAwaited} onPress={confirm} />
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <Subject read={read} />
        <TextField
          label={t('recoding.send.email')}
          type="email"
          autoComplete="email"
          maxLength={longestMailAddress}
          value={shownEmail}
          onChange={(next) => change({ email: next })}
          hint={owner ?? t('recoding.send.emailHint')}
          error={isChecked && isWrong ? t('recoding.send.emailWrong') : null}
        />
        <TextField
          label={t('recoding.send.message')}
          lines={4}
          maxLength={longestMessage}
          value={message}
          onChange={(next) => change({ message: next })}
        />
        <PrivateSwitch isPrivate={isPrivate} sends={sends} onChange={change} />
      </div>
    </Dialog>
  );
}
