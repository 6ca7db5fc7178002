/** Sends an encoded file from the page of its job, or from its tray. */
import { createElement, type ReactNode, useState } from 'react';
import { usePreferences } from '../features/preferences/preferences.ts';
import { SendFile } from '../features/sending/open-send-file.ts';
import type { FileToSend } from '../features/sending/send-file.tsx';
import { useConfig } from '../features/service-status/service-status.ts';

interface SendEncoded {
  /** Opens the dialog; undefined: the user may not send. */
  readonly onSend: ((file: FileToSend) => void) | undefined;
  readonly dialog: ReactNode;
}

/** `mayEncode`: whether the user may open the page of the file's family. */
export function useSendEncoded(mayEncode: boolean): SendEncoded {
  const [sent, setSent] = useState<FileToSend | null>(null);
  const { data: preferences } = usePreferences();
  const { sendsEmail } = useConfig();
  const isPrivate = preferences?.organisationPreferences.autoSendNotificationIsPrivateByDefault;
  return {
    onSend: preferences?.canUserAutoSend === true && mayEncode ? setSent : undefined,
    dialog:
      sent !== null &&
      createElement(SendFile, {
        file: sent,
        isPrivateByDefault: isPrivate ?? true,
        sendsEmail,
        onClose: () => setSent(null),
      }),
  };
}
