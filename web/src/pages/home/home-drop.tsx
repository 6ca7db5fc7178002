/**
 * Accepts any file from a slave and opens the page that decodes it, with the file already selected, or the job that
 * contains it; several files open a tray.
 */
import type { Entries } from '@recodery/contract/features/session';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { useWork } from '../../api/work.ts';
import type { Fault } from '../../features/recoding/fault.ts';
import { useConfig } from '../../features/service-status/service-status.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { DropArea } from '../../ui/fields/drop-area.tsx';
import { onDemand } from '../../ui/loading/on-demand.tsx';
import { showFailure } from '../../ui/toasts/toast.tsx';
import type { ForeignPage, Opening } from '../jobs/find-page.ts';

const FaultPanel = onDemand(
  async () => (await import('../../features/recoding/notices/fault-panel.tsx')).FaultPanel,
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

/** Whether the user is still on this page, and not opening another one; read it after waiting. */
function useIsHere() {
  const isHere = useRef(false);
  const { state } = useNavigation();
  useEffect(() => {
    isHere.current = state === 'idle';
    return () => void (isHere.current = false);
  }, [state]);
  return isHere;
}

type IsHere = ReturnType<typeof useIsHere>;

/** Why a file was refused; a toast shows it if the user is no longer here. */
function useRefusal(isHere: IsHere) {
  const { t } = useTexts();
  const [fault, setFault] = useState<Fault | null>(null);
  const refuse = (refused: Fault): void => {
    if (isHere.current) setFault(refused);
    else if (refused.kind === 'refused') showFailure(t, refused.thrown);
    // this module is already loaded: it has found the fault
    else void import('../jobs/find-page.ts').then(({ showFault }) => showFault(t, refused));
  };
  return { fault, refuse, close: () => setFault(null) };
}

/** Opens a tray for several files; the browser inspects all of them first. */
function useOpenTray(entries: Entries, isHere: IsHere, onFault: (fault: Fault) => void) {
  const { t } = useTexts();
  const go = useNavigate();
  const work = useWork();
  const { maxFileBytes } = useConfig();
  const [isOpening, setIsOpening] = useState(false);
  const openTray = async (files: readonly File[]): Promise<void> => {
    setIsOpening(true);
    try {
      const { openDropped } = await import('../../features/trays/dropped/open-dropped.ts');
      const guid = await openDropped(t, work, files, { entries, maxFileBytes });
      if (guid !== null && isHere.current) await go(`/trays/${guid}`);
    } catch (thrown) {
      onFault({ kind: 'refused', thrown });
    } finally {
      setIsOpening(false);
    }
  };
  return { isOpening, openTray };
}

function Refused({ fault, onClose }: { readonly fault: Fault; readonly onClose: () => void }) {
  const { t } = useTexts();
  return (
    <FaultPanel
      fault={fault}
      actions={
        <Button look="primary" onPress={onClose}>
          {t('home.drop.another')}
        </Button>
      }
    />
  );
}

export function HomeDrop({ isDisabled, entries }: HomeDropProps) {
  const { t } = useTexts();
  const go = useNavigate();
  const isHere = useIsHere();
  const { fault, refuse, close } = useRefusal(isHere);
  const { isOpening, openTray } = useOpenTray(entries, isHere, refuse);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isFinding, setIsFinding] = useState(false);
  const isChecking = isOpening || isFinding;
  const open = async (opening: Opening, file: File): Promise<void> => {
    const { leaveFile } = await import('../jobs/find-page.ts');
    leaveFile(opening, file);
    await go(`/${opening.page}`);
  };
  const take = async (file: File): Promise<void> => {
    const { findPage } = await import('../jobs/find-page.ts');
    setIsFinding(true);
    const found = await findPage(file, entries).finally(() => setIsFinding(false));
    if ('fault' in found) refuse(found.fault);
    else if (!isHere.current) return;
    else if ('address' in found) await go(found.address);
    else if ('pages' in found) setAsked({ file, pages: found.pages });
    else await open(found, file);
  };
  if (asked !== null) {
    return (
      <HomeFamily
        fileName={asked.file.name}
        pages={asked.pages}
        onChoose={(chosen) => void open(chosen, asked.file)}
        onCancel={() => setAsked(null)}
      />
    );
  }
  if (fault !== null) return <Refused fault={fault} onClose={close} />;
  return (
    <>
      <DropArea
        shape="wide"
        label={t('home.drop')}
        choose={t('home.drop.choose')}
        hint={t('home.drop.hint')}
        isDisabled={isDisabled || isChecking}
        onFiles={(files) => void openTray(files)}
        onFile={(file) => {
          take(file).catch((thrown: unknown) => refuse({ kind: 'refused', thrown }));
        }}
      />
      <p role="status" className={isChecking ? 'text-md text-ink-2' : 'sr-only'}>
        {isChecking && t('home.drop.checking')}
      </p>
    </>
  );
}
