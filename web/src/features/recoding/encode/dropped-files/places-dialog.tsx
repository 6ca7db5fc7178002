/** Compares dropped files with the read, shows where each goes, and uploads them once the user agrees. */
import type { PartFingerprint } from '@recodery/contract/fingerprints';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTexts } from '../../../../i18n/texts.ts';
import { FailurePanel } from '../../../../ui/display/problem-panel.tsx';
import { ProgressBar } from '../../../../ui/display/progress-bar.tsx';
import { useConfig } from '../../../service-status/service-status.ts';
import type { DecodedRead } from '../../decoded-read.ts';
import { useOpenPage } from '../../flow/open-page.ts';
import type { Inputs } from '../../inputs.ts';
import { fingerprintsQuery } from './fingerprints-query.ts';
import { type FoundImages, inspectImages } from './inspect-files.ts';
import { PlacesReview } from './places-review.tsx';
import { putFile } from './put-file.ts';

export interface PlacesDialogProps {
  readonly read: DecodedRead;
  readonly inputs: Inputs;
  readonly files: readonly File[];
  readonly onClose: () => void;
}

/** What the files contain, once all are inspected. */
function useFound(files: readonly File[], parts: readonly PartFingerprint[] | undefined) {
  const { maxFileBytes } = useConfig();
  const [found, setFound] = useState<FoundImages | null>(null);
  useEffect(() => {
    if (parts === undefined) return;
    const work = new AbortController();
    inspectImages(files, parts, { maxFileBytes, signal: work.signal }).then(setFound, (thrown) => {
      if (!work.signal.aborted) throw thrown;
    });
    return () => work.abort();
  }, [files, parts, maxFileBytes]);
  return { found, maxFileBytes };
}

export function PlacesDialog({ read, inputs, files, onClose }: PlacesDialogProps) {
  const { t } = useTexts();
  const { recoding } = useOpenPage();
  const { data: parts, error, refetch, isFetching } = useQuery(fingerprintsQuery(read, inputs));
  const { found, maxFileBytes } = useFound(files, parts);
  return (
    <PlacesReview
      ground={{ read, parts: parts ?? [] }}
      inputs={inputs}
      found={found}
      maxFileBytes={maxFileBytes}
      waiting={
        error === null ? (
          <ProgressBar label={t('places.comparing')} fraction={null} />
        ) : (
          <FailurePanel thrown={error} onAgain={refetch} isAsking={isFetching} />
        )
      }
      onClose={onClose}
      onConfirm={(placed) => {
        onClose();
        for (const { part, file } of placed) putFile(recoding, part, file);
      }}
    />
  );
}
