/** Asks before something is left behind; the dialog is loaded when it is first needed. */
import { lazy, type ReactNode, Suspense } from 'react';
import { whenOnline } from './when-online.ts';

const load = () => import('./confirm-dialog.tsx');
const ConfirmDialog = lazy(async () => ({ default: (await whenOnline(load)).ConfirmDialog }));

/** Loads the dialog ahead, where the question may have to be asked without a connection. */
export function loadConfirm(): void {
  void load().catch(() => {});
}

export interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The button that goes on, and the one that does not; "Cancel" unless given. */
  readonly confirm: string;
  readonly stay?: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

export function Confirm(props: ConfirmProps) {
  return (
    <Suspense fallback={null}>
      <ConfirmDialog {...props} />
    </Suspense>
  );
}
