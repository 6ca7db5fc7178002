/** The engines that master devices can have as a resource of the administration. */
import type { FieldErrors } from '@recodery/contract/admin/check-fields';
import type { AnyValues } from '@recodery/contract/admin/resource';
import { resources } from '@recodery/contract/admin/resources';
import { zeroGuid } from '@recodery/contract/api';
import {
  builtInEngine,
  type ConnectionKind,
  connectionKinds,
  type EngineKind,
  engineOf,
  settingsOf,
} from '@recodery/contract/features/engines';
import {
  isClient,
  isConnectionName,
  readServiceUrl,
} from '../../engine-connections/read-connection.ts';
import {
  type ConnectionDependencies,
  type EngineConnection,
  findConnection,
  listConnections,
  listMastersOfConnection,
  removeConnection,
  saveConnection,
} from '../../engine-connections/engine-connections.ts';
import type { Db } from '../../postgres/tables/schema.ts';
import type { KeptStore } from '../records/kept-records.ts';
import { textIn, type Values } from '../records/resource-store.ts';

/** Numbers of master devices by the GUID of their connection; null: the portal's own engine. */
async function countMasters(db: Db): Promise<ReadonlyMap<string | null, number>> {
  const rows = await db
    .selectFrom('master_device')
    .groupBy('connection_guid')
    .select(({ fn }) => ['connection_guid', fn.countAll<number>().as('count')])
    .execute();
  return new Map(rows.map((row) => [row.connection_guid, Number(row.count)]));
}

interface Described extends Pick<EngineConnection, 'name'> {
  readonly kind: EngineKind;
  readonly url: string | null;
  readonly client: string | null;
  readonly masters: number | undefined;
  /** Changes when the secret is replaced. */
  readonly unshown: string;
}

const valuesOf = ({ kind, masters = 0, ...rest }: Described): Values => ({
  ...rest,
  kind,
  masters,
  families: [...engineOf(kind).families],
});

async function readEngines(db: Db): Promise<ReadonlyMap<string, Values>> {
  const counts = await countMasters(db);
  const ours = {
    name: builtInEngine,
    kind: builtInEngine,
    url: null,
    client: null,
    masters: counts.get(null),
    unshown: '',
  } as const;
  const connections = await listConnections(db);
  return new Map([
    // the portal's own engine has no row
    [zeroGuid, valuesOf(ours)],
    ...connections.map(({ guid, name, kind, url, clientGuid, secretNumber }) => {
      const unshown = String(secretNumber);
      const masters = counts.get(guid);
      return [guid, valuesOf({ name, kind, url, client: clientGuid, masters, unshown })] as const;
    }),
  ]);
}

/** The kind of a connection in a form; null if it is none. */
const kindIn = (values: AnyValues): ConnectionKind | null =>
  connectionKinds.find((kind) => kind === values['kind']) ?? null;

/** What the rules of a kind refuse. */
function findErrors(values: AnyValues, _before: Values | null, sent: AnyValues): FieldErrors {
  const kind = kindIn(values);
  if (kind === null) return { kind: 'REQUIRED' };
  const settings = settingsOf(kind);
  const [name, url, client] = ['name', 'url', 'client'].map((field) => textIn(values, field));
  const read = url === '' ? settings.url : readServiceUrl(url ?? '');
  const needsClient = settings.client !== null;
  return {
    ...(isConnectionName(name ?? '') ? {} : { name: 'INVALID' as const }),
    ...(read === null ? { url: 'REQUIRED' as const } : {}),
    ...(read === 'INVALID' || read === 'NOT_SAFE' ? { url: read } : {}),
    ...(needsClient && client === '' ? { client: 'REQUIRED' as const } : {}),
    ...(needsClient && client !== '' && !isClient(client ?? '')
      ? { client: 'INVALID' as const }
      : {}),
    ...(textIn(sent, 'secret') === '' ? { secret: 'REQUIRED' as const } : {}),
  };
}

/** The connection of a form without errors. */
function connectionOf(
  values: AnyValues,
): Pick<EngineConnection, 'name' | 'kind' | 'url' | 'clientGuid'> {
  const kind = kindIn(values);
  if (kind === null) throw new Error('the kind was not checked');
  const settings = settingsOf(kind);
  const read = readServiceUrl(textIn(values, 'url') || (settings.url ?? ''));
  if (typeof read === 'string') throw new Error('the address was not checked');
  return {
    name: textIn(values, 'name'),
    kind,
    url: read.url,
    clientGuid: settings.client === null ? null : textIn(values, 'client'),
  };
}

/**
 * Removes an engine, unless master devices use it: returns these, as `family serial`. In a transaction that has locked
 * the directory, so that no file refers to the engine in the meantime.
 */
export async function removeEngine(
  { db, secrets }: ConnectionDependencies,
  connection: Pick<EngineConnection, 'guid'>,
): Promise<readonly string[]> {
  const masters = await listMastersOfConnection(db, connection.guid);
  if (masters.length === 0) await removeConnection({ db, secrets }, connection);
  return masters;
}

/** The engines: the portal's own, and the connections. */
export function openEngines({ secrets }: Pick<ConnectionDependencies, 'secrets'>): KeptStore {
  const save = (trx: Db, values: AnyValues): Promise<void> =>
    saveConnection({ db: trx, secrets }, connectionOf(values), textIn(values, 'secret'));
  return {
    declared: resources.engines,
    read: readEngines,
    findErrors,
    async create(trx, values) {
      await save(trx, values);
      const saved = await findConnection(trx, textIn(values, 'name'));
      if (saved === null) throw new Error('the new connection is missing');
      return saved.guid;
    },
    update: (trx, _guid, values) => save(trx, values),
    async remove(trx, guid) {
      const masters = await removeEngine({ db: trx, secrets }, { guid });
      return masters.length > 0 ? { name: 'IN_USE' } : {};
    },
  };
}
