/** The resources of operators that have tables of their own, and their actions. */
import type { ResourceName } from '@recodery/contract/admin/resources';
import { Refusal } from '@recodery/contract/refusal';
import { builtInEngine } from '@recodery/contract/features/engines';
import { findConnection } from '../../engine-connections/engine-connections.ts';
import { testConnection } from '../../recoding/engine-selection/test-connection.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { AdministrationDeps } from '../directory/actions.ts';
import { openEngines } from './engines.ts';
import { keptRecords, type KeptStore, readKept } from '../records/kept-records.ts';
import { maintenanceStore } from './maintenance.ts';
import { openMessages } from './messages.ts';
import type { ActionOutcome, Records } from '../records/records.ts';
import { type DirectoryResource, refuseFields } from '../records/resource-store.ts';

/** A resource that is not part of the directory. */
export type KeptResource = Exclude<ResourceName, DirectoryResource>;

/** The dependencies of these resources. */
export interface KeptDeps extends AdministrationDeps {
  readonly secrets: AdministrationDeps['secrets'] & Pick<Secrets, 'getKey' | 'retireKeys'>;
}

/** How a resource is served. */
export interface Kept {
  readonly records: Records;
  readonly act: (action: string, guid: string) => Promise<ActionOutcome>;
}

async function testEngine(
  deps: KeptDeps,
  store: KeptStore,
  action: string,
  guid: string,
): Promise<ActionOutcome> {
  const item = await readKept(deps.db, store, guid);
  if (action !== 'test') throw new Refusal('NOT_FOUND');
  if (item['kind'] === builtInEngine) refuseFields({ name: 'FIXED' });
  const connection = await findConnection(deps.db, String(item['name']));
  if (connection === null) throw new Refusal('NOT_FOUND');
  const { isRight, text } = await testConnection(deps, connection);
  return { item, link: null, finding: { state: isRight ? 'ok' : 'wrong', text }, changes: {} };
}

const noAction: Kept['act'] = () => Promise.reject(new Refusal('NOT_FOUND'));

/** Opens all of them. */
export function openKeptResources(deps: KeptDeps): Readonly<Record<KeptResource, Kept>> {
  const engines = openEngines(deps);
  return {
    engines: {
      records: keptRecords(deps.db, engines),
      act: (action, guid) => testEngine(deps, engines, action, guid),
    },
    messages: { records: keptRecords(deps.db, openMessages(deps)), act: noAction },
    maintenance: { records: keptRecords(deps.db, maintenanceStore), act: noAction },
  };
}
