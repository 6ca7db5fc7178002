/** The downloads of the operations log, one per family: an overlay during a download, and an error if it fails. */
import { definitionOf, type Family } from '@recodery/contract/families/registry';
import { logRoutes } from '@recodery/contract/features/operations-log';
import Download from 'lucide-react/icons/download';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { saveFile } from '../../api/files/download.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Icon } from '../../ui/display/icon.tsx';
import { FailurePanel } from '../../ui/display/problem-panel.tsx';
import { ProgressBar } from '../../ui/display/progress-bar.tsx';
import { useIsLong } from '../../ui/display/skeleton.tsx';
import { iconOf } from '../recoding/families/registry.ts';

interface LogDownload {
  readonly family: Family;
  readonly stop: AbortController;
}

/** One download at a time; starting the next one clears the error of a failed one. */
function useLogDownload() {
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: ({ family, stop }: LogDownload) => saveFile(logRoutes[family], {}, stop.signal),
  });
  return {
    underway: isPending ? variables : null,
    failed: error !== null && !variables.stop.signal.aborted ? variables.family : null,
    error,
    start: (family: Family): void => mutate({ family, stop: new AbortController() }),
  };
}

/** Covers the list. It takes the focus, and returns it to the pressed button afterward. */
function Overlay({ underway: { family, stop } }: { readonly underway: LogDownload }) {
  const { t } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    box.current?.querySelector('button')?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <div
      ref={box}
      className="absolute inset-0 flex items-center justify-center rounded-l bg-surface p-5"
    >
      <div className="w-full max-w-96">
        <ProgressBar
          label={t('log.downloading', { family: definitionOf(family).name })}
          fraction={null}
          action={
            <Button size="small" onPress={() => stop.abort()}>
              {t('ui.cancel')}
            </Button>
          }
        />
      </div>
    </div>
  );
}

export function LogDownloads({ families }: { readonly families: readonly Family[] }) {
  const { t } = useTexts();
  const { underway, failed, error, start } = useLogDownload();
  const isCovered = useIsLong(underway !== null);
  return (
    <>
      <div
        className="relative rounded-l border border-line bg-surface"
        aria-busy={underway !== null || undefined}
      >
        <ul>
          {families.map((family) => (
            <li
              key={family}
              className="flex flex-wrap items-center gap-x-3.5 gap-y-2.5 border-line px-4 py-3.5 not-first:border-t sm:px-[22px]"
            >
              <Icon of={iconOf(family)} size={22} className="text-accent" />
              <div className="min-w-16 flex-1 basis-16">
                <h2 className="text-base">{definitionOf(family).name}</h2>
                <p className="hidden text-sm text-ink-3 xs:block">{t('log.columns')}</p>
              </div>
              <Button
                icon={Download}
                // The pressed button keeps the focus; a disabled button would lose it.
                isPending={underway?.family === family}
                isDisabled={underway !== null && underway.family !== family}
                className="w-full xs:w-auto sm:min-w-68"
                onPress={() => start(family)}
              >
                {t('log.download', { family: definitionOf(family).name })}
              </Button>
            </li>
          ))}
        </ul>
        {/* rendered before it has text, so that screen readers announce the text */}
        <div role="status">{underway !== null && isCovered && <Overlay underway={underway} />}</div>
      </div>
      {failed !== null && (
        <FailurePanel
          thrown={error}
          headline={t('log.failed', { family: definitionOf(failed).name })}
          onAgain={() => start(failed)}
        />
      )}
    </>
  );
}
