/** The import of this tab: it continues while the user visits other pages, and the browser asks before it closes the tab. */
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { believedCustomerCode } from '../../../api/customer-code.ts';
import { loadPart } from '../../../ui/loading/load-part.ts';
import { registerUnsaved } from '../../../ui/dialogs/unsaved-work.ts';
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

/** An import, and under which customer code it was started. */
interface Run {
  readonly customerCode: string | null;
  state: ImportState;
  readonly cancel: () => void;
  readonly ended: Promise<void>;
}

const idle: ImportState = { at: 'idle' };
/** The last import of this tab; at first, one that never began. */
let current: Run = {
  customerCode: null,
  state: idle,
  cancel: () => undefined,
  ended: Promise.resolve(),
};
const listeners = new Set<() => void>();

function show(run: Run, next: ImportState): void {
  run.state = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The import of this tab under the current customer code, for a component. */
export function useImportState(): ImportState {
  return useSyncExternalStore(subscribe, () =>
    current.customerCode === believedCustomerCode() ? current.state : idle,
  );
}

/**
 * Imports the jobs of an export. An import under another customer code, which is about to end, is canceled first. Calls
 * `onStuck` once if the code of the import cannot be loaded.
 */
export async function startImport(
  queries: QueryClient,
  file: File,
  onStuck: () => void,
): Promise<void> {
  const before = current;
  const isOwn = before.customerCode === believedCustomerCode();
  // the page offers no second import meanwhile
  if (isOwn && before.state.at === 'running') return;
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const run: Run = {
    // its result names files of that organisation
    customerCode: believedCustomerCode(),
    state: idle,
    cancel: () => stop.abort(),
    ended: ended.promise,
  };
  current = run;
  show(run, { at: 'running', counts: null, cancel: run.cancel });
  const release = registerUnsaved('import', run.customerCode);
  before.cancel();
  await before.ended;
  show(run, await importUntilEnd(run, file, { signal: stop.signal, onStuck }));
  release();
  ended.resolve();
  // jobs, the storage that they use, and what the bell says about them
  void queries.invalidateQueries({ queryKey: ['code'] });
}

/** Imports an export; resolves to the result, whatever happens. */
async function importUntilEnd(
  run: Run,
  file: File,
  { signal, onStuck }: { readonly signal: AbortSignal; readonly onStuck: () => void },
): Promise<ImportState> {
  let counts: ImportCounts | null = null;
  const end = (fault: unknown): ImportState => ({
    at: 'ended',
    counts,
    isComplete: fault === null && !signal.aborted,
    fault,
  });
  try {
    const part = await loadPart(() => import('./import-export.ts'), signal, onStuck);
    await part?.importExport(file, {
      signal,
      customerCode: run.customerCode,
      onProgress(now) {
        counts = now;
        show(run, { at: 'running', counts, cancel: run.cancel });
      },
    });
    return end(null);
  } catch (thrown) {
    return end(signal.aborted ? null : thrown);
  }
}
