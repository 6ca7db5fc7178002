/** Shows a fault with the available actions, its job, its code, and a link to support. */
import type { ReactNode } from 'react';
import { jobPath } from '../../../api/job-path.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { ProblemPanel } from '../../../ui/display/problem-panel.tsx';
import { TextLink } from '../../../ui/actions/text-link.tsx';
import { type Fault, problemOf } from '../fault.ts';

export interface FaultPanelProps {
  readonly fault: Fault;
  readonly actions: ReactNode;
}

export function FaultPanel({ fault, actions }: FaultPanelProps) {
  const { t } = useTexts();
  const job = 'slotGUID' in fault ? (fault.slotGUID ?? null) : null;
  return (
    <ProblemPanel
      {...problemOf(t, fault)}
      actions={
        <>
          {actions}
          {job !== null && (
            <TextLink href={jobPath(job)} className="px-2 text-md">
              {t('job.show')}
            </TextLink>
          )}
        </>
      }
    />
  );
}
