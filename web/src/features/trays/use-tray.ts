/** A tray on its page: its rows, and the actions on them. */
import { createTrayTicket, type TrayFileType } from '@recodery/contract/features/trays';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../../api/call.ts';
import { startDownload } from '../../api/files/download.ts';
import { useTexts } from '../../i18n/texts.ts';
import { showFailure } from '../../ui/toasts/toast.tsx';
import { type LiveTray, useLiveTrays } from './live-tray.ts';
import { type LoadedTray, traysQuery } from './tray-query.ts';
import type { Unplaced } from './dropped/unplaced-store.ts';
import { type Row, rowsOf } from './tray-rows.ts';

/** The tray with this GUID. */
export function useTray(guid: string) {
  return useQuery(useLiveTrays().queryOf(guid));
}

/** The caller's last trays. */
export function useTrays() {
  return useQuery(traysQuery);
}

/** The work of a tray, and its rows. */
export function useRows(loaded: LoadedTray): {
  readonly live: LiveTray;
  readonly rows: readonly Row[];
} {
  const live = useLiveTrays().open(loaded.tray.guid);
  useEffect(() => live.hold(), [live]);
  const { jobs } = useSyncExternalStore(live.queue.subscribe, live.queue.state);
  return { live, rows: rowsOf(loaded, jobs) };
}

/** The dropped files that a tray did not accept. */
export function useUnplaced(trayGUID: string): readonly Unplaced[] {
  const { unplaced } = useLiveTrays();
  return useSyncExternalStore(unplaced.subscribe, () => unplaced.of(trayGUID));
}

/** Starts the download of the decoded or encoded files. */
export function useTrayDownload(guid: string) {
  const { t } = useTexts();
  return useMutation({
    mutationFn: (fileType: TrayFileType) =>
      call(createTrayTicket, { params: { trayGUID: guid }, body: { fileType } }),
    onSuccess: ({ url }) => startDownload(url),
    onError: (thrown) => showFailure(t, thrown),
  });
}

/** Milliseconds between two announcements: with many files, each announcement would interrupt the previous one. */
const calm = 5000;

/** A text for screen readers that changes often: the first change immediately, later ones at a limited rate. */
export function useCalmText(text: string): string {
  const [spoken, setSpoken] = useState({ text, at: 0 });
  useEffect(() => {
    if (text === spoken.text) return;
    const wait = Math.max(0, spoken.at + calm - Date.now());
    const timer = setTimeout(() => setSpoken({ text, at: Date.now() }), wait);
    return () => clearTimeout(timer);
  }, [text, spoken]);
  return spoken.text;
}
