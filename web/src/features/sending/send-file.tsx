/** Sends a file that was encoded before: the dialog, the call, and what became of it. */
import { sendJobFile } from '@recodery/contract/features/jobs/jobs';
import type { Family } from '@recodery/contract/families/registry';
import Send from 'lucide-react/icons/send';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { trueTime } from '../../api/server-clock.ts';
import { call } from '../../api/call.ts';
import { thrownProblem } from '../../i18n/problems.ts';
import { useTexts } from '../../i18n/texts.ts';
import { ProblemPanel } from '../../ui/display/problem-panel.tsx';
import { showToast } from '../../ui/toasts/toast.tsx';
import { SendDialog, type SendForm, type SendRecipient } from './send-dialog.tsx';
import { sendingTexts } from './sending-texts.ts';

/** The file to send, and what identifies it for the user. */
export interface FileToSend {
  readonly slotGUID: string;
  readonly fileGUID: string;
  readonly family: Family;
  readonly name: string;
  readonly slave: string | null;
}

export interface SendFileProps {
  readonly file: FileToSend;
  readonly isPrivateByDefault: boolean;
  readonly sendsEmail: boolean | undefined;
  readonly onClose: () => void;
}

/** What the user had entered for a file when they closed the dialog: it is still there when they open it again. */
const kept = new Map<string, SendForm>();
const emptyForm: SendForm = { email: null, message: '', isPrivate: null };

/** Also says that a file was sent if the page of the dialog was left in the meantime. */
function useSendFile({ slotGUID, fileGUID }: FileToSend) {
  const { t } = useTexts();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (notificationInfo: SendRecipient) =>
      call(sendJobFile, { params: { slotGUID, fileGUID }, body: { notificationInfo } }),
    onSuccess: (sending) => {
      kept.delete(fileGUID);
      // at most one text about the email, and one about the portal
      const [title = '', detail] = sendingTexts(t, sending, trueTime(Date.now()));
      const tone = sending.status === 'failed' ? 'bad' : 'neutral';
      showToast({ title, tone, ...(detail === undefined ? {} : { detail }) });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['code', 'jobs'] }),
  });
}

export function SendFile({ file, isPrivateByDefault, sendsEmail, onClose }: SendFileProps) {
  const { t } = useTexts();
  const { fileGUID, slotGUID, family, name, slave } = file;
  const [form, setForm] = useState(kept.get(fileGUID) ?? emptyForm);
  const { mutate: send, isPending, error } = useSendFile(file);
  return (
    <SendDialog
      title={t('job.sendTitle')}
      subject={{ label: t('job.encoded'), name, slave }}
      family={family}
      slotGUID={slotGUID}
      form={form}
      isPrivateByDefault={isPrivateByDefault}
      sendsEmail={sendsEmail}
      emailHint={t('job.sendHint')}
      needsNoRecipient={false}
      isPending={isPending}
      confirm={() => ({ text: t('job.send'), icon: Send })}
      problem={error && <ProblemPanel {...thrownProblem(t, error)} />}
      onChange={(to) =>
        setForm((before) => {
          const next = { ...before, ...to };
          kept.set(fileGUID, next);
          return next;
        })
      }
      onCancel={onClose}
      onConfirm={(recipient) => send(recipient, { onSuccess: onClose })}
    />
  );
}
