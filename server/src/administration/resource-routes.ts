/** The routes of the resources that operators administer. */
import { Readable } from 'node:stream';
import type { ResourceRoutes } from '@recodery/contract/admin/derive-routes';
import { people } from '@recodery/contract/admin/people';
import { adminRoutes } from '@recodery/contract/admin/resource-routes';
import type { AnyValues, RecordOf, Resource } from '@recodery/contract/admin/resource';
import { resources } from '@recodery/contract/admin/resources';
import { Refusal } from '@recodery/contract/refusal';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Router } from '../http/serve.ts';
import { writeAttachmentHead } from '../http/attachment-head.ts';
import type { Caller } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { actOn } from './directory/actions.ts';
import { directoryRecords } from './directory/change-records.ts';
import { openKeyFile } from './directory/key-files.ts';
import type { RecordFile } from './installation/backups.ts';
import {
  type Kept,
  type KeptDeps,
  type KeptResource,
  openKeptResources,
} from './installation/kept-resources.ts';
import type { ListedRecord } from './records/list-rules.ts';
import { wordsOf } from './records/paged-records.ts';
import { requireConfirmed } from './records/require-confirmed.ts';
import { actOnPerson, openPeople } from './people/people.ts';
import {
  type ActionOutcome,
  type Confirmed,
  notedValues,
  type ResourceRecords,
} from './records/records.ts';
import type { DirectoryResource } from './records/resource-store.ts';
import { stores } from './directory/stores.ts';

/** The revision that a request is based on. @throws {Refusal} BAD_REQUEST if it names none */
function revisionOf({ headers }: FastifyRequest): string {
  const [, revision] = /^\s*(?:W\/)?"([\w-]+)"\s*$/.exec(headers['if-match'] ?? '') ?? [];
  if (revision !== undefined) return revision;
  const message = 'must name the revision of the record in double quotes';
  throw new Refusal('BAD_REQUEST', { fields: [{ field: 'If-Match', message }] });
}

/** Registers the routes of all resources. */
export function serveResources(router: Router, deps: KeptDeps): void {
  for (const name of Object.keys(stores) as DirectoryResource[])
    serveResource(router, {
      db: deps.db,
      declared: resources[name],
      routes: routesOf(name),
      open: async () => directoryRecords(deps, stores[name]),
      act: (caller, action, guid, asked) => actOn(deps, caller, { name, action, guid, ...asked }),
      ...(name === 'slaves' ? { kept: { download: openKeyFile(deps) } } : {}),
    });
  for (const [name, kept] of Object.entries(openKeptResources(deps)))
    serveResource(router, {
      db: deps.db,
      declared: resources[name as KeptResource],
      routes: routesOf(name as KeptResource),
      open: async () => kept.records,
      act: (caller, action, guid) => kept.act(action, guid, caller),
      kept,
    });
  serveResource(router, {
    db: deps.db,
    declared: people,
    routes: routesOf('people'),
    open: async (caller) => directoryRecords(deps, await openPeople(deps.db, caller)),
    act: (caller, action, guid) => actOnPerson(deps, caller, action, guid),
  });
}

const routesOf = (name: keyof typeof adminRoutes) =>
  adminRoutes[name] as unknown as ResourceRoutes<Resource>;

/** The response's types come from the declaration, and the server checks each response against them. */
const shown = (record: ListedRecord) => record as unknown as RecordOf<Resource>;

/** What else a resource has. */
interface ServedParts extends Pick<Kept, 'tasks' | 'exports' | 'uploads'> {
  readonly download?: (guid: string, caller: Caller) => Promise<RecordFile>;
}

/** How a resource is served. */
interface Served {
  readonly db: Db;
  readonly declared: Resource;
  readonly routes: ResourceRoutes<Resource>;
  /** The records that the caller can see. */
  readonly open: (caller: Caller) => Promise<ResourceRecords>;
  readonly act: (
    caller: Caller,
    action: string,
    guid: string,
    asked: { readonly revision: string | null; readonly confirmed: Confirmed },
  ) => Promise<ActionOutcome>;
  readonly kept?: ServedParts;
}

/** The filters of a resource that a query names. */
function filtersIn({ filters = {} }: Resource, query: object): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => Object.hasOwn(filters, name) && typeof value === 'string' && value !== '',
    ),
  );
}

/** Refuses what the declaration names if the caller has not signed in recently. @throws {Refusal} CONFIRM_ACCOUNT */
async function confirm({ db, declared }: Served, action: string, caller: Caller): Promise<void> {
  const { confirmedActions = [] } = declared;
  if (confirmedActions.includes(action)) await requireConfirmed(db, caller);
}

/** Serves the files of records, never from a browser's memory. */
function serveDownload(router: Router, served: Served): void {
  const { routes, kept = {} } = served;
  const { download: route } = routes;
  const { download } = kept;
  if (route === null || download === undefined) return;
  router.serve(route, async ({ params, request, reply, caller, noteAudit, keep }) => {
    await confirm(served, 'download', caller);
    const { fileName, size, content } = await download(params.guid, caller);
    noteAudit({ file: fileName });
    // before its first byte: what cannot be recorded does not leave
    await keep(served.db, undefined);
    writeAttachmentHead(reply, fileName, route.parts.answer.mediaType);
    reply.header('content-length', size).header('cache-control', 'no-store');
    reply.send(request.method === 'HEAD' ? Readable.from([]) : content());
    return undefined;
  });
}

/** The values of a query that are fields of a new record. */
function valuesIn({ fields }: Resource, query: object): AnyValues {
  return Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => Object.hasOwn(fields, name) && typeof value === 'string',
    ),
  );
}

/** Serves the records that are uploaded. */
function serveUploads(router: Router, { declared, routes, kept = {} }: Served): void {
  const { createFrom, replace } = routes;
  const { uploads } = kept;
  if (uploads === undefined) return;
  if (createFrom !== null)
    router.serve(createFrom, async ({ query, upload, noteAudit }) => {
      const sent = { upload, isConfirmed: query.confirm };
      const { record, changes } = await uploads.createFrom(valuesIn(declared, query), sent);
      noteAudit({ guid: record.guid, changes });
      return shown(record);
    });
  if (replace !== null)
    router.serve(replace, async ({ params, query, request, upload, noteAudit }) => {
      const sent = { upload, isConfirmed: query.confirm };
      const of = { guid: params.guid, revision: revisionOf(request) };
      const { record, changes } = await uploads.replace(of, sent);
      noteAudit({ guid: record.guid, changes });
      return shown(record);
    });
}

/** Serves what concerns all records of a resource. */
function serveWhole(router: Router, { db, declared, routes, kept = {} }: Served): void {
  const { perform, exportCsv, exportLines } = routes;
  const { tasks = {}, exports } = kept;
  if (perform !== null)
    router.serve(perform, async ({ params, caller, noteAudit }) => {
      const task = Object.hasOwn(tasks, params.task) ? tasks[params.task] : undefined;
      if (task === undefined) throw new Refusal('NOT_FOUND');
      const result = await task(caller);
      noteAudit({ found: result.finding.state });
      return result;
    });
  for (const [route, ending] of [
    [exportCsv, 'csv'],
    [exportLines, 'jsonl'],
  ] as const)
    if (route !== null && exports !== undefined)
      router.serve(route, async ({ query, request, reply, noteAudit, keep }) => {
        const filters = filtersIn(declared, query);
        const { search = '' } = query;
        noteAudit({ ...(search === '' ? {} : { search }), filters });
        const pieces = exports[ending]({ words: wordsOf(search), filters });
        const first = await pieces.next();
        await keep(db, undefined);
        const day = new Date().toISOString().slice(0, 10);
        reply
          .type(route.parts.answer.mediaType)
          .header(
            'content-disposition',
            `attachment; filename="${declared.name}_${day}.${ending}"`,
          );
        sendPieces(reply, request.method === 'HEAD', first, pieces);
        return undefined;
      });
}

/**
 * Sends a file in pieces. The first one was read before: an error there still gets an error response, and later the
 * stream can only be cut.
 */
function sendPieces(
  reply: FastifyReply,
  isHead: boolean,
  first: IteratorResult<string, void>,
  pieces: AsyncGenerator<string, void>,
): void {
  async function* resume() {
    if (first.done !== true) yield first.value;
    yield* pieces;
  }
  reply.send(Readable.from(isHead ? [] : resume(), { objectMode: false }));
}

function serveResource(router: Router, served: Served): void {
  const { open } = served;
  const { list, read, create, update, remove, act } = served.routes;
  serveWhole(router, served);
  serveDownload(router, served);
  serveUploads(router, served);
  router.serve(list, async ({ query, caller }) => {
    const filters = filtersIn(served.declared, query);
    const { items, ...rest } = await (await open(caller)).list({ ...query, filters });
    return { ...rest, items: items.map(shown) };
  });
  router.serve(read, async ({ params, caller }) =>
    shown(await (await open(caller)).read(params.guid)),
  );
  if (create !== null)
    router.serve(create, async ({ body, caller, noteAudit }) => {
      const { record, changes } = await (await open(caller)).create(body);
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
      const { record, changes } = await (await open(caller)).update(change);
      noteAudit({ changes });
      return shown(record);
    });
  if (remove !== null)
    router.serve(remove, async ({ params, query, caller, noteAudit }) => {
      await confirm(served, 'remove', caller);
      const removal = { guid: params.guid, confirmed: query };
      const removed = await (await open(caller)).remove(removal);
      noteAudit({ removed: notedValues(served.declared, removed) });
      return undefined;
    });
  if (act !== null)
    router.serve(act, async ({ params: { guid, action }, query, request, caller, noteAudit }) => {
      const { revisedActions = [] } = served.declared;
      const revision = revisedActions.includes(action) ? revisionOf(request) : null;
      const outcome = await served.act(caller, action, guid, { revision, confirmed: query });
      const { item, link, finding = null, changes } = outcome;
      noteAudit({ changes });
      return { item: shown(item), link, finding };
    });
}
