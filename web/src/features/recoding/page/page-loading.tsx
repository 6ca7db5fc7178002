/** Shown while the page calls the entry point: the layout of the empty page, and gray bars if it takes long. */
import { useTexts } from '../../../i18n/texts.ts';
import { Panel } from '../../../ui/display/panel.tsx';
import { Skeleton } from '../../../ui/display/skeleton.tsx';
import { ProgressStrip } from '../../../ui/display/progress-strip.tsx';
import { EncodeWaiting } from '../encode/encode-waiting.tsx';
import { idle } from '../flow/state/recoding-flow.ts';
import { progressSteps } from '../flow/progress-steps.ts';

export function PageLoading() {
  const { t, language } = useTexts();
  return (
    <>
      <ProgressStrip steps={progressSteps(t, idle, language)} />
      <Panel title={t('recoding.decodeStep')}>
        <Skeleton lines={6} className="min-h-48" />
      </Panel>
      <EncodeWaiting />
    </>
  );
}
