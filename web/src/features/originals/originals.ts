/** The decoded images that the organisation keeps as originals, and what a decoded image is compared with. */
import { compareFiles } from '@recodery/contract/features/comparison';
import {
  findOriginals,
  keepOriginal,
  listOriginals,
  removeOriginal,
} from '@recodery/contract/features/originals';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

// Keys that begin with `code` belong to the customer code and are removed with it.
const allKey = ['code', 'originals'] as const;

export function useOriginals() {
  return useQuery({
    queryKey: [...allKey, 'list'],
    queryFn: ({ signal }) => call(listOriginals, {}, { signal }),
    staleTime: 0,
  });
}

/** The originals for a decoded image, and itself if it is one. */
export function useOriginalsOf(fileGUID: string) {
  return useQuery({
    queryKey: [...allKey, 'of', fileGUID],
    queryFn: ({ signal }) => call(findOriginals, { params: { fileGUID } }, { signal }),
    staleTime: 0,
  });
}

/** How many bytes differ between an original and an image; undefined until it is known. */
export function useDifference(original: string | null, fileGUID: string): number | undefined {
  const { data } = useQuery({
    queryKey: [...allKey, 'difference', original, fileGUID],
    queryFn: ({ signal }) => {
      const params = { fileGUID: original ?? '', otherFileGUID: fileGUID };
      return call(compareFiles, { params, query: { count: '1' } }, { signal });
    },
    enabled: original !== null,
    // images never change
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.bytes;
}

export function useKeepOriginal(fileGUID: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(keepOriginal, { params: { fileGUID } }),
    onSuccess: async () => {
      // its job is kept as well
      const keys = [allKey, ['code', 'jobs']];
      await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
}

export function useRemoveOriginal() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (fileGUID: string) => call(removeOriginal, { params: { fileGUID } }),
    onSettled: () => queries.invalidateQueries({ queryKey: allKey }),
  });
}
