/** What was found in the images of a job, loaded when something was. */
import type { Job } from '@recodery/contract/features/jobs/jobs';
import { FoundInImagePanel } from '../../features/recognized/found-in-image.tsx';
import { lookOf } from '../../features/recoding/families/part-look.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Panel } from '../../ui/display/panel.tsx';

export function FoundInJob({ job: { recognized = [] } }: { readonly job: Job }) {
  const { t } = useTexts();
  const images = recognized.map(({ component, recognition }) => ({
    part: component && t(lookOf(component).label),
    recognition,
  }));
  return (
    <Panel>
      <FoundInImagePanel images={images} />
    </Panel>
  );
}
