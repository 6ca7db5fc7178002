/** Accepts any file from a slave and opens the page that decodes it, with the file already selected; several files open a tray. */
import type { Entries } from '@recodery/contract/features/session';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Fault } from '../features/recoding/fault.ts';
import { useConfig } from '../features/service-status/service-status.ts';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/button.tsx';
import { DropArea } from '../ui/drop-area.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import type { ForeignPage } from './find-page.ts';

const FaultPanel = onDemand(
  async () => (await import('../features/recoding/notices/fault-panel.tsx')).FaultPanel,
);

const HomeFamily = onDemand(async () => (await import('./home-family.tsx')).HomeFamily);

/** A file whose family the user must choose. */
interface Asked {
  readonly file: File;
  readonly pages: readonly ForeignPage[];
}

export interface HomeDropProps {
  readonly isDisabled: boolean;
  /** The pages that the user may open: for a file of any other page, the reason is shown here. */
  readonly entries: Entries;
}

/** Opens a tray for several files; the browser inspects all of them first. */
function useOpenTray(entries: Entries, onFault: (fault: Fault) => void) {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  const { t } = useTexts();
  const go = useNavigate();
  const queries = useQueryClient();
  const { maxFileBytes } = useConfig();
  const [isOpening, setIsOpening] = useState(false);
  const openTray = async (files: readonly File[]): Promise<void> => {
    setIsOpening(true);
    try {
      const { openDropped } = await import('../features/trays/open-dropped.ts');
      const guid = await openDropped(t, queries, files, { entries, maxFileBytes });
      // the user may have gone to another page
      if (guid !== null && isMounted.current) await go(`/trays/${guid}`);
    } catch (thrown) {
      onFault({ kind: 'refused', thrown });
    } finally {
      setIsOpening(false);
    }
  };
  return { isOpening, openTray };
}

export function HomeDrop({ isDisabled, entries }: HomeDropProps) {
  const { t } = useTexts();
  const go = useNavigate();
  const [fault, setFault] = useState<Fault | null>(null);
  const { isOpening, openTray } = useOpenTray(entries, setFault);
  const [asked, setAsked] = useState<Asked | null>(null);
  const take = async (file: File): Promise<void> => {
    const { findPage } = await import('./find-page.ts');
    const found = await findPage(file, entries);
    if ('page' in found) await go(`/${found.page}`);
    else if ('pages' in found) setAsked({ file, pages: found.pages });
    else setFault(found.fault);
  };
  const choose = async (chosen: ForeignPage, file: File): Promise<void> => {
    const { leaveForeign } = await import('./find-page.ts');
    leaveForeign(chosen, file);
    await go(`/${chosen.page}`);
  };
  if (asked !== null) {
    return (
      <HomeFamily
        fileName={asked.file.name}
        pages={asked.pages}
        onChoose={(chosen) => void choose(chosen, asked.file)}
        onCancel={() => setAsked(null)}
      />
    );
  }
  if (fault !== null) {
    return (
      <FaultPanel
        fault={fault}
        actions={
          <Button look="primary" onPress={() => setFault(null)}>
            {t('home.drop.another')}
          </Button>
        }
      />
    );
  }
  return (
    <>
      <DropArea
        shape="wide"
        label={t('home.drop')}
        choose={t('home.drop.choose')}
        hint={t('home.drop.hint')}
        isDisabled={isDisabled || isOpening}
        onFiles={(files) => void openTray(files)}
        onFile={(file) => {
          take(file).catch((thrown: unknown) => setFault({ kind: 'refused', thrown }));
        }}
      />
      <p role="status" className={isOpening ? 'text-md text-ink-2' : 'sr-only'}>
        {isOpening && t('home.drop.checking')}
      </p>
    </>
  );
}
