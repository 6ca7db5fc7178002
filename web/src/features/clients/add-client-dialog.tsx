/** Adds a client application, then shows its secrets. */
import {
  longestClientName,
  mostClientNetworks,
  type NewClient,
} from '@recodery/contract/features/clients';
import { Refusal } from '@recodery/contract/refusal';
import { useState } from 'react';
import { type TextOf, useTexts } from '../../i18n/texts.ts';
import { AddDialog } from '../../ui/dialogs/add-dialog.tsx';
import type { SecretFieldProps } from '../../ui/fields/secret-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { type ClientDraft, clientPayload, emptyDraft, faultyFields } from './client-rules.ts';
import { useAddClient } from './clients.ts';

/** The values that only the response to adding a client application contains, and its GUID. */
function secretsOf(t: TextOf, client: NewClient): readonly SecretFieldProps[] {
  return [
    { label: t('clients.guid'), value: client.clientApplicationGUID },
    { label: t('clients.secretKey'), value: client.secretKey },
    {
      label: t('clients.webhookSecret'),
      value: client.webhookSecret,
      hint: t('clients.webhookSecretHint'),
    },
  ];
}

/** The form's state. Errors are shown after the first attempt to submit it. */
function useClientForm() {
  const { mutate, data, error, isPending, reset } = useAddClient();
  const [draft, setDraft] = useState(emptyDraft);
  const [isTried, setIsTried] = useState(false);
  const [openedOn] = useState(() => new Date());
  const faults = faultyFields(draft, openedOn);
  // the form checks everything itself except the networks
  const areNetworksRefused = error instanceof Refusal && error.code === 'BAD_REQUEST';
  return {
    draft,
    added: data,
    isPending,
    error: areNetworksRefused ? null : error,
    isFaulty: (field: keyof ClientDraft): boolean =>
      (isTried && faults.includes(field)) || (field === 'networks' && areNetworksRefused),
    change: (next: Partial<ClientDraft>): void => {
      if (error !== null) reset();
      setDraft((now) => ({ ...now, ...next }));
    },
    send: (): void => {
      setIsTried(true);
      if (faults.length === 0 && !isPending) mutate(clientPayload(draft));
    },
  };
}

type Form = ReturnType<typeof useClientForm>;

function Fields({ draft, isFaulty, change }: Pick<Form, 'draft' | 'isFaulty' | 'change'>) {
  const { t } = useTexts();
  return (
    <>
      <TextField
        label={t('clients.name')}
        value={draft.name}
        maxLength={longestClientName}
        autoComplete="off"
        hint={t('clients.nameHint')}
        error={isFaulty('name') ? t('clients.nameFault') : null}
        onChange={(name) => change({ name })}
      />
      <TextField
        label={t('clients.networks')}
        value={draft.networks}
        lines={3}
        isMono
        hint={t('clients.networksHint')}
        error={
          isFaulty('networks') ? t('clients.networksFault', { most: mostClientNetworks }) : null
        }
        onChange={(networks) => change({ networks })}
      />
      <TextField
        label={t('clients.lastDay')}
        type="date"
        value={draft.lastDay}
        hint={t('clients.lastDayHint')}
        error={isFaulty('lastDay') ? t('clients.lastDayFault') : null}
        onChange={(lastDay) => change({ lastDay })}
      />
    </>
  );
}

export function AddClientDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts();
  const { added, error, isPending, send, ...fields } = useClientForm();
  return (
    <AddDialog
      title={t('clients.add')}
      addedTitle={t('clients.added')}
      secrets={added === undefined ? null : secretsOf(t, added)}
      isPending={isPending}
      error={error}
      onSubmit={send}
      onClose={onClose}
    >
      <Fields {...fields} />
    </AddDialog>
  );
}
