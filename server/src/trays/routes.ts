/** Routes for trays: their files, the upload of each, and the zip of the results. */
import { Refusal } from '@recodery/contract/refusal';
import type { Operation } from '@recodery/contract/features/operations';
import * as contract from '@recodery/contract/features/trays';
import type { KeepAnswer } from '../http/requests/idempotency.ts';
import type { Router } from '../http/serve.ts';
import type { Caller } from '../organisations/caller.ts';
import { type DecodeDependencies, requestDecode } from '../recoding/decode.ts';
import type { Tickets } from '../slots/sending/tickets.ts';
import type { VerifiedStorage } from '../storage/verified-storage.ts';
import { describeTray, type DescribeTrayDependencies } from './describe-tray.ts';
import { sendTray } from './send-tray.ts';
import {
  addTrayFiles,
  requireTrayFile,
  linkDecode,
  removeTrayFile,
  type TrayFileRow,
} from './tray-files.ts';
import {
  deleteUnusedTrays,
  findTray,
  insertTray,
  listOwnTrays,
  nameTray,
  type TrayRow,
} from './trays.ts';

export interface TrayRouteDependencies extends DecodeDependencies, DescribeTrayDependencies {
  readonly storage: VerifiedStorage;
  readonly tickets: Pick<Tickets, 'verify' | 'mintTrayURL'>;
}

interface DecodeAsked {
  readonly caller: Caller;
  readonly upload: Parameters<typeof requestDecode>[3];
  readonly keep: KeepAnswer;
  /** The serial number of the slave that the user has chosen; absent: none. */
  readonly slave: string | undefined;
}

/** Starts the decode of a tray's file with the master that the file names, and records it in the same transaction. */
async function decodeTrayFile(
  deps: TrayRouteDependencies,
  { caller, upload, keep, slave }: DecodeAsked,
  file: TrayFileRow,
): Promise<Operation> {
  const { workflow } = file;
  if (workflow === null) throw new Refusal('OPERATION_NOT_POSSIBLE');
  const plain = { choice: null, skipChecksum: false, debug: false };
  const linkTray = (sha256: string) => linkDecode(file.guid, sha256);
  const ask = { ...plain, slave, workflow, linkTray };
  return requestDecode(deps, caller, ask, upload, async (trx, started) => {
    const answer = await deps.presentOperation(started);
    await keep(trx, answer);
    return answer;
  });
}

async function requireTray({ db }: TrayRouteDependencies, caller: Caller, guid: string) {
  const tray = await findTray(db, caller.organisationId, guid);
  if (tray === null) throw new Refusal('NOT_FOUND');
  return tray;
}

/** Registers the routes of contract/trays. */
export function serveTrays(router: Router, deps: TrayRouteDependencies): void {
  const { db } = deps;
  const describe = (caller: Caller, tray: TrayRow) => describeTray(deps, caller, tray);

  router.serve(contract.listTrays, ({ caller }) => listOwnTrays(db, caller));

  router.serve(contract.addTray, async ({ caller, body }) => {
    const tray = await db.transaction().execute(async (trx) => {
      await deleteUnusedTrays(trx, caller.organisationId);
      const guid = await insertTray(trx, caller);
      return addTrayFiles(trx, caller.organisationId, guid, body.files);
    });
    return describe(caller, tray);
  });

  router.serve(contract.getTray, async ({ caller, params }) =>
    describe(caller, await requireTray(deps, caller, params.trayGUID)),
  );

  router.serve(contract.nameTray, async ({ caller, params, body }) => {
    await nameTray(db, caller.organisationId, params.trayGUID, body.name);
    return undefined;
  });

  router.serve(contract.addTrayFiles, async ({ caller, params, body }) => {
    const { organisationId } = caller;
    const tray = await db
      .transaction()
      .execute((trx) => addTrayFiles(trx, organisationId, params.trayGUID, body.files));
    return describe(caller, tray);
  });

  router.serve(contract.uploadTrayFile, async ({ params, query, ...asked }) => {
    const file = await requireTrayFile(db, asked.caller.organisationId, params);
    return decodeTrayFile(deps, { ...asked, slave: query.slaveSerialNumber }, file);
  });

  router.serve(contract.removeTrayFile, async ({ caller, params }) => {
    await removeTrayFile(db, await requireTrayFile(db, caller.organisationId, params));
    return undefined;
  });

  router.serve(contract.createTrayTicket, async ({ caller, params, body }) => {
    const { guid } = await requireTray(deps, caller, params.trayGUID);
    return { url: await deps.tickets.mintTrayURL(caller, guid, body.fileType) };
  });

  router.serve(contract.downloadTray, (asked) => sendTray(deps, asked));
}
