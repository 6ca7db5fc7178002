/** The routes of the resources that operators administer. */
import type { ResourceRoutes } from '@recodery/contract/admin/derive-routes';
import { adminRoutes } from '@recodery/contract/admin/resource-routes';
import type { RecordOf, Resource } from '@recodery/contract/admin/resource';
import type { ResourceName } from '@recodery/contract/admin/resources';
import { Refusal } from '@recodery/contract/refusal';
import type { FastifyRequest } from 'fastify';
import type { Router } from '../http/serve.ts';
import type { Caller } from '../organisations/caller.ts';
import { type ActionOutcome, type AdministrationDeps, actOn } from './actions.ts';
import {
  createRecord,
  readList,
  readRecord,
  removeRecord,
  updateRecord,
} from './change-records.ts';
import type { ListedRecord } from './list-rules.ts';
import { actOnPerson, openPeople } from './people.ts';
import type { ResourceStore } from './resource-store.ts';
import { stores } from './stores.ts';

/** The revision that a request is based on. @throws {Refusal} BAD_REQUEST if it names none */
function revisionOf({ headers }: FastifyRequest): string {
  const [, revision] = /^\s*(?:W\/)?"([\w-]+)"\s*$/.exec(headers['if-match'] ?? '') ?? [];
  if (revision !== undefined) return revision;
  const message = 'must name the revision of the record in double quotes';
  throw new Refusal('BAD_REQUEST', { fields: [{ field: 'If-Match', message }] });
}

/** Registers the routes of all resources. */
export function serveResources(router: Router, deps: AdministrationDeps): void {
  for (const name of Object.keys(stores) as ResourceName[])
    serveResource(router, deps, {
      routes: adminRoutes[name] as unknown as ResourceRoutes<Resource>,
      open: async () => stores[name],
      act: (_caller, action, guid) => actOn(deps, name, action, guid),
    });
  serveResource(router, deps, {
    routes: adminRoutes.people as unknown as ResourceRoutes<Resource>,
    open: (caller) => openPeople(deps.db, caller),
    act: (caller, action, guid) => actOnPerson(deps, caller, action, guid),
  });
}

/** The response's types come from the declaration, and the server checks each response against them. */
const shown = (record: ListedRecord) => record as unknown as RecordOf<Resource>;

/** How a resource is served. */
interface Served {
  readonly routes: ResourceRoutes<Resource>;
  /** The records that the caller can see. */
  readonly open: (caller: Caller) => Promise<ResourceStore>;
  readonly act: (caller: Caller, action: string, guid: string) => Promise<ActionOutcome>;
}

function serveResource(router: Router, deps: AdministrationDeps, served: Served): void {
  const { db } = deps;
  const { open } = served;
  const { list, read, create, update, remove, act } = served.routes;
  router.serve(list, async ({ query, caller }) => {
    const { items, ...rest } = await readList(db, await open(caller), query);
    return { ...rest, items: items.map(shown) };
  });
  router.serve(read, async ({ params, caller }) =>
    shown(await readRecord(db, await open(caller), params.guid)),
  );
  if (create !== null)
    router.serve(create, async ({ body, caller, noteAudit }) => {
      const { record, changes } = await createRecord(deps, await open(caller), body);
      noteAudit({ guid: record.guid, changes });
      return shown(record);
    });
  if (update !== null)
    router.serve(update, async ({ params, query, body, request, caller, noteAudit }) => {
      const change = {
        guid: params.guid,
        values: body,
        revision: revisionOf(request),
        confirmed: query,
      };
      const { record, changes } = await updateRecord(deps, await open(caller), change);
      noteAudit({ changes });
      return shown(record);
    });
  if (remove !== null)
    router.serve(remove, async ({ params, query, caller, noteAudit }) => {
      const removal = { guid: params.guid, confirmed: query };
      noteAudit({ removed: await removeRecord(deps, await open(caller), removal) });
      return undefined;
    });
  if (act !== null)
    router.serve(act, async ({ params: { guid, action }, caller, noteAudit }) => {
      const { item, link, changes } = await served.act(caller, action, guid);
      noteAudit({ changes });
      return { item: shown(item), link };
    });
}
