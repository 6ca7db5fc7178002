/** The import of this tab: it continues while the user visits other pages, and the browser asks before it closes the tab. */
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { believedCustomerCode } from '../../api/customer-code.ts';
import { loadPart } from '../../ui/load-part.ts';
import { registerUnsaved } from '../../ui/unsaved-work.ts';
import type { ImportCounts } from './import-export.ts';

/** `counts` null: the export is still being read. `fault` null: all jobs were handled, or the user has canceled it. */
export type ImportState =
  | { readonly at: 'idle' }
  | { readonly at: 'running'; readonly counts: ImportCounts | null; readonly cancel: () => void }
  | {
      readonly at: 'ended';
      readonly counts: ImportCounts | null;
      readonly isComplete: boolean;
      readonly fault: unknown;
    };

const idle: ImportState = { at: 'idle' };
let state: ImportState = idle;
/** The customer code of the import: its result names files of that organisation. */
let customerCode: string | null = null;
const listeners = new Set<() => void>();

function show(next: ImportState): void {
  state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The import of this tab under the current customer code, for a component. */
export function useImportState(): ImportState {
  return useSyncExternalStore(subscribe, () =>
    customerCode === believedCustomerCode() ? state : idle,
  );
}

/** Imports the jobs of an export, unless an import is running. */
export async function startImport(queries: QueryClient, file: File): Promise<void> {
  if (state.at === 'running') return;
  customerCode = believedCustomerCode();
  const stop = new AbortController();
  const cancel = (): void => stop.abort();
  let counts: ImportCounts | null = null;
  const end = (fault: unknown): void =>
    show({ at: 'ended', counts, isComplete: fault === null && !stop.signal.aborted, fault });
  show({ at: 'running', counts, cancel });
  const release = registerUnsaved('import', customerCode);
  try {
    const load = () => import('./import-export.ts');
    const part = await loadPart(load, stop.signal, () => undefined);
    await part?.importExport(file, {
      signal: stop.signal,
      customerCode,
      onProgress(now) {
        counts = now;
        show({ at: 'running', counts, cancel });
      },
    });
    end(null);
  } catch (thrown) {
    end(stop.signal.aborted ? null : thrown);
  } finally {
    release();
    // jobs, the storage that they use, and what the bell says about them
    void queries.invalidateQueries({ queryKey: ['code'] });
  }
}
