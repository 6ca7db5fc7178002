/** Asks before something is left behind; the dialog is loaded when it is first needed. */
import { lazy, Suspense } from 'react';
import type { ConfirmProps } from './confirm-dialog.tsx';
import { whenOnline } from './when-online.ts';

const load = () => import('./confirm-dialog.tsx');
const ConfirmDialog = lazy(async () => ({ default: (await whenOnline(load)).ConfirmDialog }));

/** Loads the dialog ahead, where the question may have to be asked without a connection. */
export function loadConfirm(): void {
  void load().catch(() => {});
}

export function Confirm(props: ConfirmProps) {
  return (
    <Suspense fallback={null}>
      <ConfirmDialog {...props} />
    </Suspense>
  );
}
