/** Downloads the file of a record. */
import { useMutation } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { LossDialog } from '../../../ui/dialogs/loss.tsx';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import { ConfirmOnDemand } from './confirm-on-demand.ts';
import { mustConfirm } from '../records/record-faults.ts';
import { type AnyResource, saveRecordFile } from '../records/records.ts';
import { actionQuestion, actionText } from '../records/resource-words.ts';

export interface DownloadRecordProps {
  readonly resource: AnyResource;
  readonly guid: string;
}

export function DownloadRecord({ resource, guid }: DownloadRecordProps) {
  const { t } = useTexts();
  const [isAsked, setIsAsked] = useState(false);
  const question = actionQuestion(t, resource, 'download');
  const text = actionText(t, resource, 'download');
  const close = (): void => setIsAsked(false);
  const download = useMutation({
    mutationFn: () => saveRecordFile(resource, guid),
    onSuccess: close,
    onError: (thrown) => {
      if (!mustConfirm(thrown) && question === null) showFailure(t, thrown);
    },
  });
  const mustConfirmFirst = mustConfirm(download.error);
  const run = (): void => download.mutate();
  return (
    <>
      <Button
        icon={Download}
        isPending={download.isPending && !isAsked}
        onPress={() => (question === null ? run() : setIsAsked(true))}
      >
        {text}
      </Button>
      {isAsked && !mustConfirmFirst && (
        <LossDialog
          title={text}
          confirm={text}
          isPending={download.isPending}
          error={download.error}
          onConfirm={run}
          onClose={close}
        >
          {question}
        </LossDialog>
      )}
      {mustConfirmFirst && <ConfirmOnDemand onConfirmed={run} onClose={download.reset} />}
    </>
  );
}
