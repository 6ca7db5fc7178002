/** What a service of the Encoding API has already accepted, so that a resumed attempt starts nothing twice. */
import type { UploadTarget } from '../../encoding-api-client/requests.ts';
import type { EngineContext, EngineContexts } from '../engine.ts';

/** The work at the service. */
export interface RemoteWork {
  readonly slotGuid: string | null;
  readonly operationGuid: string | null;
  /** The uploaded files. */
  readonly fileGuids: Readonly<Partial<Record<UploadTarget, string>>>;
}

/** The slot at the service of a slot's context. */
export function slotOf(context: EngineContext | null): string | null {
  return (context?.['slotGuid'] as string | undefined) ?? null;
}

/** The work in the contexts, which {@link contextsOf} made. */
export function readRemoteWork({ slot, operation }: EngineContexts): RemoteWork {
  const known = operation as Partial<RemoteWork> | null;
  return {
    slotGuid: slotOf(slot),
    operationGuid: known?.operationGuid ?? null,
    fileGuids: known?.fileGuids ?? {},
  };
}

/** The contexts in which the work is stored. */
export function contextsOf({ slotGuid, ...operation }: RemoteWork): EngineContexts {
  return { slot: slotGuid === null ? null : { slotGuid }, operation };
}
