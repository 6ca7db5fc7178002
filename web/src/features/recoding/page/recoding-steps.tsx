/** The two steps of a recoding page that was entered, under the strip that shows how far the file has come. */
import { lazy, Suspense } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { ProgressStrip } from '../../../ui/progress-strip.tsx';
import { whenOnline } from '../../../ui/when-online.ts';
import type { Device } from '../../devices/device-choice.ts';
import { DecodeStep } from '../decode/decode-step.tsx';
import { EncodeWaiting } from '../encode/encode-waiting.tsx';
import { progressSteps } from '../flow/progress-steps.ts';
import { NotFound } from '../notices/page-questions.tsx';
import { useWork, type WorkGiven } from './use-work.ts';

/** Loaded while the first file is on its way: an empty page has no use for it. */
const loadEncodeStep = () => import('../encode/encode-step.tsx');
const EncodeStep = lazy(async () => ({
  default: (await whenOnline(loadEncodeStep)).EncodeStep,
}));

/** Only print shows it; the page goes on where it cannot be had. */
const JobSheet = lazy(() =>
  import('../encode/job-sheet.tsx').then(
    ({ JobSheet: sheet }) => ({ default: sheet }),
    () => ({ default: () => null }),
  ),
);

export interface RecodingStepsProps extends WorkGiven {
  readonly devices: readonly Device[];
  readonly device: Device | null;
  readonly onChoose: (device: Device) => void;
}

export function RecodingSteps({ devices, device, onChoose, ...given }: RecodingStepsProps) {
  const { t, language } = useTexts();
  const { recoding, question, entry, isEngineUp, maxFileBytes, notFound } = useWork(given);
  const { page } = given;
  const { flow } = recoding;
  return (
    <>
      {notFound && <NotFound {...notFound} />}
      {question}
      <ProgressStrip steps={progressSteps(t, flow, language)} />
      {/* each step in a frame that stays: where a control of it vanishes the reading goes on at its heading */}
      <div>
        <DecodeStep
          page={page}
          entry={entry}
          recoding={recoding}
          isEngineUp={isEngineUp}
          maxFileBytes={maxFileBytes}
          otherDevices={devices.filter((other) => other !== device)}
          onChooseDevice={onChoose}
        />
      </div>
      <div>
        {flow.at === 'choosing' ? (
          <EncodeWaiting />
        ) : (
          <Suspense fallback={<EncodeWaiting />}>
            <EncodeStep page={page} entry={entry} recoding={recoding} isEngineUp={isEngineUp} />
          </Suspense>
        )}
      </div>
      {flow.at === 'decoded' && (
        <Suspense fallback={null}>
          <JobSheet page={page} read={flow.read} encode={flow.encode} />
        </Suspense>
      )}
    </>
  );
}
