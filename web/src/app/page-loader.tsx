/** Covers the whole page until the session is loaded; invisible for the first 300 ms. */
import { useTexts } from '../i18n/texts.ts';
import { Mark } from '../ui/display/mark.tsx';
import { useIsLong } from '../ui/display/skeleton.tsx';

export function PageLoader() {
  const { t } = useTexts();
  const isLong = useIsLong();
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-4" aria-busy="true">
      {isLong && (
        <>
          <Mark size={40} />
          <p role="status" className="text-ink-2">
            {t('ui.loading')}
          </p>
          <div className="h-1 w-40 overflow-hidden rounded-full bg-sunken">
            <div className="h-full w-2/5 animate-sweep rounded-full bg-accent" />
          </div>
        </>
      )}
    </main>
  );
}
