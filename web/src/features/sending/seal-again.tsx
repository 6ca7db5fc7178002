/** Seals a file again before its download: starts it, follows it, and then downloads the new file. */
import { getSealing, sealFile } from '@recodery/contract/features/recoding/file-sealing';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { call } from '../../api/call.ts';
import { fetchAddress } from '../../api/files/fresh-address.ts';
import { SealDialog } from './seal-dialog.tsx';

/** Milliseconds between two questions. */
const pollMs = 1500;

export interface SealAgainProps {
  readonly fileGUID: string;
  readonly onCancel: () => void;
  /** Downloads the new file. */
  readonly onDownload: (url: string) => void;
  /** Downloads the file as it is, if no newer delivery of it is known. */
  readonly onEarlier: () => void;
}

/** Starts the sealing, and asks for its state until it has ended. */
function useSealing({ fileGUID, onDownload, onEarlier }: SealAgainProps) {
  const queries = useQueryClient();
  const key = ['code', 'sealing', fileGUID];
  const start = useMutation({
    mutationFn: () => call(sealFile, { params: { fileGUID } }),
    onSuccess: (state) => queries.setQueryData(key, state),
  });
  const { data: state, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(getSealing, { params: { fileGUID } }, { signal }),
    enabled: start.isSuccess,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.state === 'sealing' ? pollMs : false),
  });
  const fetchNew = useMutation({
    mutationFn: (wanted: string) => fetchAddress(wanted),
  });
  // not an option of the mutation: that would also run after the dialog was closed
  const take = (wanted: string) =>
    fetchNew.mutate(wanted, {
      onSuccess: ({ url }) => {
        onDownload(url);
        for (const of of ['jobs', 'trays'])
          void queries.invalidateQueries({ queryKey: ['code', of] });
      },
    });
  const begin = useEffectEvent(() => start.mutate());
  useEffect(() => begin(), []);
  const isReady = state !== undefined && ['fresh', 'lasting', 'impossible'].includes(state.state);
  const finish = useEffectEvent(() => {
    if (state !== undefined) take(state.fileGUID);
  });
  useEffect(() => {
    if (isReady) finish();
  }, [isReady]);
  return {
    state,
    thrown: start.error ?? error ?? fetchNew.error,
    isStarting: start.isPending,
    restart: () => {
      fetchNew.reset();
      if (isReady) take(state.fileGUID);
      else start.mutate();
    },
    takeEarlier: () => {
      if (state === undefined || state.fileGUID === fileGUID) onEarlier();
      else take(state.fileGUID);
    },
  };
}

export function SealAgain(props: SealAgainProps) {
  const { state, thrown, isStarting, restart, takeEarlier } = useSealing(props);
  return (
    <SealDialog
      state={isStarting ? undefined : state}
      thrown={thrown}
      onCancel={props.onCancel}
      onEarlier={takeEarlier}
      onRestart={restart}
    />
  );
}
