/** The state of a client application, and what its form accepts; pure. */
import { type Client, clientName, mostClientNetworks } from '@recodery/contract/features/clients';

/** Whether a client application is active, and why not. */
export type ClientState = 'active' | 'expired' | 'revoked';

export function stateOf({ expiresOn, revokedOn }: Client, now: Date): ClientState {
  if (revokedOn !== null) return 'revoked';
  return expiresOn !== null && new Date(expiresOn) <= now ? 'expired' : 'active';
}

/** Active client applications before the others; otherwise in the given order. */
export function activeFirst(clients: readonly Client[], now: Date): readonly Client[] {
  const rank = (client: Client): number => Number(stateOf(client, now) !== 'active');
  return clients.toSorted((one, other) => rank(one) - rank(other));
}

/** The form as typed. */
export interface ClientDraft {
  readonly name: string;
  /** One address or network per line. */
  readonly networks: string;
  /** `yyyy-mm-dd`, in the browser's time zone; empty: it does not expire. */
  readonly lastDay: string;
}

export const emptyDraft: ClientDraft = { name: '', networks: '', lastDay: '' };

/** The last second of a day in the browser's time zone, so that lists show the day that the user chose. */
function endOf(day: string): Date {
  return new Date(`${day}T23:59:59`);
}

/** The networks of the form, without empty lines. */
function networksOf({ networks }: ClientDraft): string[] {
  return networks
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** The fields with errors. Only the server checks whether a line is a network. */
export function faultyFields(draft: ClientDraft, now: Date): readonly (keyof ClientDraft)[] {
  const isFaulty: Readonly<Record<keyof ClientDraft, boolean>> = {
    name: !clientName.safeParse(draft.name).success,
    networks: networksOf(draft).length > mostClientNetworks,
    lastDay: draft.lastDay !== '' && !(endOf(draft.lastDay) > now),
  };
  return (Object.keys(isFaulty) as (keyof ClientDraft)[]).filter((field) => isFaulty[field]);
}

/** The request body of a valid form. */
export function clientPayload(draft: ClientDraft) {
  return {
    name: draft.name.trim(),
    allowedNetworks: networksOf(draft),
    expiresOn: draft.lastDay === '' ? null : endOf(draft.lastDay).toISOString(),
  };
}
