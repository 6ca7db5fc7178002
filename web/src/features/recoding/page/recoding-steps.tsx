/** The two steps of an opened recoding page, below the strip that shows the file's progress. */
import type { ReactNode } from 'react';
import { useTexts, withTexts } from '../../../i18n/texts.ts';
import { onDemand } from '../../../ui/loading/on-demand.tsx';
import { ProgressStrip } from '../../../ui/display/progress-strip.tsx';
import type { DeviceChoice } from '../../devices/device-chooser.tsx';
import { DecodeStep } from '../decode/decode-step.tsx';
import { EncodeWaiting } from '../encode/encode-waiting.tsx';
import { progressSteps } from '../flow/progress-steps.ts';
import type { Flow } from '../flow/state/recoding-flow.ts';
import { NotFound } from '../notices/page-questions.tsx';
import { NewsContext, useNews, useReports } from '../flow/news.ts';
import { OpenPageContext } from '../flow/open-page.ts';
import { type OpenedPageGiven, useOpenedPage } from './use-opened-page.ts';

/** Loaded while the first file uploads: an empty page does not need it. */
const EncodeStep = onDemand(
  async () => (await withTexts(import('../encode/encode-step.tsx'), 'encode')).EncodeStep,
  <EncodeWaiting />,
);

/** Visible only in print; the page works without it if it cannot be loaded. */
const JobSheet = onDemand(() =>
  withTexts(import('../encode/job-sheet.tsx'), 'encode').then(
    ({ JobSheet: sheet }) => sheet,
    () => () => null,
  ),
);

/** Whether an encode runs: what was known before it started was announced then. */
const isWorking = (flow: Flow): boolean =>
  'encode' in flow && (flow.encode.at === 'requesting' || flow.encode.at === 'encoding');

/** Only in the demo. */
const DoubleNote = onDemand(
  async () => (await withTexts(import('../notices/double-note.tsx'), 'encode')).DoubleNote,
);

/** Why nothing can be decoded now. */
function QuotaFull() {
  const { t } = useTexts();
  const text = t('recoding.quotaFull');
  useNews(text);
  return <p className="text-md text-modified">{text}</p>;
}

export interface RecodingStepsProps
  extends OpenedPageGiven,
    Pick<DeviceChoice, 'devices' | 'device' | 'onChoose'> {
  /** Shown below the steps of a decoded read. */
  readonly renderBelow?: (slotGUID: string) => ReactNode;
}

export function RecodingSteps(props: RecodingStepsProps) {
  const { devices, device, onChoose, renderBelow, ...given } = props;
  const { t, language } = useTexts();
  const { open, question, notFound } = useOpenedPage(given);
  const { flow } = open.recoding;
  const [news, say] = useReports();
  return (
    <OpenPageContext value={open}>
      {notFound && <NotFound {...notFound} />}
      {given.entrance.entry?.isDouble && <DoubleNote family={given.page.family} />}
      {question}
      <ProgressStrip steps={progressSteps(t, flow, language)} news={isWorking(flow) ? [] : news} />
      <NewsContext value={say}>
        {given.entrance.entry === null && flow.at === 'choosing' && <QuotaFull />}
        {/* each step's frame stays mounted: when a focused control disappears, the focus moves to the frame's heading */}
        <div>
          <DecodeStep
            otherDevices={devices.filter((other) => other !== device)}
            onLetFileDecide={() => onChoose(null)}
          />
        </div>
        <div>{flow.at === 'choosing' ? <EncodeWaiting /> : <EncodeStep />}</div>
      </NewsContext>
      {flow.at === 'decoded' && renderBelow?.(flow.read.slotGUID)}
      {flow.at === 'decoded' && <JobSheet read={flow.read} encode={flow.encode} />}
    </OpenPageContext>
  );
}
