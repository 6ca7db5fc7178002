/** Sends the decoded or encoded files of a tray as one zip, to its organisation or to the bearer of its ticket. */
import { Readable } from 'node:stream';
import { Refusal } from '@recodery/contract/refusal';
import type { downloadTray, TrayFileType } from '@recodery/contract/features/trays';
import { logSender } from '../http/request-log.ts';
import type { Asked } from '../http/serve.ts';
import type { OrganisationId } from '../organisations/caller.ts';
import type { Db } from '../postgres/tables/schema.ts';
import { describeFinished } from '../recoding/results/finished-operation.ts';
import { freeName } from '../recoding/free-name.ts';
import { writeAttachmentHead } from '../slots/send-file.ts';
import { noteDownload, type StoredFile } from '../slots/stored-files.ts';
import type { Tickets } from '../slots/tickets.ts';
import { packFiles } from '../slots/zip.ts';
import type { Storage } from '../storage/storage.ts';
import { encodesIn, readTraySlots, type TraySlot } from './describe-tray.ts';
import { manifestName, writeManifest } from './tray-zip-rules.ts';
import { findTray } from './trays.ts';

export interface SendTrayDependencies {
  readonly db: Db;
  readonly storage: Pick<Storage, 'get' | 'head'>;
  readonly tickets: Pick<Tickets, 'verify'>;
}

type TrayAsked = Pick<
  Asked<typeof downloadTray>,
  'caller' | 'params' | 'query' | 'request' | 'reply'
>;

/** The organisation whose tray may be downloaded. An invalid ticket is refused, and the response does not say why. */
async function requireOwner(
  { tickets }: Pick<SendTrayDependencies, 'tickets'>,
  { caller, params, query: { ticket }, request }: TrayAsked,
): Promise<OrganisationId> {
  const owner = ticket === undefined ? null : await tickets.verify(ticket, 'tray', params.trayGUID);
  if (owner !== null) {
    // a ticket belongs to all users of an organisation
    if (caller === null) logSender(request, { organisation: owner });
    return owner;
  }
  if (caller !== null) return caller.organisationId;
  throw new Refusal(ticket === undefined ? 'API_ERROR_UNAUTHORIZED' : 'NOT_FOUND');
}

/** The decoded images of a slot, or the file of its newest encode that succeeded. */
function chooseFiles({ operations, files }: TraySlot, fileType: TrayFileType): StoredFile[] {
  if (fileType === 'Decoded') return files.filter(({ role }) => role === 'decoded');
  const encode = encodesIn(operations).findLast(({ status }) => status === 'succeeded');
  const guid = encode === undefined ? null : describeFinished(encode).target?.fileGuid;
  return files.filter((file) => file.guid === guid);
}

/** The files of the zip under names that differ, each with the file of the tray that it belongs to. */
function nameFiles(slots: readonly TraySlot[], fileType: TrayFileType) {
  const taken = [manifestName];
  return slots.flatMap((one) =>
    chooseFiles(one, fileType).map((stored) => {
      const dot = stored.name.lastIndexOf('.');
      const name = freeName(stored.name, dot > 0 ? stored.name.slice(dot) : '', taken);
      taken.push(name);
      return { ...stored, name, readFileName: one.file.name, slot: one.slot };
    }),
  );
}

/** Sends the zip of a tray's files, with a list of them. Refuses with NOT_FOUND when there are none. */
export async function sendTray(deps: SendTrayDependencies, asked: TrayAsked): Promise<undefined> {
  const { params, query, request, reply } = asked;
  const owner = await requireOwner(deps, asked);
  const tray = await findTray(deps.db, owner, params.trayGUID);
  if (tray === null) throw new Refusal('NOT_FOUND');
  const files = nameFiles(await readTraySlots(deps.db, owner, tray.guid), query.fileType);
  // once the headers are sent, no error can be returned
  const heads = await Promise.all(files.map(({ storageKey }) => deps.storage.head(storageKey)));
  if (heads.length === 0 || heads.includes(null)) throw new Refusal('NOT_FOUND');
  const lines = files.flatMap((file) =>
    file.slot === null ? [] : [{ ...file, family: file.slot.family }],
  );
  const manifest = { name: manifestName, text: writeManifest(lines) };
  const { size, stream } = packFiles(deps.storage, files, [manifest]);
  const name = `recodery-${query.fileType.toLowerCase()}-${tray.createdOn.toISOString().slice(0, 10)}.zip`;
  writeAttachmentHead(reply, name, 'application/zip');
  reply.header('content-length', size);
  if (request.method === 'HEAD') stream.destroy();
  reply.send(request.method === 'HEAD' ? Readable.from([]) : stream);
  await noteDownload(deps.db, files, request, reply);
  return undefined;
}
