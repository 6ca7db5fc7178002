/** Shows a fault with the available actions, its code, and a link to support. */
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { ProblemPanel } from '../../../ui/problem-panel.tsx';
import { type Fault, problemOf } from '../fault.ts';

export interface FaultPanelProps {
  readonly fault: Fault;
  readonly actions: ReactNode;
}

export function FaultPanel({ fault, actions }: FaultPanelProps) {
  const { t } = useTexts();
  return <ProblemPanel {...problemOf(t, fault)} actions={actions} />;
}
