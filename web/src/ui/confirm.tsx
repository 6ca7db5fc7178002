/** Asks for confirmation before something is lost; the dialog is loaded when it is first needed. */
import { lazy, Suspense } from 'react';
import type { ConfirmProps } from './confirm-dialog.tsx';
import { whenOnline } from './when-online.ts';

const load = () => import('./confirm-dialog.tsx');
const ConfirmDialog = lazy(async () => ({ default: (await whenOnline(load)).ConfirmDialog }));

/** Preloads the dialog where the user may need it while offline. */
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
