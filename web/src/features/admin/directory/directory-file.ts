/** The directory file that an operator applies: chosen, previewed, applied only as it was previewed. */
import {
  applyDirectoryFile,
  type DirectoryPreview,
  previewDirectory,
} from '@recodery/contract/admin/directory';
import { Refusal } from '@recodery/contract/refusal';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { upload } from '../../../api/files/upload.ts';

/** What has become of a file. `isNew`: a colleague has changed something since the preview before. */
export type FileState =
  | { readonly at: 'none' }
  | {
      readonly at: 'previewed';
      readonly file: File;
      readonly preview: DirectoryPreview;
      readonly isNew: boolean;
    }
  | { readonly at: 'applied'; readonly count: number };

/** The bytes of this moment: what is applied is what was previewed, even if the file changes on the disk. */
async function copyOf(file: File): Promise<File> {
  return new File([await file.arrayBuffer()], file.name);
}

export function useDirectoryFile() {
  const queries = useQueryClient();
  const [state, setState] = useState<FileState>({ at: 'none' });
  const show = async (file: File, isNew: boolean): Promise<void> =>
    setState({ at: 'previewed', file, preview: await upload(previewDirectory, {}, file), isNew });
  const preview = useMutation({
    mutationFn: async (file: File) => show(await copyOf(file), false),
  });
  const apply = useMutation({
    mutationFn: async ({ move }: { readonly move: boolean }) => {
      if (state.at !== 'previewed') return;
      const { file, preview: shown } = state;
      try {
        const query = { plan: shown.plan, move: move ? 'true' : 'false' } as const;
        const { changes } = await upload(applyDirectoryFile, { query }, file);
        setState({ at: 'applied', count: changes.length });
        await queries.invalidateQueries({ queryKey: ['code', 'records'] });
      } catch (thrown) {
        const isOvertaken = thrown instanceof Refusal && thrown.code === 'RECORD_CHANGED';
        if (!isOvertaken) throw thrown;
        await show(file, true);
      }
    },
  });
  const clear = (): void => {
    preview.reset();
    apply.reset();
    setState({ at: 'none' });
  };
  return { state, preview, apply, clear };
}
