/** Sends an encoded file from the page of its job. */
import type { Job, JobFile } from '@recodery/contract/features/jobs';
import { createElement, type ReactNode, useState } from 'react';
import { usePreferences } from '../features/preferences/preferences.ts';
import { SendFile } from '../features/sending/open-send-file.ts';

interface SendFromJob {
  /** Opens the dialog; undefined: the user may not send. */
  readonly onSend: ((file: JobFile) => void) | undefined;
  readonly dialog: ReactNode;
}

/** `mayEncode`: whether the user may open the page of the job's family. */
export function useSendFromJob(job: Job, mayEncode: boolean): SendFromJob {
  const [sent, setSent] = useState<JobFile | null>(null);
  const { data: preferences } = usePreferences();
  const isPrivate = preferences?.organisationPreferences.autoSendNotificationIsPrivateByDefault;
  const { slotGUID, family, slaveSerialNumber: slave } = job;
  return {
    onSend: preferences?.canUserAutoSend === true && mayEncode ? setSent : undefined,
    dialog:
      sent !== null &&
      createElement(SendFile, {
        file: { slotGUID, fileGUID: sent.fileGUID, family, name: sent.name, slave },
        isPrivateByDefault: isPrivate ?? true,
        onClose: () => setSent(null),
      }),
  };
}
