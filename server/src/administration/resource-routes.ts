/** The routes of the resources that operators administer. */
import { adminRoutes, type ResourceRoutes } from '@recodery/contract/admin/resource-routes';
import type { RecordOf, Resource } from '@recodery/contract/admin/resource';
import type { ResourceName } from '@recodery/contract/admin/resources';
import { Refusal } from '@recodery/contract/refusal';
import type { FastifyRequest } from 'fastify';
import type { Router } from '../http/serve.ts';
import { type AdministrationDeps, actOn } from './actions.ts';
import {
  createRecord,
  readList,
  readRecord,
  removeRecord,
  updateRecord,
} from './change-records.ts';
import type { ListedRecord } from './list-rules.ts';

/** The revision that a request is based on. @throws {Refusal} BAD_REQUEST if it names none */
function revisionOf({ headers }: FastifyRequest): string {
  const [, revision] = /^\s*(?:W\/)?"([\w-]+)"\s*$/.exec(headers['if-match'] ?? '') ?? [];
  if (revision !== undefined) return revision;
  const message = 'must name the revision of the record in double quotes';
  throw new Refusal('BAD_REQUEST', { fields: [{ field: 'If-Match', message }] });
}

/** Registers the routes of all resources. */
export function serveResources(router: Router, deps: AdministrationDeps): void {
  for (const name of Object.keys(adminRoutes) as ResourceName[])
    serveResource(router, deps, name, adminRoutes[name] as unknown as ResourceRoutes<Resource>);
}

/** The response's types come from the declaration, and the server checks each response against them. */
const shown = (record: ListedRecord) => record as unknown as RecordOf<Resource>;

function serveResource(
  router: Router,
  deps: AdministrationDeps,
  name: ResourceName,
  { list, read, create, update, remove, act }: ResourceRoutes<Resource>,
): void {
  const { db } = deps;
  router.serve(list, async ({ query }) => {
    const { items, ...rest } = await readList(db, name, query);
    return { ...rest, items: items.map(shown) };
  });
  router.serve(read, async ({ params }) => shown(await readRecord(db, name, params.guid)));
  if (create !== null)
    router.serve(create, async ({ body, noteAudit }) => {
      const { record, changes } = await createRecord(deps, name, body);
      noteAudit({ guid: record.guid, changes });
      return shown(record);
    });
  if (update !== null)
    router.serve(update, async ({ params, query, body, request, noteAudit }) => {
      const change = {
        guid: params.guid,
        values: body,
        revision: revisionOf(request),
        confirmed: query,
      };
      const { record, changes } = await updateRecord(deps, name, change);
      noteAudit({ changes });
      return shown(record);
    });
  if (remove !== null)
    router.serve(remove, async ({ params, query, noteAudit }) => {
      const removal = { guid: params.guid, confirmed: query };
      noteAudit({ removed: await removeRecord(deps, name, removal) });
      return undefined;
    });
  if (act !== null)
    router.serve(act, async ({ params: { guid, action }, noteAudit }) => {
      const { item, link, changes } = await actOn(deps, name, action, guid);
      noteAudit({ changes });
      return { item: shown(item), link };
    });
}
