/**
 * The messages and questions above the steps of a recoding page: operation not found, and confirmation before files are
 * discarded.
 */
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useTexts, withTexts } from '../../../i18n/texts.ts';
import { Banner } from '../../../ui/display/banner.tsx';
import { loadConfirm } from '../../../ui/dialogs/confirm.tsx';
import { hasUnsavedChanges, useLeaveQuestion } from '../../../ui/dialogs/leave-guard.tsx';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import { TextLink } from '../../../ui/actions/text-link.tsx';
import { showToast } from '../../../ui/toasts/toast.tsx';
import type { Device } from '../../devices/device-choice.ts';
import type { FamilyPage } from '../families/family-page.ts';
import { workflowName } from '../families/workflow-names.ts';
import type { OperationNotFound } from '../flow/entrance.ts';
import { takePassedFile } from '../flow/reads/pass-file.ts';
import { type LivePageKey, useLivePages } from '../flow/live-pages.ts';
import { unencodedInputs } from '../flow/state/encode-flow.ts';
import { wouldLoseFiles, isUploading } from '../flow/state/recoding-flow.ts';
import type { Recoding } from '../flow/use-recoding.ts';
import { hasUploaded } from '../inputs.ts';

/** The address refers to an operation that this page does not show; if another page has it, a link to that page. */
export function NotFound({ opensAt, isDeleted }: OperationNotFound) {
  const { t } = useTexts();
  const [address] = useState(() => new URLSearchParams(location.search).get('operation'));
  if (opensAt === null) {
    const text = isDeleted ? 'recoding.jobDeleted' : 'recoding.notFound';
    return <Banner tone="info">{t(text)}</Banner>;
  }
  return (
    <Banner tone="info">
      {t('recoding.otherPage')}{' '}
      <TextLink href={`/${opensAt}?operation=${address}`}>
        {t('recoding.openOtherPage', { page: workflowName(t, opensAt) })}
      </TextLink>
    </Banner>
  );
}

const ResetQuestion = onDemand(
  async () => (await withTexts(import('./reset-question.tsx'), 'encode')).ResetQuestion,
);

interface Asked {
  readonly fileName: string | null;
  readonly hasUnsaved: boolean;
  readonly act: () => void;
}

/**
 * A page whose reset asks first while it contains files that have not been encoded yet, or a form with unsaved changes. A
 * file passed from another page, or from this page under another device, starts it over in the same way.
 */
export function useAskedReset(
  recoding: Recoding,
  page: FamilyPage,
): { readonly recoding: Recoding; readonly question: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null);
  const leaving = useLeaveQuestion();
  const { flow, reset } = recoding;
  const isDecoded = flow.at === 'decoded';
  useEffect(() => {
    if (!isDecoded) return;
    loadConfirm();
    ResetQuestion.preload();
  }, [isDecoded]);
  const startOver = (file: File | null): void => {
    const act = (): void => {
      reset();
      if (file !== null) recoding.chooseRead(file, { skipsChecksum: false, hasDebugFlag: false });
    };
    if (!wouldLoseFiles(flow)) leaving.ask(act);
    else setAsked({ fileName: file?.name ?? null, hasUnsaved: hasUnsavedChanges(), act });
  };
  const take = useEffectEvent(() => {
    const file = takePassedFile(page.id);
    if (file !== null) startOver(file);
  });
  useEffect(() => {
    // Deferred, so that a render that React discards immediately does not consume the file.
    const timer = setTimeout(() => take());
    return () => clearTimeout(timer);
  }, [page.id]);
  const unencoded = isDecoded ? unencodedInputs(flow.encode) : null;
  const question =
    asked === null ? (
      leaving.question
    ) : (
      <ResetQuestion
        fileName={asked.fileName}
        hasUnsaved={asked.hasUnsaved}
        isUploading={isUploading(flow)}
        hasUploaded={unencoded !== null && hasUploaded(unencoded)}
        onStay={() => setAsked(null)}
        onReset={() => {
          setAsked(null);
          asked.act();
        }}
      />
    );
  return { recoding: { ...recoding, reset: () => startOver(null) }, question };
}

/**
 * Shows, when the user chooses another device, that their inputs stay with the previous device, and links back to it.
 */
export function useKeptNotice() {
  const { t } = useTexts();
  const pages = useLivePages();
  return (
    key: LivePageKey,
    before: Device | null,
    choose: (device: Device | null) => void,
  ): void => {
    if (!pages.isPrepared(key)) return;
    const onAction = (): void => choose(before);
    if (before === null) {
      showToast({
        title: t('recoding.keptAutomatic'),
        detail: t('recoding.keptAutomaticAbout'),
        action: { label: t('recoding.backToAutomatic'), onAction },
      });
      return;
    }
    const device = before.serialNumber;
    showToast({
      title: t('recoding.keptWith', { device }),
      detail: t('recoding.keptWithAbout'),
      action: { label: t('recoding.backToDevice', { device }), onAction },
    });
  };
}
