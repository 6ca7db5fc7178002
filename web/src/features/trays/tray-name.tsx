/** The name of a tray, which its users give it to find it in the list. */
import { longestTrayName, nameTray, type Tray } from '@recodery/contract/features/trays';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/actions/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showFailure } from '../../ui/toasts/toast.tsx';
import { traysKey } from './tray-query.ts';

/** The name that is saved; null: none. */
const entered = (name: string | null): string | null => name?.trim() || null;

export function TrayName({ tray: { guid, name: saved } }: { readonly tray: Tray }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  /** The typed name; null: the saved one is shown. */
  const [draft, setDraft] = useState<string | null>(null);
  const { mutate: save, isPending } = useMutation({
    mutationFn: (name: string | null) =>
      call(nameTray, { params: { trayGUID: guid }, body: { name } }),
    onSuccess: async (_, name) => {
      await queries.invalidateQueries({ queryKey: traysKey });
      // what was typed while it was being saved stays
      setDraft((now) => (entered(now) === name ? null : now));
    },
    onError: (thrown) => showFailure(t, thrown),
  });
  const name = draft ?? saved ?? '';
  const isChanged = entered(name) !== saved;
  const submit = (): void => {
    if (!isPending) save(entered(name));
  };
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) submit();
      }}
    >
      <div className="min-w-0 flex-[0_1_24rem]">
        <TextField
          label={t('tray.name')}
          value={name}
          onChange={setDraft}
          maxLength={longestTrayName}
        />
      </div>
      {isChanged && (
        <Button isPending={isPending} onPress={submit}>
          {t('tray.name.save')}
        </Button>
      )}
    </form>
  );
}
