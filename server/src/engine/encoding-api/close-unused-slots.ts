/**
 * Closes slots at a vendor's service that no operation of ours needs: its client application belongs to this portal.
 */
import type { Family } from '@recodery/contract/families/registry';
import type { EncodingApiClient } from '../../encoding-api-client/client.ts';
import { CredentialsRefused, RequestRefused } from '../../encoding-api-client/errors.ts';
import { readSlots, type RemoteSlot } from '../../encoding-api-client/records.ts';
import { listRequest, slotRequest } from '../../encoding-api-client/requests.ts';
import type { SweepOutcome } from '../kind.ts';

export interface SlotSweep {
  readonly client: Pick<EncodingApiClient, 'call'>;
  /** The families that are asked for their slots. */
  readonly families: readonly Family[];
  readonly signal: AbortSignal;
  /** Whether an operation needs this slot at the vendor to stay open; asked right before it is closed. */
  isNeeded(slotGuid: string): Promise<boolean>;
}

/** Slots of a family that one sweep closes. The next sweep continues. */
const mostClosed = 500;

/** Closes every open slot that is not needed. If a family fails, the others are still swept. */
export async function closeUnusedSlots({ families, ...sweep }: SlotSweep): Promise<SweepOutcome> {
  // a service may list all slots for each family
  const closed = new Set<string>();
  const swept = await Promise.all(
    families.map((family) =>
      sweepFamily(sweep, family, closed).then(
        () => [],
        (error: unknown) => [{ part: family, error }],
      ),
    ),
  );
  return { closed: closed.size, faults: swept.flat() };
}

async function sweepFamily(
  { client, signal, isNeeded }: Omit<SlotSweep, 'families'>,
  family: Family,
  closed: Set<string>,
): Promise<void> {
  let left = mostClosed;
  for (const { guid, isClosed } of await listSlots(client, family, signal)) {
    if (isClosed || closed.has(guid) || (await isNeeded(guid))) continue;
    if (left === 0)
      throw new Error(`more than ${mostClosed} slots to close: the next sweep continues`);
    left -= 1;
    // if closing is refused, another process has closed it, or it belongs to another family
    if ((await orRefused(client.call(slotRequest(family, guid, 'close'), signal))) !== refused)
      closed.add(guid);
  }
}

/** The slots of a family; none if the service does not have that family. */
async function listSlots(
  client: SlotSweep['client'],
  family: Family,
  signal: AbortSignal,
): Promise<readonly RemoteSlot[]> {
  const rows = await orRefused(client.call(listRequest(family), signal));
  return rows === refused ? [] : readSlots(rows);
}

const refused = Symbol('refused');

/** The response, or {@link refused} when the service refuses this request; refused credentials affect all families. */
function orRefused(asked: Promise<unknown>): Promise<unknown> {
  return asked.catch((error: unknown) => {
    const isOfRequest = error instanceof RequestRefused && error.status !== null;
    if (isOfRequest && !(error instanceof CredentialsRefused)) return refused;
    throw error;
  });
}
