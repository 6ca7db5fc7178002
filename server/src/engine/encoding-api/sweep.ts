/** Closes slots at a vendor's service that no operation of ours needs: its client application belongs to this portal. */
import type { Family } from '@recodery/contract/families/registry';
import type { VendorClient } from './client.ts';
import { EngineRefused } from '../engine.ts';
import { slotPath } from './families.ts';
import { readSlots } from './records.ts';

export interface SlotSweep {
  readonly client: Pick<VendorClient, 'call'>;
  /** The families that are asked for their slots. */
  readonly families: readonly Family[];
  readonly signal: AbortSignal;
  /** Whether an operation needs a slot there to be open; asked for each slot, right before it is closed. */
  isNeeded(slotGuid: string): Promise<boolean>;
}

/** Closes every open slot that is not needed; returns how many. @throws when the service is away */
export async function closeOrphans({
  client,
  families,
  signal,
  isNeeded,
}: SlotSweep): Promise<number> {
  // a service may list all slots for each family
  const seen = new Set<string>();
  let closed = 0;
  for (const family of families) {
    for (const { guid, isClosed } of await listSlots(client, family, signal)) {
      if (isClosed || seen.has(guid) || (await isNeeded(guid))) continue;
      seen.add(guid);
      if (await close(client, slotPath(family, guid, 'close'), signal)) closed += 1;
    }
  }
  return closed;
}

/** False when the service refuses: another process may have closed it. */
function close(client: SlotSweep['client'], path: string, signal: AbortSignal): Promise<boolean> {
  return client.call({ verb: 'POST', path, body: [] }, signal).then(
    () => true,
    (error: unknown) => {
      if (error instanceof EngineRefused) return false;
      throw error;
    },
  );
}

/** The slots of a family; none where the service does not have that family. */
async function listSlots(client: SlotSweep['client'], family: Family, signal: AbortSignal) {
  const longestAnswer = 16 * 1024 * 1024;
  const asked = { verb: 'GET', path: slotPath(family), longestAnswer } as const;
  const rows = await client.call(asked, signal).catch((error: unknown) => {
    if (error instanceof EngineRefused) return [];
    throw error;
  });
  return readSlots(rows);
}
