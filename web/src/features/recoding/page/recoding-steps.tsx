/** The two steps of an opened recoding page, below the strip that shows the file's progress. */
import { useTexts } from '../../../i18n/texts.ts';
import { onDemand } from '../../../ui/on-demand.tsx';
import { ProgressStrip } from '../../../ui/progress-strip.tsx';
import type { Device } from '../../devices/device-choice.ts';
import { DecodeStep } from '../decode/decode-step.tsx';
import { EncodeWaiting } from '../encode/encode-waiting.tsx';
import { progressSteps } from '../flow/progress-steps.ts';
import { NotFound } from '../notices/page-questions.tsx';
import { useWork, type WorkGiven } from './use-work.ts';

/** Loaded while the first file uploads: an empty page does not need it. */
const EncodeStep = onDemand(
  async () => (await import('../encode/encode-step.tsx')).EncodeStep,
  <EncodeWaiting />,
);

/** Visible only in print; the page works without it if it cannot be loaded. */
const JobSheet = onDemand(() =>
  import('../encode/job-sheet.tsx').then(
    ({ JobSheet: sheet }) => sheet,
    () => () => null,
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
      {/* each step's frame stays mounted: when a focused control disappears, the focus moves to the frame's heading */}
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
          <EncodeStep page={page} entry={entry} recoding={recoding} isEngineUp={isEngineUp} />
        )}
      </div>
      {flow.at === 'decoded' && <JobSheet page={page} read={flow.read} encode={flow.encode} />}
    </>
  );
}
