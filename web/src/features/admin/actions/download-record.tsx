/** Downloads the file of a record. */
import { useMutation } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { useTexts } from '../../../i18n/texts.ts';
import { Button } from '../../../ui/actions/button.tsx';
import { showFailure } from '../../../ui/toasts/toast.tsx';
import { ConfirmOnDemand } from './confirm-on-demand.ts';
import { mustConfirm } from '../records/record-faults.ts';
import { type AnyResource, saveRecordFile } from '../records/records.ts';

export interface DownloadRecordProps {
  readonly resource: AnyResource;
  readonly guid: string;
}

export function DownloadRecord({ resource, guid }: DownloadRecordProps) {
  const { t } = useTexts();
  const download = useMutation({
    mutationFn: () => saveRecordFile(resource, guid),
    onError: (thrown) => {
      if (!mustConfirm(thrown)) showFailure(t, thrown);
    },
  });
  return (
    <>
      <Button icon={Download} isPending={download.isPending} onPress={() => download.mutate()}>
        {t('admin.downloadFile')}
      </Button>
      {mustConfirm(download.error) && (
        <ConfirmOnDemand onConfirmed={() => download.mutate()} onClose={download.reset} />
      )}
    </>
  );
}
