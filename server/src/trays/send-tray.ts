/** Sends the decoded or encoded files of a tray as one zip, to its organisation or to the bearer of its ticket. */
import { Refusal } from '@recodery/contract/refusal';
import type { downloadTray, TrayFileType } from '@recodery/contract/features/trays';
import type { Asked } from '../http/serve.ts';
import { freeName } from '../recoding/free-name.ts';
import { type SendZipDependencies, sendZip } from '../slots/sending/send-zip.ts';
import type { StoredFile } from '../slots/files/stored-files.ts';
import { requireTicketOwner } from '../slots/sending/ticket-owner.ts';
import type { Tickets } from '../slots/sending/tickets.ts';
import { findDelivered, readTraySlots, type TraySlot } from './describe-tray.ts';
import { manifestName, writeManifest } from './tray-zip-rules.ts';
import { findTray } from './trays.ts';

export interface SendTrayDependencies extends SendZipDependencies {
  readonly tickets: Pick<Tickets, 'verify'>;
}

type TrayAsked = Pick<
  Asked<typeof downloadTray>,
  'caller' | 'params' | 'query' | 'request' | 'reply'
>;

/** The decoded images of a slot, or the newest delivery of its newest encode that succeeded. */
function chooseFiles(slot: TraySlot, fileType: TrayFileType): StoredFile[] {
  if (fileType === 'Decoded') return slot.files.filter(({ role }) => role === 'decoded');
  const delivery = findDelivered(slot);
  return delivery === null ? [] : [delivery];
}

/** The files of the zip under names that differ, each with the file of the tray that it belongs to. */
function nameFiles(slots: readonly TraySlot[], fileType: TrayFileType) {
  const taken = [manifestName];
  return slots.flatMap((one) =>
    chooseFiles(one, fileType).map((stored) => {
      const dot = stored.name.lastIndexOf('.');
      const name = freeName(stored.name, dot > 0 ? stored.name.slice(dot) : '', taken);
      taken.push(name);
      const sealedOn = one.sealTimes.get(stored.guid);
      return { ...stored, name, readFileName: one.file.name, slot: one.slot, sealedOn };
    }),
  );
}

/** Sends the zip of a tray's files, with a list of them. Refuses with NOT_FOUND when there are none. */
export async function sendTray(deps: SendTrayDependencies, asked: TrayAsked): Promise<undefined> {
  const { params, query } = asked;
  const { fileType, ticket } = query;
  const whose = { ...asked, ticket };
  const owner = await requireTicketOwner(deps.tickets, 'tray', params.trayGUID, whose);
  const { organisationId } = owner;
  const tray = await findTray(deps.db, organisationId, params.trayGUID);
  if (tray === null) throw new Refusal('NOT_FOUND');
  const files = nameFiles(await readTraySlots(deps.db, organisationId, tray.guid), fileType);
  const lines = files.flatMap((file) =>
    file.slot === null ? [] : [{ ...file, family: file.slot.family, isDouble: file.slot.isDouble }],
  );
  const texts = [{ name: manifestName, text: writeManifest(lines) }];
  const name = `recodery-${fileType.toLowerCase()}-${tray.createdOn.toISOString().slice(0, 10)}.zip`;
  return sendZip(deps, { name, files, texts }, owner, asked);
}
