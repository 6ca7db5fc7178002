/** Asks for the recipient of the encoded file; canceling it encodes nothing, and keeps what was entered. */
import Send from 'lucide-react/icons/send';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { useTexts } from '../../../i18n/texts.ts';
import { useConfig } from '../../service-status/service-status.ts';
import { SendDialog, type SendForm } from '../../sending/send-dialog.tsx';
import type { DecodedRead } from '../decoded-read.ts';
import { useOpenPage } from '../flow/open-page.ts';
import { slaveOf } from '../flow/part-state-text.ts';

export interface SendPopupProps {
  readonly read: DecodedRead;
  readonly form: SendForm;
}

export function SendPopup({ read, form }: SendPopupProps) {
  const { t } = useTexts();
  const { entry, page, recoding } = useOpenPage();
  const { sendsEmail } = useConfig();
  const { family, words } = page;
  return (
    <SendDialog
      title={t('recoding.send.title')}
      subject={{
        label: t('recoding.readFile'),
        name: read.readFile.name,
        slave: slaveOf(page, read),
      }}
      family={family}
      slotGUID={read.slotGUID}
      form={form}
      isPrivateByDefault={entry.isPrivateByDefault}
      sendsEmail={sendsEmail}
      emailHint={t('recoding.send.emailHint')}
      needsNoRecipient
      confirm={(sends) =>
        sends
          ? { text: t(words.encodeAndSend), icon: Send }
          : { text: t(words.encode), icon: ShieldCheck }
      }
      onChange={(to) => recoding.dispatch({ type: 'send-changed', to })}
      onCancel={() => recoding.dispatch({ type: 'send-canceled' })}
      onConfirm={recoding.confirmSend}
    />
  );
}
