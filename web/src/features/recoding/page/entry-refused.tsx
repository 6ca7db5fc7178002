/** Why the user may not open a recoding page, and a button to check again; another master device may open it. */
import { statusOf } from '@recodery/contract/errors';
import { Refusal } from '@recodery/contract/refusal';
import { thrownProblem } from '../../../i18n/problems.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { workflowTitle } from '../families/workflow-names.ts';
import { ForbiddenScreen } from '../../../ui/loading/forbidden-screen.tsx';
import { Panel } from '../../../ui/display/panel.tsx';
import { FailurePanel } from '../../../ui/display/problem-panel.tsx';
import { DeviceChooser } from '../../devices/device-chooser.tsx';
import { PageHead, type PageHeadProps } from './page-head.tsx';

export interface EntryRefusedProps extends PageHeadProps {
  readonly thrown: unknown;
  readonly onRefresh: () => void;
}

export function EntryRefused({ thrown, onRefresh, ...head }: EntryRefusedProps) {
  const { t } = useTexts();
  const { page, devices, device, initial, onChoose } = head;
  // A refusal has its own screen; a network or server error only needs a retry.
  if (thrown instanceof Refusal && statusOf(thrown.code) < 500) {
    return (
      <>
        <div className="flex justify-end">
          <DeviceChooser {...{ devices, device, initial, onChoose }} />
        </div>
        <ForbiddenScreen
          {...thrownProblem(t, thrown)}
          pageTitle={workflowTitle(t, page.id)}
          onRefresh={onRefresh}
        />
      </>
    );
  }
  return (
    <>
      <PageHead {...head} />
      <Panel>
        <FailurePanel thrown={thrown} onAgain={onRefresh} />
      </Panel>
    </>
  );
}
