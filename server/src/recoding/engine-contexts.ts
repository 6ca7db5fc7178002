/** What engines keep with slots and operations, sealed: only the engine that stored a value knows what it means. */
import type { EngineContext, EngineContexts } from '../engine/engine.ts';
import { listSlotsInUse } from '../operations/operations.ts';
import type { OperationRow } from '../operations/operation-rules.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { openValue, sealValue } from '../secrets/sealed-value.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { listSlotContexts, type Slot, type StoredContext } from '../slots/slots.ts';

/** A row that has a context. */
interface Row {
  readonly of: 'slot' | 'operation';
  readonly guid: string;
}

const sealedFor = ({ of, guid }: Row) => ({ purpose: 'engine-context', row: `${of} ${guid}` });

/** A stored context. */
async function openContext(
  secrets: Pick<Secrets, 'getKey'>,
  row: Row,
  stored: StoredContext,
): Promise<EngineContext | null> {
  return Buffer.isBuffer(stored) ? openValue(secrets, sealedFor(row), stored) : stored;
}

/** The contexts of an operation. */
export async function openContexts(
  secrets: Pick<Secrets, 'getKey'>,
  { guid, engineContext }: OperationRow,
  slot: Slot,
): Promise<EngineContexts> {
  return {
    slot: await openContext(secrets, { of: 'slot', guid: slot.guid }, slot.engineContext),
    operation: await openContext(secrets, { of: 'operation', guid }, engineContext),
  };
}

/** A context as it is stored. */
export function sealContext(
  secrets: Pick<Secrets, 'getCurrentKey'>,
  row: Row,
  context: EngineContext,
): Promise<Buffer> {
  return sealValue(secrets, sealedFor(row), context);
}

/** The contexts of the slots whose operations at a connection wait or run, except one operation. */
export async function listContextsInUse(
  { db, secrets }: { readonly db: Db; readonly secrets: Pick<Secrets, 'getKey'> },
  connectionGuid: string,
  exceptOperation: string | null,
): Promise<readonly EngineContext[]> {
  const slots = await listSlotsInUse(db, connectionGuid, exceptOperation);
  const contexts = await Promise.all(
    (await listSlotContexts(db, slots)).map(({ guid, stored }) =>
      openContext(secrets, { of: 'slot', guid }, stored),
    ),
  );
  return contexts.filter((context) => context !== null);
}
