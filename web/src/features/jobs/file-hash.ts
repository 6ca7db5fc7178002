/** Finds the jobs of a file that the user drops, by its content. */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigation } from 'react-router';
import type { HashOptions } from '../../api/files/file-hash.ts';
import { type FoundContent, findContent } from '../../api/files/find-content.ts';
import { useTexts } from '../../i18n/texts.ts';
import { showFailure } from '../../ui/toasts/toast.tsx';

/** A file that takes long enough for its progress to be shown. */
interface Progress {
  readonly name: string;
  /** 0 to 1 */
  readonly fraction: number;
}

/** Another file cancels the previous one, and so does leaving the page, from the click on. */
export function useFileHash(onFound: (found: FoundContent, file: File) => void) {
  const { t } = useTexts();
  const [progress, setProgress] = useState<Progress | null>(null);
  const current = useRef<AbortController>(null);
  const { mutate } = useMutation({
    mutationFn: ({ file, ...options }: { file: File } & HashOptions) => findContent(file, options),
  });
  const stop = (): void => {
    current.current?.abort();
    setProgress(null);
  };
  const start = (file: File): void => {
    stop();
    current.current = new AbortController();
    const { signal } = current.current;
    const onProgress = (fraction: number): void => setProgress({ name: file.name, fraction });
    mutate(
      { file, signal, onProgress },
      {
        onSuccess: (found) => onFound(found, file),
        onError: (thrown) => {
          if (!signal.aborted) showFailure(t, thrown);
        },
        onSettled: () => setProgress(null),
      },
    );
  };
  const isLeaving = useNavigation().state !== 'idle';
  useEffect(() => () => current.current?.abort(), [isLeaving]);
  return { progress, start, stop };
}
